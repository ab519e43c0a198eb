package conformance

import "github.com/statefulsim/statefulsim/model"

// Fault makes calls fail.
type Fault struct {
	// On names the calls as a Line does: VERB KIND NAME, where NAME may be *.
	On     string
	Reason model.ErrorReason
	// Times is how many calls fail, for each object.
	Times int
	// Lost: the call is done all the same, and only its answer is lost.
	Lost bool `json:",omitempty"`
}

func (f *Fault) err() *model.APIError {
	return &model.APIError{Reason: f.Reason, Message: f.Reason.String()}
}

// faults are the faults of a run, with how often each has been met.
type faults struct {
	list []Fault
	hits map[string]int
}

func newFaults(list []Fault) faults { return faults{list, map[string]int{}} }

// meets returns the fault that a call meets, or nil.
func (f *faults) meets(call *model.Call) *Fault {
	act := actText(call)
	for i := range f.list {
		fault := &f.list[i]
		if fault.On != act+" "+call.Key.Name && fault.On != act+" *" {
			continue
		}
		f.hits[fault.On+call.Key.Name]++
		if f.hits[fault.On+call.Key.Name] <= fault.Times {
			return fault
		}
		return nil
	}
	return nil
}
