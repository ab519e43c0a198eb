package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Drain is a drain of a node that is refused the eviction of pods. The controller has no part in it, and may wait for
// nothing.
type Drain struct {
	Node string `json:"node"`
	// Pods are those that it is refused, since the instant of the first refusal.
	Pods  []string `json:"pods"`
	Since Instant  `json:"since"`
	// Budgets are the PodDisruptionBudgets of the namespace that allow no disruption: one of them is the reason.
	Budgets []string `json:"budgets,omitempty"`
	// GaveUp is the instant at which kubectl gave up; 0 if it still tries.
	GaveUp Instant `json:"gaveUp,omitempty"`

	// full is true if all pods of the budgets are healthy, so that none becomes it.
	full bool
}

// drains lists the drains that wait for pods of the set at the end of some events. A drain whose pods have all left
// the node waits for none, and is not in the list.
func (s *Set) drains(events []timeline.Event, fold *timeline.Fold, key model.Key) {
	for i := range events {
		e := &events[i]
		switch {
		case e.Kind == timeline.KindPod && e.Set == key && (e.State == timeline.Gone || e.State == timeline.Terminating):
			s.leaves(e.Pod)
		case e.Kind != timeline.KindNode:
		case e.Why.Code == model.DrainBlocked && s.has(e.Why.Object):
			s.refused(e)
		case e.Reason == timeline.ReasonDrainGivenUp:
			for _, d := range s.Drains {
				if d.Node == e.Node {
					d.GaveUp = Instant(e.T)
				}
			}
		}
	}
	full := spent(fold, key)
	for _, d := range s.Drains {
		d.full = full
		for _, name := range fold.Budgets() {
			if b := fold.Budget(name); b.Namespace == key.Namespace && b.Allowed == 0 {
				d.Budgets = append(d.Budgets,
					fmt.Sprintf("%s (%d of %d healthy, %d wanted)", b.Name, b.Healthy, b.Expected, b.Desired))
			}
		}
	}
}

// has says whether a pod is one of the set's.
func (s *Set) has(pod string) bool {
	return slices.ContainsFunc(s.Pods, func(p Pod) bool { return p.Name == pod })
}

// refused notes that a drain is refused the eviction of a pod.
func (s *Set) refused(e *timeline.Event) {
	at := slices.IndexFunc(s.Drains, func(d *Drain) bool { return d.Node == e.Node && d.GaveUp == 0 })
	if at < 0 {
		s.Drains = append(s.Drains, &Drain{Node: e.Node, Since: Instant(e.T)})
		at = len(s.Drains) - 1
	}
	if d := s.Drains[at]; !slices.Contains(d.Pods, e.Why.Object) {
		d.Pods = append(d.Pods, e.Why.Object)
	}
}

// leaves notes that a pod is evicted, or deleted.
func (s *Set) leaves(pod string) {
	for _, d := range s.Drains {
		d.Pods = slices.DeleteFunc(d.Pods, func(name string) bool { return name == pod })
	}
	s.Drains = slices.DeleteFunc(s.Drains, func(d *Drain) bool { return len(d.Pods) == 0 })
}

// text writes the drain for people. line writes one line with its indent.
func (d *Drain) text(line func(int, string)) {
	end := ""
	if d.GaveUp > 0 {
		end = "; kubectl gave up at " + clock(d.GaveUp)
	}
	why := model.Why{Code: model.DrainBlocked, Object: d.Pods[0]}
	for _, pod := range d.Pods {
		why.Object = pod
		line(2, fmt.Sprintf("The drain of %s has been blocked since %s: %s%s", d.Node, clock(d.Since),
			reasons.Named(why), end))
	}
	for _, b := range d.Budgets {
		line(4, "A PodDisruptionBudget that allows no disruption: "+b+".")
	}
	release := reasons.Release(why, reasons.World{})
	if d.full {
		release = budgetEnds(why.Object)
	}
	line(4, ends(&Wait{Release: release}))
}

// spent says whether the budgets of a namespace that allow no disruption want as many healthy pods as there are: then
// it is no help that a pod becomes healthy.
func spent(fold *timeline.Fold, key model.Key) bool {
	full := false
	for _, name := range fold.Budgets() {
		if b := fold.Budget(name); b.Namespace == key.Namespace && b.Allowed == 0 {
			if b.Healthy < b.Expected {
				return false
			}
			full = true
		}
	}
	return full
}

// budgetEnds says what ends the wait for the eviction of a pod whose budgets want all the pods that there are.
func budgetEnds(pod string) string {
	return "ends when the budget allows a disruption, when it covers one more healthy pod than it wants, or when " + pod +
		" is deleted instead of evicted"
}
