package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Begun is the explanation of a dump before fixes are tried: its sets have no ways out yet.
type Begun struct {
	Live
	view *view
}

// ExplainLive explains the sets of a dump: those that need somebody first, then those that lack the most. The
// laboratory is one whose worlds begin with it. It plays what happens by itself, once for all sets, and the ways out of
// each stuck set in a world of what is near it. Neither of the two is changed, and Sets is never nil.
func ExplainLive(d *dump.Dump, lab *play.Lab) *Live { return Begin(d, lab, "").All(nil) }

// Begin begins to explain the sets that have a name, or a pod of that name, or are stuck on it: NAME or NAMESPACE/NAME.
// NAMESPACE/ means all of a namespace, and "" all: it judges them, and tries no fixes. There may be none.
func Begin(d *dump.Dump, lab *play.Lab, pod string) *Begun {
	quiet := *lab
	quiet.World.Start = d.WithoutServices()
	judged, run := judge.Of(d, &quiet)
	v := &view{Index: run.Dump, lab: &quiet, run: run, took: d.TookAll()}
	drains := v.drains(judged)
	sets := make([]*LiveSet, 0, len(judged))
	for _, of := range judged {
		sets = append(sets, v.document(of, drains))
	}
	live := Live{
		At: d.At, Guessed: d.Guessed, Assumed: d.Assumed,
		Kubernetes: judge.Versions{Played: lab.Profile.Version(), Found: d.Kubelet},
		Notes:      slices.Concat(notes(d), foreign(d), resizes(d, sets), unlike(d)),
		setless:    len(d.State.Sets) == 0 && (d.Ignored || unready(d)),
	}
	if pod != "" {
		sets = ofPod(sets, pod)
	}
	slices.SortStableFunc(sets, func(a, b *LiveSet) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.share(), b.share()), a.Key().Compare(b.Key()))
	})
	live.Sets, live.Causes = sets, shared(sets)
	return &Begun{live, v}
}

// Each tries the fixes of one set after the other, and passes each set on with them. It ends when yield says so.
func (b *Begun) Each(yield func(*LiveSet) bool) {
	for _, set := range b.Sets {
		with := *set
		with.WaysOut = b.view.fixes(&set.of, set.held)
		if !yield(&with) {
			return
		}
	}
}

// All tries the fixes of all sets. If enough, which is asked after each, says so, the other sets stay without.
func (b *Begun) All(enough func() bool) *Live {
	live, done := b.Live, 0
	live.Sets = slices.Clone(b.Sets)
	b.Each(func(set *LiveSet) bool {
		live.Sets[done] = set
		done++
		return enough == nil || !enough()
	})
	return &live
}

// ofPod returns the sets that have a pod of a name, NAME or NAMESPACE/NAME, or are stuck on it.
func ofPod(sets []*LiveSet, pod string) []*LiveSet {
	return slices.DeleteFunc(sets, func(s *LiveSet) bool {
		name := strings.TrimPrefix(pod, s.Namespace+"/")
		return name != "" && name != s.Name &&
			!slices.ContainsFunc(s.Pods, func(p Pod) bool { return p.Name == name }) && s.StuckOn != name
	})
}

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
