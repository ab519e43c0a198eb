package versus

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// common returns the number of initial events that two runs share, in whole moments only. In doubt it returns less:
// if only the order of events differs within a moment, for example, the runs need not differ.
func common(a, b []timeline.Event) int {
	begin := 0
	for i := range min(len(a), len(b)) {
		if !sameEvent(&a[i], &b[i]) {
			return begin
		}
		if i > 0 && (a[i].T != a[i-1].T || a[i].Kind == timeline.KindStep) {
			begin = i
		}
	}
	return begin
}

// sameEvent reports whether two events are the same in all that is compared, and that words of it are made of.
func sameEvent(a, b *timeline.Event) bool {
	if a.T != b.T || a.Kind != b.Kind {
		return false
	}
	switch a.Kind {
	case timeline.KindPod:
		return a.State == b.State && a.Pod == b.Pod && *a.Origin == *b.Origin
	case timeline.KindStep:
		return a.Step.Number == b.Step.Number && a.Step.Effect == b.Step.Effect && a.Step.Refusal == b.Step.Refusal
	case timeline.KindRevision:
		return a.Set == b.Set && a.Rev.Name == b.Rev.Name
	case timeline.KindStatus:
		return a.Set == b.Set && sameNumbers(a, b)
	case timeline.KindResult:
		return a.Result.Verdict == b.Result.Verdict
	}
	return true
}

// sameNumbers reports whether two events of a status agree on everything that is compared.
func sameNumbers(a, b *timeline.Event) bool {
	x, y := a.Status, b.Status
	if x == nil || y == nil {
		return x == y
	}
	return x.Replicas == y.Replicas && x.Ready == y.Ready && x.Available == y.Available && x.Current == y.Current &&
		x.Updated == y.Updated && x.CurrentRevision == y.CurrentRevision && x.UpdateRevision == y.UpdateRevision
}

// SameOrder reports whether the same pods are created and deleted in the same order, whenever that is. Those of one
// moment are a batch: one by one is another order than all at once.
func SameOrder(a, b []timeline.Event) bool {
	return slices.EqualFunc(batches(a), batches(b), slices.Equal[[]string])
}

// batches lists which pods are created and deleted together.
func batches(events []timeline.Event) [][]string {
	var all [][]string
	for _, m := range Moments(events) {
		var batch []string
		for _, e := range m.Changes {
			if e.State == timeline.Pending || e.State == timeline.Terminating {
				batch = append(batch, e.Set.String()+" "+Entry(e))
			}
		}
		if len(batch) > 0 {
			all = append(all, batch)
		}
	}
	return all
}
