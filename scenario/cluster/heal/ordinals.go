package heal

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
)

// moveOrdinalsBack returns the attempt that takes back a change of ordinals.start while pods below it still run: the
// pods that it asks for do not come up, and those that it takes away serve.
func moveOrdinalsBack(x *situation) []attempt {
	set := x.set
	if set.Spec.Ordinals == nil || len(x.down) == 0 {
		return nil
	}
	start := set.Start()
	for _, p := range x.given.State.Pods {
		if parent, ordinal := model.SplitPodName(p.Name); parent == set.Name && p.Namespace == set.Namespace &&
			ordinal >= 0 && x.owns(&p) {
			start = min(start, ordinal)
		}
	}
	if start == set.Start() {
		return nil
	}
	patch := fmt.Sprintf(`{"spec":{"ordinals":{"start":%d}}}`, start)
	return []attempt{{
		what: fmt.Sprintf("moving ordinals.start back to %d", start),
		script: play.Script{play.Patch(set.Key(), patch, func(set *model.StatefulSet) {
			set.Spec.Ordinals = &model.Ordinals{Start: int32(start)}
		})},
		later: "Set ordinals.start in Git too, or the next apply brings it back",
	}}
}
