package conformance

import (
	"slices"
	"time"
)

// AtOddTimes returns the case with odd times, so that no two things fall on one instant except a reason.
func (c *Case) AtOddTimes() *Case {
	odd := *c
	odd.Collector = &Collector{"333ms"}
	odd.Kubelet.Times = c.Kubelet.odd()
	odd.Kubelet.Rules = slices.Clone(c.Kubelet.Rules)
	for i := range odd.Kubelet.Rules {
		odd.Kubelet.Rules[i].Times = c.Kubelet.Rules[i].odd()
	}
	odd.Steps = slices.Clone(c.Steps)
	for i := range odd.Steps {
		step := &odd.Steps[i]
		if step.After != nil {
			after := later(*step.After, 37*time.Millisecond)
			step.After = &after
		}
		if step.Unready != nil {
			step.Unready = &PodStep{step.Unready.Pod, later(step.Unready.For, 41*time.Millisecond)}
		}
	}
	return &odd
}

func (t Times) odd() Times {
	return Times{
		Schedule: later(t.Schedule, time.Millisecond), Start: later(t.Start, 3*time.Millisecond),
		Ready: later(t.Ready, 11*time.Millisecond), Stop: later(t.Stop, 17*time.Millisecond),
		Fail: later(t.Fail, 29*time.Millisecond),
	}
}

// later returns a delay that is longer. What is not given and what never happens stays so.
func later(text string, by time.Duration) string {
	if text == "" || text == "never" {
		return text
	}
	return (must(time.ParseDuration(text)) + by).String()
}
