package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/scenario/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Refusal is the API server's answer to a change that it does not accept, with a way around it.
type Refusal struct {
	// Message is the API server's message. Changes are the fields that it is about.
	Message string        `json:"message"`
	Changes []diff.Change `json:"changes"`
	// Way says how to make the change nevertheless and, if that was played, its result. Commands are its commands: they
	// were played as they are printed, pasted in one go.
	Way      string   `json:"way"`
	Commands []string `json:"commands,omitempty"`
	// Heals says that with the commands the set is as the new files want it; FewestServing is the least number of
	// serving pods on the way, and Takes how long it takes with the times of the plan.
	Heals         bool    `json:"heals"`
	FewestServing int     `json:"fewestServing"`
	Takes         Seconds `json:"takes,omitempty"`

	// events is the run of the way, nil if none was played.
	events []timeline.Event
	// stays says that the way leaves the pods as they are; invalid that the set itself is wrong, and nothing was
	// played.
	stays, invalid bool
	// unreadable is true if its manifest says something that no version of Kubernetes can read.
	unreadable bool
}

// Instead is the name of the run of the way around a refusal.
const Instead = "instead"

// around finds the way around a refusal: the set is deleted without its pods, and created again. Several ways to
// continue from there are played; the one on which the most pods serve is printed, and of equally good ones the
// quickest.
func (e *edit) around(w *world) {
	r := e.set.Refusal
	as := *e
	as.set = &Set{}
	alone := w.of(&as)
	if _, refusal := w.of().lab().Store(e.fresh); refusal != nil {
		r.Way = "the new set would be refused even if there were no old one: " + refusal.Message
		return
	}
	var best *play.Pasted
	for _, way := range as.ways() {
		p := alone.lab().Paste(alone.before(), way.script)
		if p.Hangs != "" || !heal.Whole(p.Events, e.key()) {
			if r.events == nil {
				r.tried(p, e.key(), way.says)
			}
			continue
		}
		fewest, takes := play.Cost(p.Events, e.key(), p.First)
		if best == nil || cmp.Or(cmp.Compare(r.FewestServing, fewest), cmp.Compare(takes, time.Duration(r.Takes))) < 0 {
			best = p
			r.Heals, r.FewestServing, r.Takes = true, fewest, Seconds(takes)
			r.Commands, r.events, r.Way = p.Commands, p.Events, way.says+r.cost(&as, p)
		}
	}
	if best == nil {
		r.Way += cmp.Or(as.withPeers(alone), ". None of the tried fixes works")
	}
	r.Way += e.afterwards()
}

// withPeers says of a set that is made anew with Parallel, and that gets stuck on a pod which does not become Ready in
// the dump, what happens if this pod only waits for its peers, which OrderedReady does not start; "" for any other set.
func (e *edit) withPeers(w *world) string {
	lab := w.lab()
	if lab.World.Start == nil || lab.World.Kubelet.Default.When != nil || !e.onlyUnready(lab.World.Start) ||
		e.live.Spec.PodManagement != model.OrderedReady || e.wanted.Spec.PodManagement != model.Parallel {
		return ""
	}
	lab = heal.InQuorum(lab)
	p := lab.Paste(w.before(), e.ways()[0].script)
	if p.Hangs != "" || !heal.Whole(p.Events, e.key()) {
		return ""
	}
	_, takes := play.Cost(p.Events, e.key(), p.First)
	return fmt.Sprintf(". This assumes that the pods that are not Ready in the dump stay unready. If they wait for their "+
		"peers, as the members of a quorum do, the new set starts these, and all are Ready after %s", render.Brief(takes))
}

// onlyUnready says whether all pods of the set that are not Ready in a state run, with containers that run.
func (e *edit) onlyUnready(state *sim.State) bool {
	return !slices.ContainsFunc(state.Pods, func(p sim.PodState) bool {
		return p.Namespace == e.key().Namespace && e.live.OrdinalOf(p.Name) >= 0 && !p.Ready &&
			(p.Phase != model.Running || p.Containers != nil && p.Containers.Shown != "")
	})
}

