package sim

import "github.com/statefulsim/statefulsim/model"

// stack is the stack of the loop in Settle or Advance. A sync that has to wait may do so there: the loop goes on from
// within the sync (manager.Loop), with the same instants in the same order.
type stack struct {
	world *World
	// settles and target say how far the loop goes on: until the world is settled, or up to an instant.
	settles bool
	target  model.Time
	// waited says that a sync has waited on the stack, and resting that it has left it at a fixed point. Both are for the
	// tick that has started the sync, and only until it goes on.
	waited, resting bool
}

// open lets syncs run on the stack, from now until close. A search that asks for early syncs does without.
func (s *stack) open(settles bool, target model.Time) {
	if c := &s.world.config; c.EarlySyncs || c.Coroutines {
		return
	}
	s.settles, s.target = settles, target
	s.world.manager.RunOn(s)
}

// close lets no sync begin on the stack any more. The one that waits there, if any, has left it by then.
func (s *stack) close() { s.world.manager.RunOn(nil) }

// GoOn implements manager.Loop. First comes what is left of the instant, as after any event.
func (s *stack) GoOn() bool {
	w := s.world
	w.attach()
	w.limits.lasting()
	s.waited = true
	for {
		w.tick()
		if w.manager.Due() {
			return true
		}
		next, open := s.next()
		if open {
			w.moveTo(next)
		}
		if !open || w.Over() {
			s.resting = true
			return false
		}
		if w.manager.Wake() {
			return true
		}
	}
}

// next returns the next instant, and false if the loop has to return before it.
func (s *stack) next() (model.Time, bool) {
	w := s.world
	if s.settles {
		return w.Next()
	}
	next, any := w.kernel.Peek()
	return next, any && next <= s.target && !w.Over()
}

// cameToRest says whether the sync that was started last has left the stack at a fixed point, so that nothing is left
// of the instant. If it has waited and ended, the volumes that its end has set free are attached, as after any event.
func (s *stack) cameToRest() bool {
	resting := s.resting
	if s.waited && !resting {
		s.world.attach()
	}
	s.waited, s.resting = false, false
	return resting
}
