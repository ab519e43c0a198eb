package heal

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/shell"
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
	if own := set.BlockingFinalizers(); len(own) > 0 {
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
		Kubectl: shell.In(set.Namespace, "wait", "statefulset/"+set.Name, "--for=delete", shell.NoTimeout),
		Returns: func(*play.Moment) func(*play.Moment) bool {
			return func(now *play.Moment) bool { return now.Set(set) == nil }
		},
	}
}
