package heal

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// awaits says of commands that leave crash loops alone which pods have to be Ready between two crashes before the
// controller goes on; "" if there are none. Nobody knows whether they will be, nor whether several are at once.
func (s *Stuck) awaits(pasted *play.Pasted) string {
	begin := play.StepAt(pasted.Events, pasted.First)
	if begin < 0 {
		return ""
	}
	set := End(pasted.Events[:begin]).Set(s.Key)
	if set == nil {
		return ""
	}
	var names []string
	for pod := range set.Pods.All {
		if pod.Restarts > 0 && slices.ContainsFunc(pasted.Events[begin:], func(e timeline.Event) bool {
			return e.Kind == timeline.KindPod && e.UID == pod.UID && e.State == timeline.Ready
		}) {
			names = append(names, pod.Name)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " is Ready for a moment when its container starts again"
	}
	return render.List(names, mostAwaited) + " are all Ready at one moment between their crashes"
}

// mostAwaited is the number of pods that are named in a condition.
const mostAwaited = 3

// needsToo returns what an attempt needs, and what it needs too; "" is nothing.
func (a *attempt) needsToo(too string) string {
	if a.needs == "" || too == "" {
		return cmp.Or(a.needs, too)
	}
	return too + ", and that " + a.needs
}
