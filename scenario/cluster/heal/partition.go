package heal

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
)

// lowerPartition returns the attempt that lets a rollout reach the lowest pod that is down or refused, and that comes
// back from the old revision for ever: that may be what does not work any more. A set without a rollingUpdate block
// gets one, since its pods come from the old revision as long as status.currentReplicas counts them.
func lowerPartition(x *situation) []attempt {
	lowest, down := -1, []model.Key(nil)
	for i := range int(x.set.Spec.Replicas) {
		sick := slices.Contains(x.down, x.named(i))
		if !fromCurrent(x.set, i) || !sick && (x.refusal == "" || x.pod(x.named(i)) != nil) {
			continue
		}
		if lowest < 0 {
			lowest = i
		}
		if sick {
			down = append(down, x.named(i))
		}
	}
	if lowest < 0 || len(x.going) > 0 {
		return nil
	}
	a := attempt{
		what:   fmt.Sprintf("lowering the partition to %d", lowest),
		script: play.Script{play.Partition(x.set, int32(lowest))},
		later:  "Set the partition in Git too, or the next apply undoes it", apart: true,
	}
	if x.set.Spec.Strategy.RollingUpdate == nil {
		a.what = fmt.Sprintf("adding a rollingUpdate block with the partition %d", lowest)
	}
	a.needs = names(down) + " may get the new template, although the partition keeps it at the old one"
	if len(down) == 0 {
		a.needs = "pods of the new template are admitted, and that " + x.named(lowest).Name + " may get it before its turn"
		a.lab = admittingOther(x)
	}
	if len(x.down) == 0 {
		return []attempt{a}
	}
	with := a
	with.what, with.script = a.what+" and deleting "+names(x.down), a.script.Then(deletePods(x.down, false)...)
	with.beyond = a.what
	return []attempt{a, with}
}
