package heal

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
)

// endDeletion returns the attempts that finish the deletion of a set, and create it again if it is to be.
func endDeletion(x *situation) []attempt {
	set, all := x.set, slices.Concat(x.going, x.held, x.down)
	list := append([]attempt{
		{what: "deleting " + names(x.going) + " once more", script: deletePods(x.going, false)},
		{what: "deleting " + names(all) + " by force", script: deletePods(all, true),
			danger: reasons.ForceDanger(play.NamesOf(all)...)},
		{what: "deleting the StatefulSet in the background", script: play.Script{play.DeleteSet(set.Key(), sim.Background)},
			needs: "its pods may keep terminating without it"},
	}, releaseHeld(x)...)
	if own := FinalizersOf(set); len(own) > 0 {
		list = []attempt{{what: "removing the finalizers of " + set.Name, script: play.Script{play.FreeSet(set)},
			danger: reasons.FinalizerDanger(set.Name, own)}}
	}
	for i := range list {
		if a := &list[i]; len(a.script) > 0 && len(x.given.Again) > 0 {
			a.what, a.script = a.what+", and applying again", a.script.Then(x.given.Again...)
		}
	}
	return list
}

// WaitGone waits until a set is gone: what is applied before goes with it.
func WaitGone(set model.Key) play.Deed {
	return play.Deed{
		Verb:    "wait",
		Kubectl: command.In(set.Namespace, "wait", "statefulset/"+set.Name, "--for=delete", command.NoTimeout),
		Returns: func(*play.Moment) func(*play.Moment) bool {
			return func(now *play.Moment) bool { return now.Set(set) == nil }
		},
	}
}

// forceOut returns the attempts that are safe only if something is true that no API object shows, such as that a
// machine is off. Of two that need the same number of commands, the one that confirms that the nodes are off comes
// before the one that deletes pods by force: with it the cluster itself ends the pods, and detaches their volumes.
func forceOut(x *situation) []attempt {
	list := slices.Concat(releaseHeld(x), detach(x), confirmOff(x))
	if len(x.going) == 0 {
		return list
	}
	off := attempt{}
	if len(x.nodes) > 0 {
		off = switchedOff(x.nodes)
	}
	force := attempt{what: names(x.going) + " by force", script: deletePods(x.going, true),
		danger: reasons.ForceDanger(play.NamesOf(x.going)...)}
	down, remove := names(x.down), deletePods(x.down, false)
	list = append(list, force.behind("deleting ", nil))
	if len(x.down) > 0 {
		list = append(list, off.behind("deleting "+down+", and ", remove), attempt{
			what:   "deleting " + force.what + ", and " + down,
			script: force.script.Then(remove...), danger: force.danger,
		})
	}
	if x.revisions() < 2 {
		return list
	}
	undo := play.Script{play.Undo(x.given.Key)}
	list = append(list, force.behind("undoing the rollout and deleting ", undo))
	if len(x.down) > 0 {
		undo = undo.Then(remove...)
		list = append(list, off.behind("undoing the rollout, deleting "+down+", and ", undo),
			force.behind("undoing the rollout, deleting "+down+", and ", undo))
	}
	return list
}
