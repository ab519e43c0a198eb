package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
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

	// Events is the run of the way, nil if none was played. Unreadable is true if its manifest says something that no
	// version of Kubernetes can read.
	Events     []timeline.Event `json:"-"`
	Unreadable bool             `json:"-"`

	// stays says that the way leaves the pods as they are.
	stays bool
}

// AroundOf plays ways around a refusal, and returns the one on which most pods serve, of equals the quickest.
func AroundOf(f *stored.Frame, refused *stored.Set) *Refusal {
	as := *refused
	as.Fate = stored.Accepted
	w := (&World{Frame: f}).Of(&as)
	plain := Refusal{Message: refused.Message, Changes: append([]diff.Change{}, refused.Fixed...)}
	if f.Ends() {
		return &plain
	}
	if _, refusal := f.Lab().Store(as.Fresh); refusal != nil {
		plain.Way = "the new set would be refused even if there were no old one: " + refusal.Message
		return &plain
	}
	var best, tried *Refusal
	for _, way := range ways(&as) {
		p := w.Lab().Paste(w.Before(), way.script)
		shown, found := Gather(p.Events, as.Key(), p.First), plain
		found.Way, found.Commands, found.Events = way.says+shown.Ending(), p.Commands, p.Events
		if p.Hangs != "" || !heal.Whole(p.Events, as.Key()) {
			tried = cmp.Or(tried, &found)
			continue
		}
		fewest, takes := play.Cost(p.Events, as.Key(), p.First)
		found.Heals, found.stays, found.FewestServing, found.Takes = true, len(shown.Moves) == 0, fewest, Seconds(takes)
		found.Way = way.says + found.cost(&as, p, shown)
		if best == nil || cmp.Or(-cmp.Compare(fewest, best.FewestServing), cmp.Compare(found.Takes, best.Takes)) < 0 {
			best = &found
		}
	}
	if best == nil {
		best = tried
		best.Way += cmp.Or(withPeers(w, &as), ". None of the tried fixes works")
	}
	if !keepsBlock(&as) {
		best.Way += claimsAfterwards(&as, f.Input.Classes)
	}
	return best
}

// withPeers says of a set that is made anew with Parallel, and that gets stuck on a pod which does not become Ready in
// the dump, what happens if this pod only waits for its peers, which OrderedReady does not start; "" for any other set.
func withPeers(w *World, s *stored.Set) string {
	lab := w.Lab()
	if lab.World.Start == nil || lab.World.Kubelet.Default.When != nil || !onlyUnready(s, lab.World.Start) ||
		s.Live.Spec.PodManagement != model.OrderedReady || s.Wanted.Spec.PodManagement != model.Parallel {
		return ""
	}
	p := lab.InQuorum().Paste(w.Before(), ways(s)[0].script)
	if p.Hangs != "" || !heal.Whole(p.Events, s.Key()) {
		return ""
	}
	_, takes := play.Cost(p.Events, s.Key(), p.First)
	return fmt.Sprintf(". This assumes that the pods that are not Ready in the dump stay unready. If they wait for their "+
		"peers, as the members of a quorum do, the new set starts these, and all are Ready after %s", render.Brief(takes))
}

// onlyUnready says whether all pods of the set that are not Ready in a state run, with containers that run.
func onlyUnready(s *stored.Set, state *sim.State) bool {
	return !slices.ContainsFunc(state.Pods, func(p sim.PodState) bool {
		return p.Namespace == s.Key().Namespace && s.Live.OrdinalOf(p.Name) >= 0 && !p.Ready &&
			(p.Phase != model.Running || p.Containers != nil && p.Containers.Shown != "")
	})
}

func (r *Refusal) cost(s *stored.Set, p *play.Pasted, f *Facts) string {
	switch {
	case r.stays && keepsBlock(s):
		return "no pod is touched"
	case r.stays:
		return "the pods stay, none is touched, and the new set adopts them"
	}
	text := strings.Join(f.Moves.Order(true), "; ")
	if f.Moves[0].Does == Replaced && f.Begin < f.End && !p.Acts.Any(play.DeletesPods) && !keepsBlock(s) {
		text = "the new set adopts the pods and replaces them: " + strings.TrimPrefix(text, Replaced+": ")
	}
	return fmt.Sprintf("%s; %s; it takes %s%s", text, render.Serve(r.FewestServing, int(s.Wanted.Spec.Replicas)),
		strings.TrimSpace(s.About()+" "+render.Brief(time.Duration(r.Takes))), s.Timings.Uncertain())
}