// tried takes a way that does not heal, if there is no better one.
func (r *Refusal) tried(p *play.Pasted, key model.Key, says string) {
	f := gather(p.Events, key, p.First)
	r.events, r.Commands = p.Events, p.Commands
	r.Way = says + f.ending()
}

// cost says what a way costs: what happens to the pods, how many serve and how long it takes.
func (r *Refusal) cost(e *edit, p *play.Pasted) string {
	f := gather(p.Events, e.key(), p.First)
	if r.stays = len(f.moves) == 0; r.stays && e.keepsBlock() {
		return "no pod is touched"
	}
	if r.stays {
		return "the pods stay, none is touched, and the new set adopts them"
	}
	text := strings.Join(f.order(true), "; ")
	if f.moves[0].Does == replaced && f.begin < f.end && !deletesPods(p) {
		text = "the new set adopts the pods and replaces them: " + strings.TrimPrefix(text, replaced+": ")
	}
	return fmt.Sprintf("%s; %s; it takes %s%s", text, serve(r.FewestServing, int(e.wanted.Spec.Replicas)),
		strings.TrimSpace(e.about()+" "+render.Brief(time.Duration(r.Takes))), e.timings.Uncertain())
}

// deletesPods says whether one of the commands deletes pods.
func deletesPods(p *play.Pasted) bool {
	return slices.ContainsFunc(p.Commands, func(command string) bool {
		return strings.Contains(command, " delete pod ") || strings.Contains(command, "--cascade=foreground")
	})
}

// way is a way around a refusal, and the beginning of the sentence about it.
type way struct {
	says   string
	script play.Script
}

// ways returns the ways that people use, the mildest first.
func (e *edit) ways() []way {
	key, n := e.key(), int(e.wanted.Spec.Replicas)
	orphan, apply := play.DeleteSet(key, sim.Orphan), e.applies()
	done := play.Script{play.RolloutStatus(key)}
	if e.wanted.Spec.Strategy.Type != model.RollingUpdateStrategy {
		done = readyAll(key, n)
	}
	if e.keepsBlock() {
		return []way{{"write \"rollingUpdate: null\" below updateStrategy in the manifest: only the block that the live " +
			"object still has is refused. Or patch the live object first, and apply: ",
			play.Script{play.ToOnDelete(key), apply}}}
	}
	begin := play.Script{orphan, apply}
	list := []way{{"delete the set without its pods, and apply: ", begin.Then(done...)}}
	if labels := e.missingLabels(); len(labels) > 0 && len(e.pods()) > 0 {
		list = append(list, way{"delete the set without its pods, give the pods the labels by which the new set finds " +
			"them, and apply: ", play.Script{orphan, play.Label(e.pods(), labels), apply}.Then(done...)})
	}
	for _, wake := range []bool{false, true} {
		for _, counted := range []bool{false, true} {
			list = append(list, way{"delete the set without its pods, apply, and delete the pods one after the other: ",
				begin.Then(e.oneByOne(counted, wake)...)})
		}
	}
	return append(list, way{"delete the set with its pods, and apply: ",
		play.Script{play.DeleteSet(key, sim.Foreground), apply}.Then(done...)})
}

// readyAll waits until so many pods are Ready. There is nothing to wait for if that is none: the status then lacks the
// number, and kubectl wait would never find it.
func readyAll(key model.Key, replicas int) play.Script {
	if replicas == 0 {
		return nil
	}
	return play.Script{play.WaitForReady(key, replicas)}
}

// applies returns the deed that applies the new manifest. What belongs to a Helm release comes by helm upgrade: kubectl
// apply of the rendered stream would go past Helm.
func (e *edit) applies() play.Deed {
	apply := play.Apply(e.pair.New, e.key().Namespace)
	object := e.pair.New.Object
	if ofHelm(object.Labels) || ofHelm(object.Spec.Template.Labels) {
		release := cmp.Or(releaseOf(e.pair.New), releaseOf(e.pair.Old), object.Labels["app.kubernetes.io/instance"],
			"RELEASE")
		apply.Kubectl = command.Noted(command.Line("helm", "-n", e.key().Namespace, "upgrade", release, "CHART"),
			"as you always do")
	}
	return apply
}

