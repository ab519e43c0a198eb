package heal

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// awaitsCrashing says of commands that leave crash loops alone which pods have to be Ready between two crashes before
// the controller goes on; "" if there are none. Nobody knows whether they will be, nor whether several are at once.
func awaitsCrashing(key model.Key, pasted *play.Pasted) string {
	begin := play.StepAt(pasted.Events, pasted.First)
	if begin < 0 {
		return ""
	}
	set := End(pasted.Events[:begin]).Set(key)
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
