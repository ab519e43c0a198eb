package scenario

import (
	"cmp"
	"errors"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// gate reads a deploy tool that waits for the sets that the last step with any has written, as the tool does that has
// made that step. Like the next line of a script the step acts once the tool says done.
func (s *step) gate(m *strict.Map) *sim.Wait {
	tool, err := gate.Named(m.String("gate"))
	if unknown, is := errors.AsType[*gate.Unknown](err); is {
		s.r.Problem(m.Value("gate"), unknown.What, unknown.Want)
		return nil
	}
	return &sim.Wait{
		Command: "gate " + tool.Name,
		Timeout: tool.Looks.Timeout,
		Late:    cmp.Or(tool.After, "it timed out"),
		Begin: func(u *sim.User) (sim.Returns, string) {
			sets := u.Written()
			if len(sets) == 0 {
				return nil, "no step before it has written a StatefulSet"
			}
			wait := tool.Begin(sets, u.Now(), 0)
			return func(u *sim.User) (bool, string) { return returned(wait.See(u.Now(), asRead(u))) }, ""
		},
	}
}

// returned reports whether a call has returned, and its error.
func returned(end *gate.End) (bool, string) {
	switch {
	case end == nil:
		return false, ""
	case end.Says == gate.SaysDone:
		return true, ""
	}
	return true, end.Message
}

// asRead finds sets as a tool reads them: as the API server has them now, with their pods.
func asRead(u *sim.User) func(model.Key) *timeline.Set {
	return func(key model.Key) *timeline.Set {
		set := u.Set(key)
		if set == nil {
			return nil
		}
		read := &timeline.Set{Key: key, Spec: set, Status: set.Status, StatusChanges: set.ResourceVersion}
		read.PodChanges = u.Version()
		for _, pod := range u.PodsOf(set) {
			p := &timeline.Pod{Name: pod.Name, Ordinal: set.OrdinalOf(pod.Name), UID: pod.UID, Phase: pod.Phase,
				Ready: pod.Ready, Terminating: pod.Terminating()}
			if pod.Containers != nil {
				p.Shown = pod.Containers.Shown
			}
			read.Pods.Put(p)
		}
		return read
	}
}
