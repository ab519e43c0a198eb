package sim

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// limits end a run before its time.
type limits struct {
	world *World
	cycle
	// last says that no step is to come; ended is why the run has ended early, where its verdict does not say it.
	last  bool
	ended string
	// patience is what a livelock is played on for.
	patience manager.Patience
	// instant is the time at which it last counted the syncs of one instant, and before their number until then.
	instant model.Time
	before  int
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
	case w.config.MaxEvents > 0 && w.kernel.Recorded() > w.config.MaxEvents:
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

// exhausted ends the run if it has used up what it was given.
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

const (
	// impatience is the number of syncs of one instant after which the run checks again whether it has to end.
	impatience = 64
	// syncsOfInstant is the number of syncs that any instant may have, and syncsOfObject the number that each replica in
	// spec.replicas, and each set, adds to it. The livelocks of the controller end much earlier, because of the writes
	// that they repeat.
	syncsOfInstant, syncsOfObject = 10_000, 100
)

// lasting asks in the middle of an instant, which may have very many syncs, whether the run is to end.
func (l *limits) lasting() {
	if w := l.world; w.manager.Syncs()%impatience == 0 && !w.Over() && !l.interrupted() && !l.endless() {
		l.exhausted()
	}
}

// endless ends a run with an instant that has no end because something brings a set back at once whose syncs write
// nothing: a fault that breaks the watches for no time at each write, say.
func (l *limits) endless() bool {
	w := l.world
	if now := w.Now(); now != l.instant {
		l.instant, l.before = now, w.manager.Syncs()
	}
	syncs := w.manager.Syncs() - l.before
	if syncs > syncsOfInstant && syncs > syncsOfInstant+syncsOfObject*(w.manager.Replicas()+len(w.store.Sets())) {
		l.end(fmt.Sprintf("%d syncs at %s, and no end of them: something that takes no time brings a set back at once; "+
			"give it a millisecond", syncs, w.Now().Clock()))
	}
	return w.Over()
}
