package sim

import (
	"math"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Run plays the steps and lets the world settle. It returns the timeline, from the header to the result, or what
// Config.NoHistory leaves of it. For a world that continues from a state, pass the steps that are left: After then
// counts from the last step of the timeline. It is called once, on a new world.
func (w *World) Run(steps []Step) []timeline.Event {
	w.open()
	last, first := lastStep(w.Events())
	patience := patienceFor(steps)
	w.limits.patience = patience[0]
	for i := range steps {
		when := steps[i].When
		switch {
		case i > 0:
		case when.Trigger == After:
			when = When{Trigger: At, D: time.Duration(last.Add(when.D))}
		case when.Trigger == OnceSettled && first:
			// An empty cluster has nothing to settle, and a fault at a later instant must not hold its first step back.
			when = When{Trigger: At}
		}
		if why := comeTo(w, &steps[i], when); w.Over() || why != "" {
			w.limits.warnOfLeft(steps[i:], why)
			break
		}
		w.limits.patience = patience[i+1]
		w.kernel.StepToCome = i+1 < len(steps)
		w.Act(&steps[i])
	}
	w.limits.last = true
	w.Settle()
	if w.config.Settled != nil && !w.Over() {
		w.limits.notLast()
		w.config.Settled(w)
	}
	return w.End()
}

// patienceFor returns for what a livelock is played on before each step, and after the last: for a later step that
// may end it and acts at its own time. A step that waits until the world has settled would wait forever, so the
// steps after such a step do not count.
func patienceFor(steps []Step) []manager.Patience {
	all := make([]manager.Patience, len(steps)+1)
	all[len(steps)] = manager.AChangeMayCome
	for i := len(steps) - 1; i >= 0; i-- {
		switch {
		case steps[i].When.Trigger == OnceSettled, steps[i].Until != nil:
			all[i] = manager.AChangeMayCome
		case steps[i].Remedy:
			all[i] = manager.AStepComes
		default:
			all[i] = all[i+1]
		}
	}
	return all
}

// warnOfLeft warns about the steps that are not played, and says why: the run does not reach them, or a command
// before them fails. steps is not empty.
func (l *limits) warnOfLeft(steps []Step, why string) {
	w, verdict := l.world, l.world.kernel.Result.Verdict
	switch {
	case why != "":
	case verdict == timeline.Livelock:
		why = "the run ended before; a livelock is played on to a step that changes the StatefulSet or its controller, " +
			"at a time (at, after)"
	case verdict == timeline.Limit:
		why = "the run ended before"
	default:
		return
	}
	first, last := steps[0].Number, steps[len(steps)-1].Number
	if first == last {
		w.kernel.Warn("step %d was not played: %s", first, why)
	} else {
		w.kernel.Warn("steps %d to %d were not played: %s", first, last, why)
	}
}

// lastStep returns the instant when a user's last step acted. first is true if no step has acted, and the world
// started without a set: a fault may have created one since.
func lastStep(events []timeline.Event) (at model.Time, first bool) {
	for i := len(events) - 1; i >= 0; i-- {
		switch e := &events[i]; {
		case e.Kind != timeline.KindStep:
		case e.Actor == timeline.User:
			return e.T, false
		case len(e.Step.Sets) > 0:
			return 0, false
		}
	}
	return 0, true
}

// comeTo brings the world to the moment when a step acts. It returns why the step does not act, "" if it does: a
// command fails or never returns.
func comeTo(w *World, step *Step, when When) (failed string) {
	if step.Until != nil {
		return await(w, step.Until)
	}
	w.reach(when)
	return ""
}

// await lets the world run until a command returns, asking it at each fixed point. It returns how the command fails,
// "" for success. A command without a timeout fails when nothing is left that could make it return.
func await(w *World, command *Wait) (failed string) {
	deadline := model.Time(math.MaxInt64)
	if command.Timeout > 0 {
		deadline = w.Now().Add(command.Timeout)
	}
	w.tick()
	returns, failed := command.Begin(&User{w})
	for done := false; failed == "" && !done && !w.Over(); {
		if done, failed = returns(&User{w}); done {
			break
		}
		switch next, open := w.Next(); {
		case open && next <= deadline:
			w.moveTo(next)
			w.tick()
		case command.Timeout > 0:
			failed = command.Late
		default:
			failed = "it would never return"
		}
	}
	if failed != "" {
		failed = command.Command + ": " + failed
	}
	return failed
}

// reach brings the world to the instant when a step acts, and the controller to its fixed point there.
func (w *World) reach(when When) {
	target := model.Time(when.D)
	switch when.Trigger {
	case OnceSettled:
		w.Settle()
		return
	case After:
		target = w.Now().Add(when.D)
	}
	// An instant that has passed, because the world took longer than its author thought to settle before an earlier step,
	// is now. That it is late is for the timeline's readers to say.
	w.Advance(max(target, w.Now()))
}

// tick plays one instant up to its fixed point: everything that is due happens, then one set is synced, and again,
// until nothing is due and no set waits. Events of the actor AfterSyncs happen only when no sync can start: the
// collection of the claims of a deleted pod, for example. At the fixed point, the rooms that only report record
// what has changed.
func (w *World) tick() {
	for !w.Over() {
		w.happen()
		if !w.manager.SyncNext(false) && !w.kernel.NextLate() {
			break
		}
		w.limits.lasting()
	}
	w.disruption.Note()
	w.manager.NoteWaits()
	w.dns.Answer()
	w.limits.watchCycle()
	if w.config.Watch != nil && !w.Over() {
		w.config.Watch(w)
	}
}

// happen carries out everything that is due at this instant, except syncs. After each event the watches without a
// delay deliver, and pods whose volumes are free start; at the end it evaluates readiness conditions, which may
// make more events due.
func (w *World) happen() {
	w.manager.Deliver()
	for again := true; again; again = w.kubelet.Weigh(w.manager.Ripened()) {
		for w.kernel.Next() {
			w.attach()
			w.manager.Deliver()
			// In a real cluster a sync may come before other due events.
			for w.config.EarlySyncs && !w.Over() && w.manager.SyncNext(true) {
				w.manager.Deliver()
				w.limits.lasting()
			}
		}
	}
}

// attach starts the pods whose volumes the last event has set free. It is here because nodes, storage and kubelets do
// not know each other in that direction.
func (w *World) attach() {
	if silenced := w.nodes.Silenced(); silenced || w.storage.Due() {
		w.kubelet.Start(w.storage.Settle())
	}
}

// moveTo moves the clock, unless a limit of the run comes first; then the world is over. It panics if an event would
// be passed over.
func (w *World) moveTo(t model.Time) {
	if !w.limits.reached(t) {
		if t > w.Now() {
			w.history.over()
		}
		w.kernel.Advance(t)
		w.manager.NewInstant(w.limits.patience)
	}
}

// locate adds the set and the pod to the event of a step or a fault.
func (w *World) locate(e *timeline.Event, outcome *Outcome) {
	switch {
	case len(outcome.Sets) > 0:
		e.Subject = timeline.About(outcome.Sets[0].Key(), "")
	case len(outcome.Removed) > 0:
		e.Subject = timeline.About(outcome.Removed[0], "")
	case outcome.Claim.Name != "":
		e.Subject = timeline.About(w.store.ClaimSet(outcome.Claim), "")
	case outcome.Pod.Name != "":
		set, _ := model.SplitPodName(outcome.Pod.Name)
		e.Subject = timeline.About(model.Key{Namespace: outcome.Pod.Namespace, Name: set}, outcome.Pod.Name)
	}
}

// refused notes a refusal of the API server in the step; an unexpected one ends the run, unless the world is Endless.
func (w *World) refused(step *Step, note *timeline.Step, err *model.APIError) {
	note.Effect, note.Refusal, note.Cause = timeline.Refused, err.Message, err.Cause
	if w.config.Endless {
		// No step expected this refusal; a scenario that does the same expects it.
		note.ExpectedRefusal = err.Message
	}
	if !note.RefusedAsExpected() {
		w.kernel.Result.Verdict = timeline.WasRefused
	}
}
