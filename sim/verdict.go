package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// finish judges how the run ended and closes the timeline. A run without a verdict has come to rest: it is stuck if a
// set waits for something that its spec does not ask for, or a drain for a budget, and settled otherwise.
func (w *World) finish() {
	w.kubelet.WarnOfTwins()
	w.scheduler.Warn()
	result := w.kernel.Result
	result.Events, result.Syncs = w.kernel.Recorded(), w.manager.Syncs()
	switch {
	case result.Verdict == timeline.Limit && len(result.Repeats) > 0:
		// The livelock was played on, and continues.
		result.Verdict = timeline.Livelock
	case result.Verdict != timeline.Livelock:
		result.Repeats = nil
	}
	if result.Verdict == "" {
		result.Verdict = timeline.Settled
		if result.Stuck = append(w.stuck(), w.disruption.Stuck()...); len(result.Stuck) > 0 {
			result.Verdict = timeline.IsStuck
		}
		if w.config.Remarks != nil {
			result.Warnings = append(slices.Clip(result.Warnings), w.config.Remarks(w.Events())...)
		}
	}
	w.kernel.Record(timeline.Entry{Kind: timeline.KindResult, Message: w.limits.because(), Result: &result})
}

// because returns why the run ended early: the words of a limit, or a refusal; "" for any other end.
func (l *limits) because() string {
	if l.ended != "" {
		return l.ended
	}
	if l.world.kernel.Result.Verdict != timeline.WasRefused {
		return ""
	}
	for _, e := range slices.Backward(l.world.Events()) {
		if e.Kind == timeline.KindStep {
			return e.Step.Refusal
		}
	}
	return ""
}

// stuck lists what sets still wait for although nothing can happen any more, set by set in the order of keys. Only
// sets that the controller has synced can be stuck.
func (w *World) stuck() []timeline.Stuck {
	var list []timeline.Stuck
	for _, key := range w.manager.Known() {
		list = append(list, w.manager.Stuck(key)...)
		list = append(list, w.gc.Stuck(key)...)
		if !slices.ContainsFunc(list, func(s timeline.Stuck) bool { return s.Set == key }) {
			list = append(list, w.unnoticed(key)...)
		}
	}
	return list
}

// unnoticed returns the lowest pod that a set lacks, or that does not serve, if the set waits for nothing. Then the
// controller has missed a change of the pod, and no event will wake it. It is the last resort: a set with any other
// wait is not asked.
func (w *World) unnoticed(key model.Key) []timeline.Stuck {
	set := w.store.Set(key)
	if set == nil || set.Terminating() {
		return nil
	}
	view := w.manager.View(key)
	if view != nil && (view.Set().UID != set.UID || view.Set().Generation != set.Generation) {
		view = nil
	}
	for i := range int(set.Spec.Replicas) {
		name := podName(set, view, i)
		if pod := w.store.Pod(model.Key{Namespace: key.Namespace, Name: name}); pod == nil || !pod.Serving() {
			return []timeline.Stuck{{Set: key, Why: model.Why{Code: model.Unnoticed, Object: name}, Since: w.Now()}}
		}
	}
	return nil
}

// podName returns the name of the pod at a position of a set. It takes the name from a view of the same set if it
// can, and only builds it otherwise; view may be nil.
func podName(set *model.StatefulSet, view model.View, i int) string {
	if view != nil && view.Traits(model.Replicas, i)&model.HasIdentity != 0 {
		return view.Pod(model.Replicas, i).Name
	}
	return set.PodName(set.Start() + i)
}
