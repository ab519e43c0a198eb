package sim

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// limited says whether the run ends before the clock comes to an instant, because of what it has cost so far or because
// nobody wants it any more.
func (w *World) limited(t model.Time) bool {
	limit, result := model.Time(w.config.Until), &w.kernel.Result
	switch {
	case w.interrupted():
	case limit > 0 && t > limit:
		result.Verdict = timeline.Limit
		w.kernel.Advance(limit)
	case w.config.MaxEvents > 0 && len(w.Events()) > w.config.MaxEvents:
		result.Verdict = timeline.Limit
		w.kernel.Warn("the run was ended at %d events: --max-events raises the limit", w.config.MaxEvents)
	default:
		w.exhausted()
	}
	return w.Over()
}

// interrupted asks whether the run is to end at once.
func (w *World) interrupted() bool {
	if w.config.Interrupted != nil && w.config.Interrupted() {
		w.kernel.Result.Verdict = timeline.Interrupted
	}
	return w.Over()
}

// exhausted ends the run where it has used up what it was given.
func (w *World) exhausted() {
	if w.config.Exhausted == nil {
		return
	}
	if why := w.config.Exhausted(); why != "" {
		w.limit(why)
	}
}

// limit ends the run at a limit.
func (w *World) limit(why string) { w.kernel.Result.Verdict, w.ended = timeline.Limit, why }

// crowded ends a run whose sets want more pods together than it may have.
func (w *World) crowded() {
	if limit, want := w.config.MaxReplicas, w.manager.Replicas(); limit > 0 && !w.Over() && want > limit {
		w.limit(fmt.Sprintf("the sets want %d replicas together, and %d is the most: --max-replicas raises the limit",
			want, limit))
	}
}

// impatience is how many syncs one instant has before the run is asked again whether it is to end.
const impatience = 64

// lasting asks in the middle of an instant, which may have very many syncs, whether the run is to end.
func (w *World) lasting() {
	if w.manager.Syncs()%impatience == 0 && !w.Over() && !w.interrupted() {
		w.exhausted()
	}
}