// ofHelm says whether labels are those that charts give their objects.
func ofHelm(labels map[string]string) bool {
	return labels["app.kubernetes.io/managed-by"] == "Helm" || labels["helm.sh/chart"] != ""
}

// keepsBlock says whether the change is refused only because kubectl apply keeps the rollingUpdate block of the live
// object, which the API server has filled in or somebody else has written, beside the type OnDelete.
func (e *edit) keepsBlock() bool {
	block := e.wanted.Spec.Strategy
	return block.Type == model.OnDeleteStrategy && block.RollingUpdate != nil &&
		e.fresh.Spec.Strategy.RollingUpdate == nil && !e.fixed
}

// oneByOne deletes the pods from the lowest ordinal up, and waits for each to be back. If the new set counts the pods
// that it finds, all are Ready again; otherwise there is one more each time. Wake makes the controller, which waits
// longer after each error, sync the set at once.
func (e *edit) oneByOne(counted, wake bool) []play.Deed {
	var deeds []play.Deed
	pods := e.pods()
	for i, pod := range pods {
		deeds = append(deeds, play.Delete(pod, false))
		if wake {
			deeds = append(deeds, play.Annotate(e.key(), "touched", fmt.Sprint(i+1)))
		}
		ready := i + 1
		if counted {
			ready = len(pods)
		}
		deeds = append(deeds, play.WaitForReady(e.key(), ready))
	}
	return deeds
}

// pods returns the pods of the running set, from the lowest ordinal up.
func (e *edit) pods() []model.Key {
	var list []model.Key
	for i := range int(e.live.Spec.Replicas) {
		list = append(list, model.Key{Namespace: e.key().Namespace, Name: e.live.PodName(e.live.Start() + i)})
	}
	return list
}

// missingLabels returns the labels of the new selector that the running pods do not have.
func (e *edit) missingLabels() map[string]string {
	labels := map[string]string{}
	for _, need := range e.wanted.Spec.Selector.Needs {
		value, has := e.wanted.Spec.Template.Labels[need.Label]
		if has && e.live.Spec.Template.Labels[need.Label] != value {
			labels[need.Label] = value
		}
	}
	return labels
}

// afterwards says what else changes for a set that was created again, or stays as it was: its claims, and its names.
func (e *edit) afterwards() string {
	text := ""
	if !e.keepsBlock() {
		text = e.claimsAfterwards()
	}
	was, is := e.live.Spec.ServiceName, e.wanted.Spec.ServiceName
	if was != is && is != "" && e.set.Refusal.stays {
		keep := fmt.Sprintf("the pods keep the subdomain %q", was)
		if was == "" {
			keep = "the pods have no subdomain"
		}
		text += fmt.Sprintf("; %s, so that %s.%s does not resolve before they restart", keep,
			e.live.PodName(e.live.Start()), is)
	}
	return text
}

// mutable are the fields of the spec that every version lets change; the API server refuses a change of any other.
var mutable = []string{
	"spec.replicas", "spec.ordinals", "spec.template", "spec.updateStrategy", "spec.minReadySeconds",
	"spec.persistentVolumeClaimRetentionPolicy",
}

// meant returns the changes of fields that may not be changed.
func meant(changes []diff.Change, profile statefulset.Profile) []diff.Change {
	return slices.DeleteFunc(diff.Under(changes, "spec."), func(c diff.Change) bool {
		may := func(field string) bool { return c.Path == field || strings.HasPrefix(c.Path, field+".") }
		return slices.ContainsFunc(mutable, may) || profile.MutableHistoryLimit && may("spec.revisionHistoryLimit")
	})
}
