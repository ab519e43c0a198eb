package heal

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
)

// beyond returns the attempt that lets a rollout go beyond its partition: a pod below it comes back at the old revision
// for ever, which may be what does not work any more.
func (s *Stuck) beyond(set *model.StatefulSet, sick *sick, remove play.Script) []attempt {
	if len(remove) == 0 || len(sick.going) > 0 || set.Spec.Strategy.Type != model.RollingUpdateStrategy ||
		set.Status.CurrentRevision == set.Status.UpdateRevision {
		return nil
	}
	lowest := set.OrdinalOf(sick.down[0].Name) - set.Start()
	if lowest < 0 || lowest >= set.Partition() {
		return nil
	}
	return []attempt{{
		what:   fmt.Sprintf("lowering the partition to %d and deleting %s", lowest, names(sick.down)),
		script: play.Script{play.Partition(set, int32(lowest))}.Then(remove...),
		needs:  names(sick.down) + " may get the new template, although the partition keeps it at the old one",
		later:  "Set the partition in Git too, or the next apply undoes it",
	}}
}

// backTo returns the attempt that takes back a change of ordinals.start while pods below it still run: the pods that it
// asks for do not come up, and those that it takes away serve.
func (s *Stuck) backTo(set *model.StatefulSet, sick *sick) []attempt {
	if set.Spec.Ordinals == nil || len(sick.down) == 0 {
		return nil
	}
	start := set.Start()
	for _, p := range s.State.Pods {
		if parent, ordinal := model.SplitPodName(p.Name); parent == set.Name && p.Namespace == set.Namespace &&
			ordinal >= 0 && isOf(set, &p) {
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

// isOf says whether a pod belongs to a set.
func isOf(set *model.StatefulSet, p *sim.PodState) bool {
	owner := p.Controller()
	return owner != nil && owner.UID == set.UID
}
