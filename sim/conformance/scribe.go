package conformance

import "github.com/statefulsim/statefulsim/model"

// scribe is a controller whose syncs and writes are written down, and whose calls fail where the faults say so.
type scribe struct {
	model.Controller
	faults faults
	notes  []note
}

func newScribe(controller model.Controller, list []Fault) *scribe {
	return &scribe{Controller: controller, faults: newFaults(list)}
}

// Sync lets the controller do one sync. A controller that decides itself whether it syncs may say that it did not.
func (s *scribe) Sync(view model.View, calls model.Calls) model.Result {
	result := s.Controller.Sync(view, scribbled{calls, s, view.Now()})
	if c, decides := s.Controller.(interface{ Idle() bool }); decides && c.Idle() {
		return result
	}
	text := "sync"
	if result.Err != nil {
		text = "failed sync"
	}
	s.note(view.Now(), text)
	return result
}

func (s *scribe) note(at model.Time, text string) { s.notes = append(s.notes, note{at, text}) }

type scribbled struct {
	model.Calls
	s  *scribe
	at model.Time
}

// Do passes a call on and writes it down, but for reads.
func (c scribbled) Do(call model.Call) model.Reply {
	var reply model.Reply
	fault := c.s.faults.meets(&call)
	if fault == nil || fault.Lost {
		reply = c.Calls.Do(call)
	}
	if fault != nil {
		reply = model.Reply{Err: fault.err()}
	}
	if call.Verb != model.Get {
		text := callText(&call)
		if reply.Err != nil {
			text += ": " + reply.Err.Reason.String()
		}
		c.s.note(c.at, text)
	}
	return reply
}
