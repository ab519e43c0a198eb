package sim

import (
	"cmp"
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// limits end a run before its time, by setting its verdict. They write nothing into the world. Once the verdict is set
// nothing happens any more.
type limits struct {
	world *World
	cycle
	// last is true if no more steps will come. ended says why the run has ended early, if its verdict does not say
	// it.
	last  bool
	ended string
	// patience says for what a livelock is played on, given the remaining steps; see manager.Patience.
	patience manager.Patience
	// instant is the instant whose syncs are being counted, and before the number of all syncs before it.
	instant model.Time
	before  int
	// spent is what the readiness conditions have cost so far, and unasked what they have cost since the run was
	// last checked for an end.
	spent, unasked int64
}

// patienceOfConditions is what readiness conditions may cost until the run checks again whether it has to end.
const patienceOfConditions = 10_000

// pay pays for a readiness condition, and ends the run if that is too much, or if the run must end anyway: the many
// evaluations of one instant may take long. It returns why the evaluation must end, or "".
func (l *limits) pay(cost int64) string {
	limit := l.world.config.MaxCost
	l.spent += cost
	l.unasked += cost + 1
	switch {
	case l.world.Over():
	case limit > 0 && l.spent > limit:
		l.end(fmt.Sprintf("the readiness conditions of the run cost more than %d together: --max-cost raises the limit",
			limit))
	case l.unasked > patienceOfConditions:
		l.unasked = 0
		if !l.interrupted() {
			l.exhausted()
		}
	}
	if !l.world.Over() {
		return ""
	}
	return cmp.Or(l.ended, "the run has ended")
}

// Spent returns what the readiness conditions have cost so far.
func (w *World) Spent() int64 { return w.limits.spent }

// reached reports whether the run ends before the clock reaches an instant, because of its cost so far or because
// it was interrupted. If Until is before that instant, it moves the clock to Until, so that the result has that
// time.
func (l *limits) reached(t model.Time) bool {
	w := l.world
	limit, result := model.Time(w.config.Until), &w.kernel.Result
	switch {
	case l.interrupted():
	case limit > 0 && t > limit:
		result.Verdict = timeline.Limit
		w.kernel.Advance(limit)
	case w.config.MaxEvents > 0 && w.kernel.Recorded() > w.config.MaxEvents:
		l.end(fmt.Sprintf("the run was ended at %d events: --max-events raises the limit", w.config.MaxEvents))
	default:
		l.exhausted()
	}
	return w.Over()
}

// interrupted checks whether the run must end at once, and reports whether it is over.
func (l *limits) interrupted() bool {
	w := l.world
	if w.config.Interrupted != nil && w.config.Interrupted() {
		w.kernel.Result.Verdict = timeline.Interrupted
	}
	return w.Over()
}

// exhausted ends the run if the caller reports that its resources are used up.
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

// crowded ends a run whose sets together want more pods than it may have, before the controller creates them.
func (l *limits) crowded() {
	w := l.world
	if limit, want := w.config.MaxReplicas, w.manager.Replicas(); limit > 0 && !w.Over() && want > limit {
		l.end(fmt.Sprintf("the sets want %d replicas together, and %d is the most: --max-replicas raises the limit",
			want, limit))
	}
}

const (
	// impatience is the number of syncs in one instant after which the run checks again whether it must end.
	impatience = 64
	// syncsOfInstant is the number of syncs that any instant may have, and syncsOfObject the number that each replica in
	// spec.replicas, and each set, adds to it. The livelocks of the controller end much earlier, because of the writes
	// that they repeat.
	syncsOfInstant, syncsOfObject = 10_000, 100
)

// lasting checks in the middle of an instant, which may have very many syncs, whether the run must end. It does so
// only every impatience syncs, because the check costs time.
func (l *limits) lasting() {
	if w := l.world; w.manager.Syncs()%impatience == 0 && !w.Over() && !l.interrupted() && !l.endless() {
		l.exhausted()
	}
}

// endless ends a run with an instant that has no end because something brings a set back at once whose syncs write
// nothing: a fault that breaks the watches for no time at each write, say. The manager's livelock counts only syncs
// that write.
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
