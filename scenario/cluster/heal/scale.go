package heal

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
)

// scaleAndBack returns the attempts that remove the sick pods and all above them by scaling down, and scale up again.
// There are none if pod 0 is sick, because the set would be empty in between.
func scaleAndBack(x *situation) []attempt {
	set := x.set
	if len(x.down) == 0 {
		return nil
	}
	_, lowest := model.SplitPodName(x.down[0].Name)
	below := int32(lowest - set.Start())
	if below <= 0 || below >= set.Spec.Replicas {
		return nil
	}
	away := play.Script{play.Scale(set.Key(), below), play.WaitGone(x.down)}
	back := play.Scale(set.Key(), set.Spec.Replicas)
	var list []attempt
	if set.Spec.PodManagement == model.OrderedReady {
		list = append(list, attempt{what: fmt.Sprintf("scaling to %d and back", below), script: away.Then(back)})
	}
	rolls := set.Spec.Strategy.Type == model.RollingUpdateStrategy
	if rolls && x.unplaced == len(x.down) && repels(set.Spec.Template) {
		repair, needs := repaired(x)
		list = append(list, attempt{
			what:   fmt.Sprintf("scaling to %d, fixing the template, and scaling back when all pods have it", below),
			script: away.Then(repair...).Then(play.RolloutStatus(set.Key()), back), needs: needs,
		})
	}
	return list
}

// repels says whether pods of a template keep others of it from their nodes. Those that run go on to do so when the
// template no longer does.
func repels(template *model.Template) bool {
	return strings.Contains(template.Data, `"podAntiAffinity"`) || strings.Contains(template.Data, `"hostPort"`)
}

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