// oneByOne deletes the pods from the lowest ordinal up, and waits for each to be back. If the new set counts the pods
// that it finds, all are Ready again; otherwise there is one more each time. Wake makes the controller, which waits
// longer after each error, sync the set at once.
func oneByOne(s *stored.Set, counted, wake bool) []play.Deed {
	var deeds []play.Deed
	pods := s.Live.PodKeys()
	for i, pod := range pods {
		deeds = append(deeds, play.Delete(pod, false))
		if wake {
			deeds = append(deeds, play.Annotate(s.Key(), "touched", fmt.Sprint(i+1)))
		}
		ready := i + 1
		if counted {
			ready = len(pods)
		}
		deeds = append(deeds, play.WaitForReady(s.Key(), ready))
	}
	return deeds
}

func missingLabels(s *stored.Set) map[string]string {
	labels := map[string]string{}
	for _, need := range s.Wanted.Spec.Selector.Needs {
		value, has := s.Wanted.Spec.Template.Labels[need.Label]
		if has && s.Live.Spec.Template.Labels[need.Label] != value {
			labels[need.Label] = value
		}
	}
	return labels
}

// ways returns the ways that people use, the mildest first.
func ways(s *stored.Set) []way {
	key, n := s.Key(), int(s.Wanted.Spec.Replicas)
	orphan, apply := play.DeleteSet(key, sim.Orphan), applies(s)
	done := play.Script{play.RolloutStatus(key)}
	if s.Wanted.Spec.Strategy.Type != model.RollingUpdateStrategy {
		done = readyAll(key, n)
	}
	if keepsBlock(s) {
		patched := play.Script{play.ToStrategy(key, s.Wanted.Spec.Strategy.Type), apply}
		if s.Wanted.Spec.Strategy.Type == model.RecreateStrategy {
			// The new template replaces all pods by itself.
			patched = patched.Then(done...)
		}
		return []way{{"write \"rollingUpdate: null\" below updateStrategy in the manifest: only the block that the live " +
			"object still has is refused. Or patch the live object first, and apply: ",
			patched}}
	}
	begin := play.Script{orphan, apply}
	list := []way{{"delete the set without its pods, and apply: ", begin.Then(done...)}}
	if labels := missingLabels(s); len(labels) > 0 && len(s.Live.PodKeys()) > 0 {
		list = append(list, way{"delete the set without its pods, give the pods the labels by which the new set finds " +
			"them, and apply: ", play.Script{orphan, play.Label(s.Live.PodKeys(), labels), apply}.Then(done...)})
	}
	for _, wake := range []bool{false, true} {
		for _, counted := range []bool{false, true} {
			list = append(list, way{"delete the set without its pods, apply, and delete the pods one after the other: ",
				begin.Then(oneByOne(s, counted, wake)...)})
		}
	}
	return append(list, way{"delete the set with its pods, and apply: ",
		play.Script{play.DeleteSet(key, sim.Foreground), apply}.Then(done...)})
}

// way is a way around a refusal, and the beginning of the sentence about it.
type way struct {
	says   string
	script play.Script
}

// readyAll waits until so many pods are Ready. kubectl wait would never find a 0, which no status has.
func readyAll(key model.Key, replicas int) play.Script {
	if replicas == 0 {
		return nil
	}
	return play.Script{play.WaitForReady(key, replicas)}
}

// applies returns the deed that applies the new manifest: by helm upgrade what belongs to a Helm release.
func applies(s *stored.Set) play.Deed {
	apply := play.Apply(s.Pair.New, s.Key().Namespace)
	object := s.Pair.New.Object
	if ofHelm(object.Labels) || ofHelm(object.Spec.Template.Labels) {
		release := cmp.Or(pair.ReleaseOf(s.Pair.New), pair.ReleaseOf(s.Pair.Old), object.Labels["app.kubernetes.io/instance"],
			"RELEASE")
		apply.Kubectl = shell.Noted(shell.Line("helm", "-n", s.Key().Namespace, "upgrade", release, "CHART"),
			"as you always do")
	}
	return apply
}

func ofHelm(labels map[string]string) bool {
	return labels["app.kubernetes.io/managed-by"] == "Helm" || labels["helm.sh/chart"] != ""
}

// keepsBlock says whether only the rollingUpdate block is refused that kubectl apply keeps beside OnDelete or Recreate.
func keepsBlock(s *stored.Set) bool {
	block := s.Wanted.Spec.Strategy
	return block.Type != model.RollingUpdateStrategy && block.RollingUpdate != nil &&
		s.Fresh.Spec.Strategy.RollingUpdate == nil && len(s.Fixed) == 0
}
