package manager

import "iter"

// coroutine runs one body after the other, each of which may be suspended. It is an iter.Pull, because that
// switches stacks without the scheduler of Go: exactly one side runs at any time, so a world stays deterministic
// and needs no lock. Its stack is small at first and grows with the first body, so coroutines are kept and reused.
type coroutine struct {
	// next lets the body go on up to its next yield; stop makes every later yield return false. Both are called from
	// outside the body, yield from inside only.
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	// body is the function that it runs; nil when that has returned.
	body func()
}

// coroutines are the idle coroutines of one world: their body is nil. Worlds do not share them, because a caller may
// want no goroutine to outlive its world.
type coroutines struct {
	list []*coroutine
	// over is true after the end: a coroutine that is given back then ends at once. Start resets it.
	over bool
}

// take returns a coroutine that runs a body when it is resumed; until then nothing of the body runs. The caller
// gives it back when the body ends, unless the caller buries it.
func (idle *coroutines) take(body func()) *coroutine {
	n := len(idle.list) - 1
	if n < 0 {
		c := newCoroutine()
		c.body = body
		return c
	}
	c := idle.list[n]
	idle.list = idle.list[:n]
	c.body = body
	return c
}

// give takes back a coroutine whose body has ended. It must not be suspended: the next body would then run inside
// it.
func (idle *coroutines) give(c *coroutine) {
	if idle.over {
		c.stop()
		return
	}
	idle.list = append(idle.list, c)
}

// end ends all of them, and each that is given back from now on.
func (idle *coroutines) end() {
	for _, c := range idle.list {
		c.stop()
	}
	*idle = coroutines{over: true}
}

// newCoroutine returns a coroutine without a body. It yields once after each body, which tells resume that the body
// has ended rather than suspended itself.
func newCoroutine() *coroutine {
	c := &coroutine{}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		for more := true; more; more = yield(struct{}{}) {
			c.body()
			c.body = nil
		}
	})
	return c
}

// resume continues the body until it suspends itself or ends, and reports whether it ended.
func (c *coroutine) resume() (ended bool) {
	c.next()
	return c.body == nil
}

// suspend returns control to the caller of resume, and returns when the body is resumed. It returns false if the
// coroutine was buried meanwhile: the body must then run to its end without an effect, because Go cannot drop a
// stack.
func (c *coroutine) suspend() bool { return c.yield(struct{}{}) }

// bury lets a suspended body run to its end without an effect. A body that has not started never starts. The
// coroutine must not be used again.
func (c *coroutine) bury() { c.stop() }
