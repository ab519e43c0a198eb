package verdict

import (
	"time"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/runs/upgrade"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// Part finds where the runs of a comparison diverge, each of which was played from the scene of its number, and why,
// unless that is to be left out. Runs with the same timeline are one group; each group is compared with the first.
// After an interruption there may be fewer runs than scenes.
func Part(c *report.Comparison, scenes []Scene, causes Causes, without func() bool) {
	var timelines [][]timeline.Event
	for i := range c.Versions {
		timelines = append(timelines, c.Versions[i].Events)
	}
	c.Groups = versus.Groups(timelines)
	for _, group := range c.Groups[1:] {
		first, other := c.Groups[0][0], group[0]
		parting := report.Parting{
			Names:   [2]string{c.Versions[first].Version, c.Versions[other].Version},
			Parting: versus.Compare(timelines[first], timelines[other]),
		}
		if !without() {
			parting.Causes = causes(scenes[first], scenes[other], without)
		}
		c.Partings = append(c.Partings, parting)
	}
}

// Causes says which differences between the versions of two scenes make the second do what it does where they part.
type Causes func(from, to Scene, interrupted func() bool) []report.Cause

// FindCauses plays a scenario under the versions of two scenes, and with single differences between them reverted: a
// difference without which the runs would not diverge is a cause. Both scenes must have been loaded from one scenario.
// It costs a run for each difference. The causes of the point where the runs diverge come first, then those of what is
// left at the end (Left).
func FindCauses(from, to Scene, interrupted func() bool) []report.Cause {
	a, b := from.(Scenario), to.(Scenario)
	pair := upgrade.NewPair(a.Profile, b.Profile, func(profile statefulset.Profile, until time.Duration) []timeline.Event {
		under := *b.Scenario
		under.Profile = profile
		if until > 0 {
			under.Until = min(until, under.Until)
		}
		return sim.New(under.Config(scenario.RunOptions{Interrupted: interrupted})).Run(under.Steps)
	})
	left := upgrade.CausesOf(pair.CausesOfLeft(), pair.To)
	for i := range left {
		left[i].Left = true
	}
	return append(upgrade.CausesOf(pair.Causes(), pair.To), left...)
}
