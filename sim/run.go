package sim

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Run plays the steps and lets the world settle. It returns the timeline, from the header to the result.
func (w *World) Run(steps []Step) []timeline.Event {
	header := w.config.Header
	header.Until = w.config.Until
	w.record(timeline.Event{Kind: timeline.KindRun, Run: &header})
	if w.config.Start != nil {
		w.beginWith(w.config.Start)
	}
	w.arm()
	if w.config.Machinery.Resync > 0 {
		w.resync()
	}
	for i := range steps {
		when := steps[i].When
		if i == 0 && when.Trigger == OnceSettled && len(w.Sets()) == 0 {
			// An empty cluster has nothing to settle, and a fault at a later instant must not hold its first step back.
			when = When{Trigger: At}
		}
		if !w.reach(when) {
			break
		}
		w.act(&steps[i])
	}
	if w.verdict == "" {
		w.settle()
	}
	w.killAll()
	w.finish()
	return w.events
}

// reach brings the world to the instant at which a step acts, and the controller to its fixed point there. It returns
// false if the run ends before.
func (w *World) reach(when When) bool {
	if w.verdict != "" {
		return false
	}
	if when.Trigger == OnceSettled {
		w.settle()
		return w.verdict == ""
	}
	target := model.Time(when.D)
	if when.Trigger == After {
		target = w.Now().Add(when.D)
	}
	// An instant that has passed, because the world took longer than its author thought to settle before an earlier step,
	// is now. That it is late is for the timeline's readers to say.
	w.advance(max(target, w.Now()))
	return w.verdict == ""
}

// settle lets the world run until nothing is left that could still change something. What keeps it going is an event
// that is not in the background, whatever it is; and of those who only try again or look again, which would go on for
// ever, the ones who may find the world changed: the retry of a failed sync, that of a drain, and a sync that takes
// time and began before the last change.
func (w *World) settle() {
	for w.verdict == "" {
		w.tick()
		if w.verdict != "" || !w.open() {
			return
		}
		next, _ := w.queue.Peek()
		w.moveTo(next)
	}
}

func (w *World) open() bool {
	return w.queue.Live() > 0 || w.retryMayHelp() || w.drainMayHelp() || w.unseen()
}

// advance lets the world run up to an instant and stops the clock there.
func (w *World) advance(target model.Time) {
	for w.verdict == "" {
		w.tick()
		if w.verdict != "" || w.Now() == target {
			return
		}
		next, any := w.queue.Peek()
		if !any || next > target {
			next = target
		}
		w.moveTo(next)
	}
}

// moveTo moves the clock, unless a limit of the run comes first.
func (w *World) moveTo(t model.Time) {
	limit := model.Time(w.config.Until)
	switch {
	case w.config.Interrupted != nil && w.config.Interrupted():
		w.verdict = timeline.Interrupted
	case limit > 0 && t > limit:
		w.verdict = timeline.Limit
		w.queue.Advance(limit)
	case w.config.MaxEvents > 0 && len(w.events) > w.config.MaxEvents:
		w.verdict = timeline.Limit
		w.warnings = append(w.warnings,
			fmt.Sprintf("the run was ended at %d events: --max-events raises the limit", w.config.MaxEvents))
	default:
		w.queue.Advance(t)
		w.instant.reset()
	}
}

// tick plays one instant: all that is due happens, then every enqueued set is synced, again and again, until a sync
// writes nothing and nothing new is due.
func (w *World) tick() {
	for w.verdict == "" {
		w.happen()
		if w.work.Len() == 0 || w.down || w.work.Busy() >= w.config.Machinery.workers() {
			break
		}
		w.sync(w.work.Get())
	}
	w.noteBudgets()
	w.noteWaits()
	w.noteNames()
	if w.config.Watch != nil && w.verdict == "" {
		w.config.Watch(w)
	}
}

// happen lets everything happen that is due at this instant.
func (w *World) happen() {
	w.deliver()
	for again := true; again; again = w.weigh() {
		for e := w.queue.Next(w.chooser); e != nil; e = w.queue.Next(w.chooser) {
			w.dispatch(e)
			w.deliver()
		}
	}
}

// act lets a user do a step, and the controller answer it in the same tick.
func (w *World) act(step *Step) {
	note := &timeline.Step{
		Number: step.Number, Name: step.Name, Verb: step.Verb, Does: step.Does,
		Trigger: step.When.Trigger.String(), Delay: step.When.D, ExpectedRefusal: step.Refused,
	}
	at := len(w.events)
	w.record(timeline.Event{Kind: timeline.KindStep, Actor: timeline.User, Step: note, Message: w.waitedFor(step.When)})
	w.actor, w.why = timeline.User, model.Why{}
	outcome := step.Act(&User{w})
	note.Effect, note.Sets, note.Removed = outcome.Effect, outcome.Sets, outcome.Removed
	w.locate(&w.events[at], &outcome)
	if outcome.Warning != "" {
		w.warnings = append(w.warnings, fmt.Sprintf("step %d: %s", step.Number, outcome.Warning))
	}
	if outcome.Err != nil {
		w.refused(step, note, outcome.Err)
	}
	w.instant.reset()
	w.tick()
}

// waitedFor says which change a step without a time has waited for, "" for any other step.
func (w *World) waitedFor(when When) string {
	if when.Trigger != OnceSettled {
		return ""
	}
	for i := len(w.events) - 1; i >= 0; i-- {
		if e := &w.events[i]; e.Kind == timeline.KindPod {
			return fmt.Sprintf("waited until all was settled; the last change was %s %s at %ss", e.Pod, e.State, e.T.Seconds())
		}
	}
	return ""
}

// locate says in a step's event which set, and which pod, the step was about.
func (w *World) locate(e *timeline.Event, outcome *Outcome) {
	switch {
	case len(outcome.Sets) > 0:
		e.Set = outcome.Sets[0].Key()
	case len(outcome.Removed) > 0:
		e.Set = outcome.Removed[0]
	case outcome.Claim.Name != "":
		e.Set = w.claimSet(outcome.Claim)
	case outcome.Pod.Name != "":
		e.Pod = outcome.Pod.Name
		e.Set.Namespace = outcome.Pod.Namespace
		e.Set.Name, _ = model.SplitPodName(outcome.Pod.Name)
	}
}

// refused notes a refusal of the API server; one that the scenario does not expect ends the run.
func (w *World) refused(step *Step, note *timeline.Step, err *model.APIError) {
	note.Effect, note.Refusal = timeline.Refused, err.Message
	expected := step.Refused != "" && strings.Contains(strings.ToLower(err.Message), strings.ToLower(step.Refused))
	if !expected {
		w.verdict, w.refusal = timeline.WasRefused, err.Message
	}
}
