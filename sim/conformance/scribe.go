package conformance

import "github.com/statefulsim/statefulsim/model"

// scribe is a controller whose writes are written down, and before refusalPause fail where the faults say so.
type scribe struct {
	model.Controller
	faults faults
	writes []write
}

// write is a call other than a Get that was carried out, or that failed by a fault.
type write struct {
	at   model.Time
	text string
}

func newScribe(controller model.Controller, list []Fault) *scribe {
	return &scribe{Controller: controller, faults: newFaults(list)}
}

// Sync lets the controller do one sync.
func (s *scribe) Sync(view model.View, calls model.Calls) model.Result {
	return s.Controller.Sync(view, scribbled{calls, s, view.Now()})
}

type scribbled struct {
	model.Calls
	s  *scribe
	at model.Time
}

// Do passes a call on and writes it down. A status is not written down, and neither is what the API server itself
// refuses: how often they are tried in an instant hangs on the number of syncs.
func (c scribbled) Do(call model.Call) model.Reply {
	var reply model.Reply
	var fault *Fault
	if c.at < model.Time(refusalPause) {
		fault = c.s.faults.meets(&call)
	}
	if fault == nil || fault.Lost {
		reply = c.Calls.Do(call)
	}
	if reply.Err == nil && call.Verb != model.Get && call.Verb != model.UpdateStatus {
		c.s.writes = append(c.s.writes, write{c.at, callText(&call) + fault.text()})
	}
	if fault != nil {
		reply = model.Reply{Err: fault.err()}
	}
	return reply
}
