package dump

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Provided returns what must be true, and the dump does not show, so that a set gets where its spec wants it: "provided
// that …"; "" if that is nothing. It is about the sets that complete in a run that begins with the dump.
func (d *Dump) Provided(set *model.StatefulSet) string {
	pods := d.PodsOf(set)
	list := d.idle(set)
	for _, says := range []func(*Pod, *Facts) string{d.unreported, d.fails, d.flaps(set), d.awaits} {
		for _, p := range pods {
			if text := says(p, d.Facts[p.Key()]); text != "" {
				list = append(list, text)
			}
		}
	}
	list = slices.Concat(list, d.unseen(pods), d.unproven(pods))
	if len(list) == 0 {
		return ""
	}
	return "provided that " + strings.Join(list, ", and that ")
}

// Undone is what a controller does at once, and has not done yet: a row of the table, with its names. Age is for how long,
// 0 if the dump does not show that. Pod is the pod that it is about, nil if none, and Says what the cluster says of it.
type Undone struct {
	*symptom.Row
	symptom.Names
	Age  time.Duration
	Pod  *Pod
	Says string
}

// Undone returns what the controller, and the schedulers, have not done yet for a set.
func (d *Dump) Undone(set *model.StatefulSet) (list []*Undone) {
	add := func(name string, since model.Time, p *Pod, names symptom.Names, says string) {
		all := symptom.Names{"set": set.Name, "age": Age(since)}.With(names)
		if p != nil {
			all["pod"] = p.Name
		}
		list = append(list, &Undone{symptom.Named(name), all, time.Duration(-since), p, says})
	}
	seen, written := set.Status.ObservedGeneration, d.Sets[set.Key()].Written
	switch {
	case seen > 0 && seen < set.Generation:
		add("spec not seen", written, nil, nil, fmt.Sprintf("generation %d, observedGeneration %d", set.Generation, seen))
	case seen == 0 && set.Created < 0:
		add("set not seen", set.Created, nil, nil, "")
	}
	for _, p := range d.PodsOf(set) {
		if f := d.Facts[p.Key()]; p.Finished() && !p.Terminating() {
			add("pod not replaced", f.Since, p, symptom.Names{"phase": p.Phase.String()}, f.Status)
		}
	}
	for _, p := range d.PodsOf(set) {
		f := d.Facts[p.Key()]
		if claim, owned := d.Unfound(p); owned && !d.Claimless {
			add("PVC not created", f.Since, p, symptom.Names{"claim": claim}, f.Unschedulable)
		}
		if p.Node == "" && !p.Finished() && !f.Scheduled && f.Scheduler != "" {
			add("scheduler-idle", p.Created, p, symptom.Names{"found": f.Scheduler}, "")
		}
	}
	return list
}

// idle says that the controllers work, and can do what they want, if a dump suggests otherwise. Like the functions below,
// it returns clauses that follow "provided that", nil if nothing suggests otherwise.
func (d *Dump) idle(set *model.StatefulSet) (list []string) {
	first := ""
	for _, u := range d.Undone(set) {
		switch due := u.Age > u.Within || u.Name == "spec not seen"; {
		case !due || u.Name == "PVC not created":
		case u.Name == "scheduler-idle":
			list = append(list, u.In(u.Needs))
		case first == "":
			first = u.In(u.Needs)
		}
	}
	if pod, claim := d.Uncreated(set); first == "" && claim != "" {
		first = symptom.Names{"pod": pod, "claim": claim,
			"see": shell.In(set.Namespace, "describe", "statefulset", set.Name)}.In(symptom.Named("PVC not created").Needs)
	}
	if first == "" {
		return list
	}
	return append([]string{first}, list...)
}

// unreported says of a pod in phase Unknown whose node answers that its kubelet has to report it.
func (d *Dump) unreported(p *Pod, f *Facts) string {
	if !f.Unreported {
		return ""
	}
	return d.Names(p).With(symptom.Names{"long": Since(f.Since)}).In(symptom.Named("not-reported").Needs)
}

