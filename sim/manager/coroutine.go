package manager

import (
	"iter"
	"sync"
)

// coroutine runs one body after the other, each of which may be suspended. Its stack begins small and grows with the
// first of them; so it is kept and used again, in whatever world.
type coroutine struct {
	next  func() (struct{}, bool)
	stop  func()
	yield func(struct{}) bool
	// body is what it runs, nil when that has ended.
	body func()
}

// idle are the coroutines that nobody uses. There are never more than keptIdle of them.
var idle struct {
	sync.Mutex
	list []*coroutine
}

// keptIdle is far more than the workers of a controller and the branches of its forks need.
const keptIdle = 64

// startable returns a coroutine that runs a body when it is resumed.
func startable(body func()) *coroutine {
	idle.Lock()
	defer idle.Unlock()
	n := len(idle.list) - 1
	if n < 0 {
		c := newCoroutine()
		c.body = body
		return c
	}
	c := idle.list[n]
	idle.list[n], idle.list = nil, idle.list[:n]
	c.body = body
	return c
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

// resume lets the body go on until it suspends itself or has ended, and says whether it has ended. Then the coroutine
// is somebody else's.
func (c *coroutine) resume() (ended bool) {
	c.next()
	if c.body != nil {
		return false
	}
	idle.Lock()
	defer idle.Unlock()
	if len(idle.list) < keptIdle {
		idle.list = append(idle.list, c)
		return true
	}
	c.stop()
	return true
}

// suspend gives the control back to who has resumed the body. It returns false where the body is to run to its end
// without an effect.
func (c *coroutine) suspend() bool { return c.yield(struct{}{}) }

// bury lets a body that is suspended run to its end without an effect. One that has not begun never does.
func (c *coroutine) bury() { c.stop() }
