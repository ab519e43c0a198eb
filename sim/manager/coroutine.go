package manager

import "iter"

// coroutine runs a body that may be suspended.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
}

// startable returns a coroutine that runs a body when it is resumed.
func startable(body func()) *coroutine {
	c := &coroutine{}
	c.next, c.stop = iter.Pull(func(yield func(struct{}) bool) {
		c.yield = yield
		body()
	})
	return c
}

// resume lets the body go on until it suspends itself or has ended, and says whether it has ended.
func (c *coroutine) resume() (ended bool) {
	_, suspended := c.next()
	return !suspended
}

// suspend gives the control back to who has resumed the body. It returns false where the body is to run to its end
// without an effect.
func (c *coroutine) suspend() bool { return c.yield(struct{}{}) }

// bury lets a body that is suspended run to its end without an effect. One that has not begun never does.
func (c *coroutine) bury() { c.stop() }
