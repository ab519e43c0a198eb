package worlds_test

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// promises are those of StatefulSets to their users. They hold in worlds in which the controller sees everything in
// time; otherwise it goes by what it saw. Each says what an event breaks, "" if nothing. The set is as it was before
// the event.
var promises = []func(set *timeline.Set, e *timeline.Event) string{
	func(set *timeline.Set, e *timeline.Event) string {
		rolling := e.Why.Code == model.CodeUpdateRevision && e.Why.Rule != model.RuleRecreate
		if rolling && set.Spec.OrdinalOf(e.Pod)-set.Spec.Start() < set.Spec.Partition() {
			return "a rolling update leaves the replicas below the partition alone"
		}
		return ""
	},
	func(set *timeline.Set, e *timeline.Event) string {
		if e.Why.Code == model.CodeUpdateRevision && set.Spec.Spec.Strategy.Type == model.OnDeleteStrategy {
			return "OnDelete deletes no pod for its revision"
		}
		return ""
	},
	func(set *timeline.Set, e *timeline.Event) string {
		if e.Why.Code == model.CodeScaleDown && inRange(set.Spec, e.Pod) {
			return "only what is out of range is scaled down"
		}
		return ""
	},
	func(set *timeline.Set, e *timeline.Event) string {
		if e.State == timeline.Pending && e.Actor == timeline.Controller && !inRange(set.Spec, e.Pod) {
			return "only what is in range is created"
		}
		return ""
	},
	func(set *timeline.Set, e *timeline.Event) string {
		if e.State != timeline.Pending || e.Actor != timeline.Controller || set.Spec.Spec.PodManagement != model.OrderedReady {
			return ""
		}
		for _, p := range below(set, e.Pod) {
			if p == nil || !p.Serving() {
				return "OrderedReady creates a pod only when all replicas below it are Ready"
			}
		}
		return ""
	},
	func(set *timeline.Set, e *timeline.Event) string {
		if e.Why.Code != model.CodeScaleDown || set.Spec.Spec.PodManagement != model.OrderedReady {
			return ""
		}
		for p := range set.Pods.All {
			if !inRange(set.Spec, p.Name) && p.Ordinal > set.Spec.OrdinalOf(e.Pod) {
				return "OrderedReady scales down from the top"
			}
		}
		return ""
	},
}

// below returns the replicas below a pod, nil for each that is missing.
func below(set *timeline.Set, pod string) []*timeline.Pod {
	var replicas []*timeline.Pod
	for ordinal := set.Spec.Start(); ordinal < set.Spec.OrdinalOf(pod); ordinal++ {
		var found *timeline.Pod
		for p := range set.Pods.All {
			if p.Name == set.Spec.PodName(ordinal) {
				found = p
			}
		}
		replicas = append(replicas, found)
	}
	return replicas
}

// promised says which promise an event breaks.
func promised(fold *timeline.Fold, e *timeline.Event) string {
	set := fold.Set(e.Set)
	if e.Kind != timeline.KindPod || set == nil {
		return ""
	}
	for _, promise := range promises {
		if broken := promise(set, e); broken != "" {
			return broken
		}
	}
	return ""
}
