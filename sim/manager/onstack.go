package manager

import "slices"

// Loop is the loop of the world. While it may run far ahead, one sync at a time runs on its stack: where the sync has
// to wait, the loop goes on from within the sync, and comes back to it when its time has come. That costs a fraction
// of what a coroutine does.
type Loop interface {
	// GoOn lets the world go on until Due is true. It returns early, with false, if the loop has to return to its caller
	// before: the clock has come to where the caller wants it, nothing keeps the run open, or the run is over. Then the
	// world is at a fixed point.
	GoOn() bool
}

// RunOn lets syncs that begin from now on run on the stack of the world's loop; nil ends that.
func (m *Manager) RunOn(loop Loop) { m.loop = loop }

// Due says that the loop has to come back to the sync that is on its stack: because what the sync waits for has come,
// or because its controller has died. The loop asks after each event.
func (m *Manager) Due() bool { return m.due }

// Wake is Due at the beginning of an instant: it says whether nothing else happens in it than that the sync on the
// loop's stack goes on.
func (m *Manager) Wake() bool {
	if r := m.onStack; m.kernel.TakeOnly(r.first.timer) {
		r.note(resumed, r.first.n)
		m.due = true
	}
	return m.due
}

// runOnStack runs a sync on the stack of the world's loop. If it has to leave that stack, it goes on as a coroutine
// and is suspended when runOnStack returns.
func (m *Manager) runOnStack(r *running) {
	r.first = strand{sync: r, active: true}
	r.strands = append(r.strands, &r.first)
	m.onStack, m.strand = r, &r.first
	r.run()
	m.onStack, m.strand, m.due = nil, nil, false
	r.first.active = false
	switch {
	case m.moved != nil:
		m.takeOver(r)
	case r.dead:
		m.bury(r)
	default:
		m.over(r)
	}
}

// goOnBeneath lets the loop go on while the sync on its stack waits.
func (m *Manager) goOnBeneath(s *strand) {
	m.strand = nil
	came := m.loop.GoOn()
	m.strand, m.due = s, false
	if !came && !s.sync.dead {
		m.leaveStack(s.sync)
	}
}

// leaveStack makes room for the loop, which has to return: what is on the stack is dead from now on, and runs to its
// end without an effect. Its inputs so far belong to the one that takes its place.
func (m *Manager) leaveStack(r *running) {
	moved := *r
	m.moved = &moved
	m.running[slices.Index(m.running, r)] = m.moved
	r.dead, r.inputs, r.writes = true, nil, nil
}

// takeOver starts the sync that has left the stack as a coroutine, which gets the inputs once more. The timers go on.
func (m *Manager) takeOver(left *running) {
	r := m.moved
	m.moved = nil
	m.repeat(r)
	for i, s := range left.strands {
		r.strands[i].timer = s.timer
	}
}
