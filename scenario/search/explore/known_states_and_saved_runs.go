package explore

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim"
)

// known says whether the run may stop because another run has continued from the same state: everything up to here has
// been judged. A run that returns to one of its own states goes on, because it is a loop whose end must be judged.
// Before the last deviation of its tape a run never stops.
func (c *course) known() bool {
	if !c.run.Prunes() {
		return false
	}
	state := c.state()
	if c.states[state] {
		return false
	}
	if c.states == nil {
		c.states = map[uint64]bool{}
	}
	c.states[state] = true
	return c.run.State(state)
}

// state returns a hash of everything that decides how the run continues and how it is judged: the world, the regime,
// the scenario's next step and the time until it, the acts that are left of each kind, and the memory of the judge.
// Times are relative to now, so states that differ only in the hour are one.
//
// What is left out changes nothing that follows: the events and breaches so far, how often a write was made, and the
// number of instants (see progress.instants). A collision of two hashes of 64 bits would lose a run; with 10⁶ states
// its probability is about 3 in 10⁸.
func (c *course) state() uint64 {
	world := c.world.Fingerprint()
	b := append(c.packed[:0], world[:]...)
	b = binary.AppendUvarint(b, uint64(c.regime))
	b = binary.AppendUvarint(b, uint64(c.next))
	if c.next < len(c.scenario.Steps) && !untimed(&c.scenario.Steps[c.next]) {
		b = binary.AppendVarint(b, int64(c.when()-c.world.Now()))
	}
	b = binary.AppendUvarint(b, uint64(c.happened))
	for _, used := range c.used {
		b = binary.AppendUvarint(b, uint64(used))
	}
	c.packed = c.judge.AppendMemory(b)
	sum := sha256.Sum256(c.packed)
	return binary.LittleEndian.Uint64(sum[:])
}

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
