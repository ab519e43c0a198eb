package report

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
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

// stepTitle says which step it is, its trigger, and what it does. A step at a fixed instant needs no words for its
// trigger, and neither does a first step that waits for rest.
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

// stepEffect says in brackets what the step did, if that differs from what it says.
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

// refusal words the API server's refusal of a step. A refusal that the scenario expects is not an error.
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

// FaultTitle returns a fault on one line: its name, what it does, and its trigger.
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

// glance holds the numbers of a status that a line shows. A status with the same glance is not worth a line.
type glance struct {
	// ready, available, updated and replicas count pods; replicas is the number in the spec. Without
	// minReadySeconds, available is ready, and updated is 0 unless an update is under way.
	ready, available, updated, replicas int32
	// updating is true if an update is under way: the status has two revisions.
	updating bool
}

// glance returns the numbers of a status; the spec is that before the event.
func (s *story) glance(event *timeline.Event) glance {
	status, spec := event.Status, s.spec(event.Set)
	g := glance{ready: status.Ready, available: status.Ready, replicas: spec.Replicas}
	g.updating = status.CurrentRevision != status.UpdateRevision && status.CurrentRevision != ""
	if g.updating {
		g.updated = status.Updated
	}
	if spec.MinReadySeconds > 0 {
		g.available = status.Available
	}
	return g
}

// spec returns the spec of a set, an empty one if the set does not exist.
func (s *story) spec(key model.Key) model.Spec {
	if set := s.fold.Set(key); set != nil {
		return set.Spec.Spec
	}
	return model.Spec{}
}

// status words a new status, if it has news. An event without a status means that the set is gone.
func (s *story) status(event *timeline.Event) {
	if event.Status == nil {
		s.say(event, render.Plain, fmt.Sprintf("%s is gone: %s", s.cast.set(event.Set), event.Message))
		return
	}
	before, now := s.glances[event.Set], s.glance(event)
	if before.updating && event.Status.Updated < now.replicas {
		// A template that is reverted makes the revisions equal at once, with pods of the other one still there.
		now.updating, now.updated = true, event.Status.Updated
	}
	if before == now {
		return
	}
	s.glances[event.Set] = now
	text := fmt.Sprintf("%s: %d/%d ready", s.cast.set(event.Set), now.ready, now.replicas)
	if s.spec(event.Set).MinReadySeconds > 0 {
		text += fmt.Sprintf(", %d available", now.available)
	}
	switch {
	case now.updating:
		text += fmt.Sprintf(", %d updated", now.updated)
	case before.updating:
		text += ", update complete"
	}
	t := render.Plain
	if now.ready == now.replicas {
		t = render.Good
	}
	s.say(event, t, text)
}

// dns describes a change of the DNS answers. Names are printed as a pod of the namespace would write them.
func (s *story) dns(event *timeline.Event) string {
	d := event.DNS
	if event.Pod == "" {
		return s.service(event)
	}
	names := []string{d.Service}
	if len(s.cast.sets) > 1 && s.cast.namespaces {
		names[0] += "." + event.Set.Namespace
	}
	if d.Hostname != "" {
		names = append(names, d.Hostname+"."+d.Service)
	}
	name, lead := "names: "+render.And(names)+" ", render.Agree(len(names), "leads to ", "lead to ")
	switch d.Type {
	case model.Deleted:
		return name + "no longer " + lead + event.Pod
	case model.Modified:
		return name + lead + event.Pod + " at " + d.IP + " now"
	}
	return name + lead + event.Pod + " at " + d.IP
}

// service words a change of the answers for a Service as a whole.
func (s *story) service(event *timeline.Event) string {
	d := event.DNS
	text := "names: the Service " + d.Service
	switch {
	case d.Type == model.Deleted:
		return text + " and all names below it are gone"
	case d.IP != "":
		text += " answers with its own address " + d.IP
	default:
		text += " answers with the addresses of its pods"
	}
	if len(d.Ports) > 0 {
		text += "; SRV records: " + strings.Join(d.Ports, ", ")
	}
	return text
}

// address returns the address of a running pod, in a run that has addresses.
func address(event *timeline.Event) string {
	if event.IP == "" {
		return ""
	}
	text := " at " + event.IP
	if event.Node != "" {
		text += " on " + event.Node
	}
	if event.Nth > 1 {
		text += ", life " + strconv.Itoa(event.Nth)
	}
	return text
}
