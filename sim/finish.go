package sim

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// finish judges how the run ended and closes the timeline.
func (w *World) finish() {
	w.warnOfTwins()
	result := &timeline.Result{
		Verdict: w.verdict, Repeats: w.repeats, Warnings: w.warnings,
		Events: len(w.events), Syncs: w.syncs,
	}
	if result.Verdict == "" {
		result.Verdict = timeline.Settled
		if result.Stuck = append(w.stuck(), w.blockedDrains()...); len(result.Stuck) > 0 {
			result.Verdict = timeline.IsStuck
		}
	}
	w.record(timeline.Event{Kind: timeline.KindResult, Message: w.refusal, Result: result})
}

// stuck lists what sets still wait for although nothing can happen any more, the oldest wait of each set first.
func (w *World) stuck() []timeline.Stuck {
	var list []timeline.Stuck
	for _, key := range slices.SortedFunc(maps.Keys(w.sets), model.Key.Compare) {
		for _, wait := range w.sets[key].open {
			if !wait.why.Code.Resting() {
				list = append(list, timeline.Stuck{Set: key, Why: wait.why, Since: wait.since, Error: w.sets[key].failed})
			}
		}
		list = append(list, w.keptFromGoing(key)...)
		if !slices.ContainsFunc(list, func(s timeline.Stuck) bool { return s.Set == key }) {
			list = append(list, w.unnoticed(key)...)
		}
	}
	return list
}

// unnoticed returns the lowest pod that a set lacks, or that does not serve, where the set waits for nothing: then the
// controller has missed what became of the pod, and nothing tells it.
func (w *World) unnoticed(key model.Key) []timeline.Stuck {
	set := w.store.Set(key)
	if set == nil || set.Terminating() {
		return nil
	}
	for i := range int(set.Spec.Replicas) {
		name := set.PodName(set.Start() + i)
		if pod := w.store.Pod(model.Key{Namespace: key.Namespace, Name: name}); pod == nil || !pod.Serving() {
			return []timeline.Stuck{{Set: key, Why: model.Why{Code: model.Unnoticed, Object: name}, Since: w.Now()}}
		}
	}
	return nil
}

// keptFromGoing lists the pods that never go and for which the foreground deletion of their set waits. The controller
// does not: it does nothing for a set that is being deleted, and whoever deletes it waits all the same.
func (w *World) keptFromGoing(key model.Key) []timeline.Stuck {
	set := w.store.Set(key)
	if set == nil || !set.Terminating() || !store.InForeground(&set.Meta) {
		return nil
	}
	var list []timeline.Stuck
	for _, o := range w.dependents(set.UID) {
		if meta := w.meta(o); o.kind == model.KindPod && meta.Terminating() && blocks(set.UID, meta) {
			why := model.Why{Code: model.WaitingForTermination, Object: o.key.Name, Rule: model.RuleForegroundDeletion}
			if store.InForeground(meta) && meta.Deletion.Grace == 0 {
				why.Rule = model.RuleClaimOfPod
			}
			list = append(list, timeline.Stuck{Set: key, Why: why, Since: meta.Deletion.At})
		}
	}
	return list
}

// noteWaits brings the timeline's waits up to date at a fixed point: it records those that have ended and those that
// have begun. A wait that only lasted from one sync to the next within an instant is not worth telling.
func (w *World) noteWaits() {
	slices.SortFunc(w.touched, model.Key.Compare)
	for _, key := range slices.Compact(w.touched) {
		if state := w.sets[key]; state != nil {
			w.noteWaitsOf(key, state)
		}
	}
	w.touched = w.touched[:0]
}

func (w *World) noteWaitsOf(key model.Key, state *setState) {
	kept := state.open[:0]
	for _, open := range state.open {
		if at := slices.IndexFunc(state.waits, func(why model.Why) bool { return sameWait(why, open.why) }); at >= 0 {
			open.why = state.waits[at]
			kept = append(kept, open)
			continue
		}
		w.recordWait(key, open, true)
	}
	state.open = kept
	for _, why := range state.waits {
		if !slices.ContainsFunc(state.open, func(open openWait) bool { return sameWait(why, open.why) }) {
			open := openWait{why: why, since: w.Now()}
			state.open = append(state.open, open)
			w.recordWait(key, open, false)
		}
	}
}

// sameWait says whether two waits are one; the numbers in it may have changed meanwhile.
func sameWait(a, b model.Why) bool {
	return a.Code == b.Code && a.Object == b.Object && a.Rule == b.Rule
}

func (w *World) recordWait(key model.Key, open openWait, ended bool) {
	w.record(timeline.Event{
		Kind: timeline.KindWait, Actor: timeline.Controller, Set: key, Pod: podOf(open.why.Object), Why: open.why,
		Wait: &timeline.Wait{Ended: ended, Since: open.since},
	})
}

// podOf returns the object if it is named like a pod of a set.
func podOf(object string) string {
	if _, ordinal := model.SplitPodName(object); ordinal < 0 {
		return ""
	}
	return object
}
