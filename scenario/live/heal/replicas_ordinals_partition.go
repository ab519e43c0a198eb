package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// scaleAndBack returns the attempts that remove the sick pods and all above them by scaling down, and scale up again.
// There are none if pod 0 is sick, because the set would be empty in between.
func scaleAndBack(x *situation) []attempt {
	set := x.set
	if len(x.down) == 0 {
		return nil
	}
	below := int32(set.OrdinalOf(x.down[0].Name) - set.Start())
	if below <= 0 || below >= set.Spec.Replicas {
		return nil
	}
	away := play.Script{play.Scale(set.Key(), below), play.WaitGone(x.down)}
	back := play.Scale(set.Key(), set.Spec.Replicas)
	var list []attempt
	if set.Spec.PodManagement == model.OrderedReady {
		list = []attempt{{what: fmt.Sprintf("scaling to %d and back", below), script: away.Then(back)}}
	}
	// Pods that repel each other go on to do so when their template no longer does.
	repels := strings.Contains(set.Spec.Template.Data, `"podAntiAffinity"`) ||
		strings.Contains(set.Spec.Template.Data, `"hostPort"`)
	if repels && set.Spec.Strategy.Type == model.RollingUpdateStrategy && x.unplaced == len(x.down) {
		repair, needs := repaired(x)
		list = append(list, attempt{
			what:   fmt.Sprintf("scaling to %d, fixing the template, and scaling back when all pods have it", below),
			script: away.Then(repair...).Then(play.RolloutStatus(set.Key()), back), needs: needs,
		})
	}
	return list
}

// doWithout returns the attempt that takes away the highest pods, which find no node, where the set has other pods that
// are down: Parallel updates from the top, and these wait for a pod that nobody may need now.
func doWithout(x *situation) []attempt {
	set := x.set
	var homeless []model.Key
	for i := int(set.Spec.Replicas) - 1; i > 0; i-- {
		key := x.named(i)
		if p := x.pod(key); p == nil || p.Node != "" || !slices.Contains(x.down, key) {
			break
		}
		homeless = append(homeless, key)
	}
	left := set.Spec.Replicas - int32(len(homeless))
	if len(homeless) == 0 || len(homeless) == len(x.down) || len(x.shown().Sets[set.Key()].Scalers) > 0 {
		return nil
	}
	slices.Reverse(homeless)
	return []attempt{{
		what: fmt.Sprintf("scaling to %d", left), part: true, script: play.Script{play.Scale(set.Key(), left)},
		needs: fmt.Sprintf("%d replicas are enough until a node has room for %s", left, names(homeless)),
		later: "Set the replicas in Git too, or the next apply brings " + names(homeless) + " back",
	}}
}

// deletePlaced returns the attempt that deletes only those pods that have a node, where others have none: what these wait
// for, no deletion brings, and the room that a deleted pod leaves may go to one of them.
func deletePlaced(x *situation) []attempt {
	placed := placedDown(x)
	if len(placed) == 0 || len(placed) == len(x.down) {
		return nil
	}
	return []attempt{{what: "deleting " + names(placed), part: true, script: deletePods(placed, false)}}
}

// placedDown returns the pods that are down and have a node.
func placedDown(x *situation) []model.Key {
	return slices.DeleteFunc(slices.Clone(x.down), func(key model.Key) bool {
		p := x.pod(key)
		return p == nil || p.Node == ""
	})
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
		if ordinal := set.OrdinalOf(p.Name); ordinal >= 0 && x.owns(&p) {
			start = min(start, ordinal)
		}
	}
	if start == set.Start() {
		return nil
	}
	patch := fmt.Sprintf(`{"spec":{"ordinals":{"start":%d}}}`, start)
	return []attempt{{what: fmt.Sprintf("moving ordinals.start back to %d", start),
		later: "Set ordinals.start in Git too, or the next apply brings it back",
		script: play.Script{play.Patch(set.Key(), patch, func(set *model.StatefulSet) {
			set.Spec.Ordinals = &model.Ordinals{Start: int32(start)}
		})}}}
}

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
	a := attempt{what: fmt.Sprintf("lowering the partition to %d", lowest), apart: true,
		script: play.Script{play.Partition(x.set, int32(lowest))},
		needs:  names(down) + " may get the new template, although the partition keeps it at the old one",
		later:  "Set the partition in Git too, or the next apply undoes it"}
	if x.set.Spec.Strategy.RollingUpdate == nil {
		a.what = fmt.Sprintf("adding a rollingUpdate block with the partition %d", lowest)
	}
	if len(down) == 0 {
		a.needs = "pods of the new template are admitted, and that " + x.named(lowest).Name + " may get it before its turn"
		a.lab = admitting(x, false)
	}
	if len(x.down) == 0 {
		return []attempt{a}
	}
	with := a.deleting(x.down)
	with.beyond, with.lab = a.what, a.lab
	return []attempt{a, with}
}
