package explore

import (
	"crypto/sha256"
	"encoding/binary"
)

// known says whether another run has gone on from where this one is, so that it need not: it has been judged up to
// here. A run that comes back to one of its own states goes on: it is a loop, and its end must be judged.
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

// state returns a number for all that decides how the run goes on, and how it is judged.
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
