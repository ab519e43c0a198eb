package explain

import (
	"cmp"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// view is what the sets of a dump are explained with: the dump, the laboratory whose worlds begin with it, and the run
// in which nobody does anything. It does not change.
type view struct {
	*dump.Index
	lab *play.Lab
	run *judge.Run
	// took are the times that the Ready pods of the dump took.
	took dump.Took
}

// wait returns something that a set is stuck for, with what ends it in a world at the end of a run.
func (v *view) wait(set model.Key, stuck *timeline.Stuck, end *timeline.Fold) *Wait {
	w := newWait(stuck.Why, stuck.Since)
	w.Error = stuck.Error
	world := reasons.At(end, set, stuck.Why.Object, true)
	v.seen(set, w, &world)
	w.Release, w.down = reasons.Release(stuck.Why, world), down(&world)
	return w
}

// seen adds to a wait what the dump shows of the pod that it is for: since when, and its finalizers.
func (v *view) seen(set model.Key, w *Wait, world *reasons.World) {
	key := model.Key{Namespace: set.Namespace, Name: w.Object}
	facts := v.Facts[key]
	if facts == nil || w.Since > 0 {
		return
	}
	if p := v.Pod(key); w.Code == model.WaitingForTermination && p != nil && !p.Terminating() {
		// The controller deletes it only after the dump.
		return
	}
	w.Since = Instant(facts.Since)
	world.Shown = cmp.Or(world.Shown, facts.Waiting)
	if p := v.Pod(key); facts.Crashed || p.Finished() {
		// Its container runs, and may become ready, or the controller replaces the pod.
		world.Shown = ""
	}
	world.Finalizers = finalizers(v.State, key)
}
