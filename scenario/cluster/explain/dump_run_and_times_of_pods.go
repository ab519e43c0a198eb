package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/output/render"
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

// pace says which times the simulation takes for the pods of a set, and where they come from, and which of them are
// only assumed although the set still needs them. No dump shows how long a pod takes to stop.
func (v *view) pace(of *judge.Set) (pace string, guessed []string) {
	times, grace := judge.TimesOf(v.lab, of.Key), of.Now.Spec.Spec.Template.Grace
	list := []struct{ does, from string }{
		{"start in " + spell(times.Start), judge.Source(times.Start, v.took.Start, judge.DefaultStart)},
		{"become Ready in " + spell(times.Ready), judge.Source(times.Ready, v.took.Ready, judge.DefaultReady)},
		{"stop in " + spell(times.Stop), judge.Source(times.Stop, nil, judge.DefaultStop)},
	}
	if list[2].from == judge.Assumed && grace > 0 {
		list[2].from += "; at most their grace period, " + judge.Whole(grace)
	}
	var groups, does []string
	for i, one := range list {
		if strings.HasPrefix(one.from, judge.Assumed) && v.comes(of, stages[i]) {
			guessed = append(guessed, one.does)
		}
		does = append(does, one.does)
		if i+1 == len(list) || list[i+1].from != one.from {
			groups, does = append(groups, fmt.Sprintf("%s (%s)", render.And(does), one.from)), nil
		}
	}
	return "pods " + strings.Join(groups, "; "), guessed
}

// stages are the states in which the stages of a pod's life end: it starts, becomes Ready, and stops.
var stages = [...]timeline.State{timeline.Running, timeline.Ready, timeline.Gone}

// comes says whether a pod of the set is to enter a state. One that is slow to stop is told by itself.
func (v *view) comes(of *judge.Set, state timeline.State) bool {
	return slices.ContainsFunc(of.Next.Pods, func(next string) bool {
		name, is := strings.CutSuffix(next, " "+state.String())
		p := v.Pod(model.Key{Namespace: of.Key.Namespace, Name: name})
		return is && (state != timeline.Gone || p == nil || !v.Slow(p))
	})
}

// spell renders a time, or the distribution that it is drawn from.
func spell(delay behaviour.Delay) string {
	if constant, is := delay.(behaviour.Constant); is {
		return judge.Whole(time.Duration(constant))
	}
	return delay.String()
}
