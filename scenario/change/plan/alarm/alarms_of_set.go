package alarm

import (
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
)

// Of returns the alarms of a set that changes, the worst first, and notes on what could have been one.
func Of(s *Subject) (alarms []Alarm, notes []string) {
	if s.Fate == stored.Invalid {
		alarms = s.add(alarms, TrapRefused, "is invalid: %s", run.Message(s.Message))
	}
	if s.Fate == stored.Refused {
		alarms = s.add(alarms, TrapRefused, "the API server refuses the change%s", s.fields())
	}
	if s.Live != nil {
		alarms = s.ofFields(alarms)
	}
	if s.Run != nil {
		alarms = s.ofRollout(alarms)
	}
	alarms, notes = s.ofTraps(alarms)
	if s.Wanted != nil {
		alarms = s.ofOthers(alarms)
	}
	if !s.Input.HasOld() {
		alarms = s.add(alarms, TrapFirst, "OLD has no StatefulSet, so this plans a first installation. If the set exists, "+
			"check the context and the namespace of kubectl")
	}
	return Sorted(alarms), notes
}
