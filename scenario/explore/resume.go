package explore

import (
	"slices"

	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/promise"
)

// saved is a run at a fixed point from which runs with the same beginning continue. It does not change.
type saved struct {
	state    *sim.State
	judge    *promise.Judge
	progress progress
}

// save returns the run as it is at this fixed point.
func (c *course) save() any {
	return &saved{state: c.world.Hold(), judge: c.judge.Fork(), progress: c.progress.copy()}
}

// resume makes a new run continue where another one was saved.
func (c *course) resume(s *saved) {
	c.resumed, c.progress = true, s.progress.copy()
	config := c.config()
	config.Start = s.state
	c.world = sim.New(config)
	c.world.Begin()
	c.judge = s.judge.Fork()
}

func (p *progress) copy() progress {
	c := *p
	c.used, c.matched = slices.Clone(p.used), slices.Clone(p.matched)
	c.done, c.struck = slices.Clip(p.done), slices.Clip(p.struck)
	return c
}
