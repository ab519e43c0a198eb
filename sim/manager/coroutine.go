package manager

import "iter"

// coroutine runs one body after the other, each of which may be suspended. Its stack begins small and grows with the
// first of them; so it is kept and used again.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	// body is the function that it runs; nil when that has returned.
	body func()
}

// coroutines are the idle coroutines of one world. Worlds do not share them, because a caller may want no goroutine to
// outlive its world.
type coroutines struct {
	list []*coroutine
	// over is true after the end: what is given back then ends at once.
	over bool
}

// take returns a coroutine that runs a body when it is resumed.
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

// give takes back a coroutine whose body has ended.
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

// resume lets the body go on until it suspends itself or has ended, and says whether it has ended.
func (c *coroutine) resume() (ended bool) {
	c.next()
	return c.body == nil
}

// suspend gives the control back to who has resumed the body. It returns false if the body is to run to its end
// without an effect.
func (c *coroutine) suspend() bool { return c.yield(struct{}{}) }

// bury lets a body that is suspended run to its end without an effect. One that has not begun never does.
func (c *coroutine) bury() { c.stop() }
