package report

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// glance holds the numbers of a status that a line shows. A status with the same glance is not worth a line.
type glance struct {
	// ready, available, updated and replicas count pods; replicas is what the spec asks for. Without minReadySeconds,
	// available is ready, and updated is 0 unless an update is under way.
	ready, available, updated, replicas int32
	// updating says that an update is under way: the status has two revisions.
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

// spec returns the spec of a set, an empty one if there is no such set.
func (s *story) spec(key model.Key) model.Spec {
	if set := s.fold.Set(key); set != nil {
		return set.Spec.Spec
	}
	return model.Spec{}
}

// status words a new status, if it says something new. An event without a status says that the set is gone.
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
