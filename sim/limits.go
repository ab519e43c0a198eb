package sim

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// limits end a run before its time.
type limits struct {
	world *World
	cycle
	// last says that no step is to come; ended is why the run has ended early, where its verdict does not say it.
	last  bool
	ended string
}

// reached says whether the run ends before the clock comes to an instant, because of what it has cost so far or because
// nobody wants it any more.
func (l *limits) reached(t model.Time) bool {
	w := l.world
	limit, result := model.Time(w.config.Until), &w.kernel.Result
	switch {
	case l.interrupted():
	case limit > 0 && t > limit:
		result.Verdict = timeline.Limit
		w.kernel.Advance(limit)
	case w.config.MaxEvents > 0 && len(w.Events()) > w.config.MaxEvents:
		result.Verdict = timeline.Limit
		w.kernel.Warn("the run was ended at %d events: --max-events raises the limit", w.config.MaxEvents)
	default:
		l.exhausted()
	}
	return w.Over()
}

// interrupted asks whether the run is to end at once.
func (l *limits) interrupted() bool {
	w := l.world
	if w.config.Interrupted != nil && w.config.Interrupted() {
		w.kernel.Result.Verdict = timeline.Interrupted
	}
	return w.Over()
}

// exhausted ends the run where it has used up what it was given.
func (l *limits) exhausted() {
	if l.world.config.Exhausted == nil {
		return
	}
	if why := l.world.config.Exhausted(); why != "" {
		l.end(why)
	}
}

// end ends the run at a limit.
func (l *limits) end(why string) { l.world.kernel.Result.Verdict, l.ended = timeline.Limit, why }

// crowded ends a run whose sets want more pods together than it may have.
func (l *limits) crowded() {
	w := l.world
	if limit, want := w.config.MaxReplicas, w.manager.Replicas(); limit > 0 && !w.Over() && want > limit {
		l.end(fmt.Sprintf("the sets want %d replicas together, and %d is the most: --max-replicas raises the limit",
			want, limit))
	}
}

// impatience is how many syncs one instant has before the run is asked again whether it is to end.
const impatience = 64

// lasting asks in the middle of an instant, which may have very many syncs, whether the run is to end.
func (l *limits) lasting() {
	if l.world.manager.Syncs()%impatience == 0 && !l.world.Over() && !l.interrupted() {
		l.exhausted()
	}
}
