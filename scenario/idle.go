package scenario

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// mostTold is the number of rules, and of faults, that are looked at: no person writes more.
const mostTold = 100

// Idle says which rules of the scenario match nothing in a run that has come to rest, and which faults never happen:
// otherwise a typo in a pattern would pass for behaviour.
func (s *Scenario) Idle(events []timeline.Event) []string {
	if len(s.Kubelet.Rules)+len(s.Volumes.Rules)+len(s.Faults) == 0 {
		return nil
	}
	var warnings []string
	add := func(what string, number int, why string) {
		if why != "" {
			warnings = append(warnings, fmt.Sprintf("rule %d of the %s: %s", number, what, why))
		}
	}
	idle := expect.IdleIn(events)
	for i := range min(len(s.Kubelet.Rules), mostTold) {
		add("kubelet matches no pod", i+1, idle.Rule(&s.Kubelet.Rules[i].Match))
	}
	for i := range min(len(s.Volumes.Rules), mostTold) {
		m := &s.Volumes.Rules[i].Match
		add("volumes matches no claim", i+1, idle.ClaimRule(m.Claim, m.Namespace, m.Nth))
	}
	happened := map[int]bool{}
	for i := range events {
		if events[i].Kind == timeline.KindFault {
			happened[events[i].Fault.Number] = true
		}
	}
	for i := range min(len(s.Faults), mostTold) {
		fault := &s.Faults[i]
		if happened[fault.Number] || fault.Chance.Among != 0 {
			continue
		}
		trigger := strings.TrimPrefix(fault.Trigger, "at ")
		if fault.Write != nil {
			trigger = "a write: " + trigger
		}
		told := fmt.Sprintf("fault %d never happened: it waits for %s", fault.Number, trigger)
		if fault.Pod != nil {
			told = strings.TrimSuffix(told+": "+idle.Entry(trigger), ": ")
		}
		warnings = append(warnings, told)
	}
	return warnings
}
