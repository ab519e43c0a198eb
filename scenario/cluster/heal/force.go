package heal

import (
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
)

// forceOut returns the attempts that are safe only if something is true that no API object shows, such as that a
// machine is off. Of two that need the same number of commands, the one that confirms that the nodes are off comes
// before the one that deletes pods by force: with it the cluster itself ends the pods, and detaches their volumes.
func forceOut(x *situation) []attempt {
	var list []attempt
	if len(x.held) > 0 {
		list = append(list, attempt{what: "removing the finalizers of " + names(x.held), script: freePods(x.held),
			danger: reasons.FinalizerDanger(names(x.held), x.finalizers)})
	}
	list = append(list, detach(x)...)
	list = append(list, confirmOff(x)...)
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
