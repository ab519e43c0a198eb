package explore

import (
	"crypto/sha256"
	"encoding/binary"
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
