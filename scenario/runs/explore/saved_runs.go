package explore

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/checks/promise"
)

// saved is a run at a fixed point from which runs with the same beginning continue. It does not change, and several
// runs may resume from it at the same time.
type saved struct {
	// state is the world with everything that objects do not show, and judge a fork of the judge: both are read only.
	state    *sim.State
	judge    *promise.Judge
	progress progress
}

// save returns the run as it is at this fixed point, after its judgment. The world is held and not copied: State and
// objects are shared with the run, which only replaces them. It is of type *saved.
func (c *course) save() any {
	return &saved{state: c.world.Hold(), judge: c.judge.Fork(), progress: c.progress.copy()}
}

// resume makes a new run continue where another one was saved, with the regime of that run. The new world's timeline
// contains the events before the mark, so the judge's numbers stay right.
func (c *course) resume(s *saved) {
	c.resumed, c.progress = true, s.progress.copy()
	config := c.config()
	config.Start = s.state
	c.world = sim.New(config)
	c.world.Begin()
	c.judge = s.judge.Fork()
}

// copy returns progress that changes apart from this one. Lists that are only appended to are clipped and not cloned:
// an append to either makes a new array.
func (p *progress) copy() progress {
	c := *p
	c.used, c.matched = slices.Clone(p.used), slices.Clone(p.matched)
	c.done, c.struck = slices.Clip(p.done), slices.Clip(p.struck)
	return c
}