// often is how many times the controller has to create a pod again until the next one is likely to fail too.
const often = 3

// FailsAgain reports whether the controller has created a pod again and again: the next one is likely to fail too.
func (f *Facts) FailsAgain() bool { return f.Recreated >= often }

// Again returns a text about a pod that the controller has created again and again.
func (d *Dump) Again(p *Pod, text string) string {
	f := d.Facts[p.Key()]
	return d.Names(p).With(symptom.Names{"times": strconv.Itoa(f.Recreated), "long": Age(model.Time(-f.Within))}).In(text)
}

// fails says of a pod that the controller has created again and again that it must not fail again.
func (d *Dump) fails(p *Pod, f *Facts) string {
	if !f.FailsAgain() || p.Ready {
		return ""
	}
	return d.Again(p, symptom.Named("fails-again").Needs)
}

// late is the time from Running to Ready from which on a pod has probably been Ready before.
const late = 30 * time.Minute

// flaps says of a pod that is Ready, and not yet for minReadySeconds, that it has to stay so if the dump suggests that
// it has lost it before: "web-2 stays Ready: …". Pods that are replaced before that do not count.
func (d *Dump) flaps(set *model.StatefulSet) func(*Pod, *Facts) string {
	wanted := time.Duration(set.Spec.MinReadySeconds) * time.Second
	return func(p *Pod, f *Facts) string {
		waited := set.Spec.PodManagement == model.OrderedReady || p.Revision() == set.Status.UpdateRevision
		young := p.Serving() && time.Duration(-p.ReadySince) < wanted
		if falls := d.Falls(p); falls != "" && (young || p.Revision() == set.Status.UpdateRevision) {
			return p.Name + " stays Ready: " + falls
		}
		if !waited || !young || !symptom.ProbeFails.In(f.Event) && p.ReadySince.Sub(p.Started) < late {
			return ""
		}
		says := ""
		if f.Event != "" {
			says = " (" + f.Event + ")"
		}
		return d.Names(p).With(symptom.Names{"long": Age(p.Started), "since": Age(p.ReadySince), "says": says}).
			In(symptom.Named("flaps").Needs)
	}
}

// awaits says that pods must end so that another one gets the node on which the scheduler has made room for it.
func (d *Dump) awaits(p *Pod, f *Facts) string {
	if f.Nominated == "" || p.Node != "" {
		return ""
	}
	return fmt.Sprintf("the pods that %s has preempted on %s end", p.Name, f.Nominated)
}

// unseen says that the nodes answer on which pods terminate and which the dump does not show.
func (d *Dump) unseen(pods []*Pod) []string {
	var nodes []string
	for _, p := range pods {
		if p.Terminating() && slices.Contains(d.Unseen, p.Node) && !slices.Contains(nodes, p.Node) {
			nodes = append(nodes, p.Node)
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	return []string{strings.Join(nodes, " and ") + " answers, which the dump does not show (" +
		shell.Kubectl(append([]string{"get", "nodes"}, nodes...)...) + "): on a node that is down, a pod stays Terminating"}
}

// unproven says that the storage classes give volumes of which the dump shows no volume.
func (d *Dump) unproven(pods []*Pod) []string {
	var claims, classes []string
	for _, p := range pods {
		for _, claim := range d.ClaimsOf(p.Pod) {
			class := d.Unproven(claim)
			if class == "" {
				continue
			}
			claims = append(claims, claim.Name)
			if !slices.Contains(classes, class) {
				classes = append(classes, class)
			}
		}
	}
	if len(claims) == 0 {
		return nil
	}
	to := "the PVC " + claims[0] + " a volume"
	if len(claims) > 1 {
		to = "the PVCs " + render.List(claims, 3) + " volumes"
	}
	return []string{symptom.Names{"class": strings.Join(classes, " and "), "found": to,
		"see": shell.Kubectl(append([]string{"get", "storageclass"}, classes...)...)}.
		In(symptom.Named("volume that is not proven").Needs)}
}

// Pod is a pod of a dump.
type Pod = sim.PodState
