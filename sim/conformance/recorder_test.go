package conformance

import "github.com/statefulsim/statefulsim/model"

// recorder is a controller whose syncs and writes are written down, and whose calls fail where the faults say so.
type recorder struct {
	model.Controller
	faults faults
	notes  []note
}

func newRecorder(controller model.Controller, list []Fault) *recorder {
	return &recorder{Controller: controller, faults: newFaults(list)}
}

// Sync lets the controller do one sync. A controller that decides itself whether it syncs may say that it did not.
func (r *recorder) Sync(view model.View, calls model.Calls) model.Result {
	result := r.Controller.Sync(view, recorded{calls, r, view.Now()})
	if c, decides := r.Controller.(interface{ Idle() bool }); decides && c.Idle() {
		return result
	}
	text := "sync"
	if result.Err != nil {
		text = "failed sync"
	}
	r.note(view.Now(), text)
	return result
}

func (r *recorder) note(at model.Time, text string) { r.notes = append(r.notes, note{at, text}) }

type recorded struct {
	model.Calls
	by *recorder
	at model.Time
}

// Do passes a call on and writes it down, but for reads.
func (c recorded) Do(call model.Call) model.Reply {
	var reply model.Reply
	fault := c.by.faults.meets(&call)
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
		c.by.note(c.at, text)
	}
	return reply
}
