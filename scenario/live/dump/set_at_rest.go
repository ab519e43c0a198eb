package dump

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Hidden says whether the dump does not show the pods of a set although its status counts some: it has no pod of the
// set's namespace. Nothing can be played of such a set, for a world without its pods would create them.
func (d *Dump) Hidden(set *model.StatefulSet) bool {
	return set.Status.Replicas > 0 && !d.found().namespaces[set.Namespace]
}

// Unfinished says in what way the status of a set shows that it is not at rest, "" if it does not. It is all that a
// dump without the pods shows: where there are pods, Index.AtRest decides. A partition and OnDelete leave pods at an
// older revision, and the set is at rest. It is a clause about the set.
func Unfinished(set *model.StatefulSet) string {
	s, held := &set.Status, set.Spec.Strategy.Type != model.RollingUpdateStrategy || set.Partition() > 0
	switch {
	case set.Terminating():
		return "it is being deleted"
	case s.ObservedGeneration < set.Generation:
		return "the controller has not seen its newest spec yet"
	case s.Replicas != set.Spec.Replicas:
		return fmt.Sprintf("it has %d pods, and its spec asks for %d", s.Replicas, set.Spec.Replicas)
	case s.Behind() > 0 && !held && Unready(s) == "":
		return Outdated(s)
	}
	return Unready(s)
}

// Unready says how many pods are not Ready, as far as a status shows it; "" if all are.
func Unready(s *model.Status) string {
	if s.Ready >= s.Replicas {
		return ""
	}
	return fmt.Sprintf("%d of %d pods are Ready", s.Ready, s.Replicas)
}

// Outdated says of a status with pods that are Behind how many there are.
func Outdated(s *model.Status) string {
	return fmt.Sprintf("%d of %d pods run an older template", s.Behind(), s.Replicas)
}

// AtRest says whether nothing is left to do for a set, which must be in the dump: all its pods exist and are Ready,
// those that its strategy updates have its newest template, they have the volumes of its claim templates, it has no
// other pods, and its namespace stays. minReadySeconds are not asked for.
func (x *Index) AtRest(key model.Key) bool {
	set := x.sets[key]
	if set.Terminating() || x.Going[key.Namespace] != nil || set.Status.ObservedGeneration != set.Generation {
		return false
	}
	serving := 0
	for _, p := range x.Pods(key) {
		_, ordinal := model.SplitPodName(p.Name)
		due := set.Spec.Strategy.Type == model.RollingUpdateStrategy && !set.BelowPartition(ordinal)
		if !owns(set, p.Pod) || !p.Serving() || due && p.Revision() != set.Status.UpdateRevision ||
			model.TraitsOf(set, p.Pod, 0)&model.HasStorage == 0 {
			return false
		}
		serving++
	}
	return serving == int(set.Spec.Replicas)
}

// mostPods is the largest number of pods that do not serve that are named.
const mostPods = 4

// Now describes the state of a set that is not at rest: "2 of 3 serve; web-1 is Terminating".
func (x *Index) Now(key model.Key) string {
	set := x.sets[key]
	serving, outdated, there := 0, 0, map[string]bool{}
	var others []string
	for _, p := range x.Pods(key) {
		there[p.Name] = true
		if owns(set, p.Pod) && p.Revision() != set.Status.UpdateRevision {
			outdated++
		}
		if owns(set, p.Pod) && p.Serving() {
			serving++
			continue
		}
		others = append(others, p.Name+" is "+x.stateOf(p))
	}
	for i := range int(set.Spec.Replicas) {
		if name := set.PodName(set.Start() + i); !there[name] {
			others = append(others, name+" is missing")
		}
	}
	text := fmt.Sprintf("%d of %d serve", serving, set.Spec.Replicas)
	if x.Going[key.Namespace] != nil {
		text = "its namespace is being deleted; " + text
	}
	if set.Terminating() {
		text = "the StatefulSet is being deleted; " + text
	}
	if len(others) > 0 {
		text += "; " + render.List(others, mostPods)
	}
	if outdated > 0 {
		text += "; " + render.Count(outdated, "pod") + render.Agree(outdated, " has", " have") + " an older template"
	}
	return text
}

// stateOf returns the state of a pod that does not serve for the set.
func (x *Index) stateOf(p *Pod) string {
	f := x.Facts[p.Key()]
	text := p.Phase.String()
	if p.Phase == model.Running {
		text += " but not Ready"
	}
	switch {
	case p.Terminating():
		text = "Terminating"
	case p.Ready:
		text = "Ready, but not owned by the set"
	case f != nil && f.Unreported:
		text = "Unknown (its kubelet does not report it)"
	case f != nil && f.Unschedulable != "":
		text += " (no node takes it)"
	case f != nil && f.Waiting != "":
		text += fmt.Sprintf(" (%s)", f.Waiting)
	case x.Attached(p.Key()):
		text += " (its volume is still attached to another node: sim explain DUMP)"
	}
	return text
}
