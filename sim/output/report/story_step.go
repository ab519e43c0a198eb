package report

import (
	"fmt"

	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// step words a step, and below it how the API server refused it. Its lines are not counted by say: each step is told.
func (s *story) step(event *timeline.Event) {
	step := event.Step
	told := stepTitle(step) + stepEffect(step)
	s.lines = append(s.lines, line{actor: event.Actor, text: told, tone: render.Bold, apart: true})
	if step.Refusal != "" {
		s.refusal(event)
	}
}

// stepTitle says which step it is, what made it act, and what it does. A step at a fixed instant needs no words for
// that, and neither does a first step that waits for rest.
func stepTitle(step *timeline.Step) string {
	title := fmt.Sprintf("STEP %d", step.Number)
	if step.Name != "" {
		title += fmt.Sprintf(" %q", step.Name)
	}
	switch step.Trigger {
	case "after":
		title += ", " + render.Clock(step.Delay) + " later"
	case "settled":
		if step.Number > 1 {
			title += ", once settled"
		}
	case "at", "":
	default:
		title += ", when " + step.Trigger + " returns"
	}
	does := step.Does
	if does == "" {
		does = step.Verb
	}
	return title + ": " + does
}

// stepEffect says what the step did, in brackets, where it did something else than what it says.
func stepEffect(step *timeline.Step) string {
	if step.Verb == "undo" {
		// So kubectl words it.
		switch step.Effect {
		case timeline.Configured:
			return " (rolled back)"
		case timeline.Unchanged:
			return " (skipped rollback)"
		}
	}
	switch step.Effect {
	case "", timeline.Done, timeline.Refused:
		return ""
	case timeline.None:
		return " (no effect)"
	}
	return " (" + string(step.Effect) + ")"
}

// refusal words what the API server said to a step that it refused. A refusal that the scenario expects is no error.
func (s *story) refusal(event *timeline.Event) {
	step := event.Step
	l := line{actor: timeline.APIServer, tone: render.Bad, text: "refuses: " + step.Refusal}
	if step.RefusedAsExpected() {
		l.tone, l.text = render.Plain, "refuses, as expected: "+step.Refusal
	}
	s.lines = append(s.lines, l)
	if step.Cause != "" {
		s.lines = append(s.lines, line{actor: timeline.APIServer, text: step.Cause})
	}
}

// fault describes a fault, and why it happened now.
func (s *story) fault(event *timeline.Event) {
	if event.Fault == nil {
		s.say(event, render.Bad, "FAULT: "+event.Message)
		return
	}
	s.say(event, render.Bad, faultTitle(event.Fault))
	if event.Fault.Refusal != "" {
		s.lines = append(s.lines, line{actor: timeline.APIServer, tone: render.Bad, text: "refuses: " + event.Fault.Refusal})
	}
}

// FaultTitle returns a fault on one line: its name, what it does, and what it had waited for.
func FaultTitle(fault *timeline.Fault) string { return render.Visible(faultTitle(fault)) }

// faultTitle is FaultTitle; it is not safe to print, since names come from the scenario.
func faultTitle(fault *timeline.Fault) string {
	title := "FAULT"
	if fault.Name != "" {
		title += fmt.Sprintf(" %q", fault.Name)
	}
	title += ": " + fault.Does
	if fault.Effect == timeline.None {
		title += " (no effect)"
	}
	if fault.Trigger != "" {
		title += ", " + fault.Trigger
	}
	return title
}
