//go:build real

package conformance_test

import (
	"fmt"
	"reflect"
	"sync"
	"time"
)

// gate stands before the work queue of the whole real controller. Its workers get a set only when they are given a
// turn, so that they see all changes of an instant or none of them, and the world is told when the queue will have a
// set again.
type gate struct {
	turns  chan struct{}
	close  sync.Once
	length func() int
	add    func(key string)

	mu sync.Mutex
	// due are the instants of the delayed syncs that nobody has asked for yet.
	due []time.Time
	// ended says that the sync that had a turn has ended, failed how.
	ended, failed bool
}

// install puts a gate before the queue of a real controller of whatever version.
func install(controller any) *gate {
	field := reflect.ValueOf(controller).Elem().FieldByName("queue")
	field = reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
	g := &gate{turns: make(chan struct{})}
	switch queue := field.Interface().(type) {
	case workQueue[string]:
		field.Set(reflect.ValueOf(newGated(g, queue)))
	case workQueue[any]:
		field.Set(reflect.ValueOf(newGated(g, queue)))
	default:
		panic(fmt.Sprintf("a queue of type %T", queue))
	}
	return g
}

func (g *gate) shutDown() { g.close.Do(func() { close(g.turns) }) }

// take returns the instants of the delayed syncs since it was last called.
func (g *gate) take() []time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	due := g.due
	g.due = nil
	return due
}

// begin forgets how the last sync ended.
func (g *gate) begin() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.ended, g.failed = false, false
}

// result says whether the sync has ended, and failed.
func (g *gate) result() (ended, failed bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.ended, g.failed
}

// workQueue is what the work queues of all versions can do. Before 1.31 their items are of any type.
type workQueue[T comparable] interface {
	Add(T)
	AddAfter(T, time.Duration)
	AddRateLimited(T)
	Done(T)
	Forget(T)
	Get() (T, bool)
	Len() int
	NumRequeues(T) int
	ShutDown()
	ShuttingDown() bool
}

// limiter is the rate limiter of a work queue.
type limiter[T comparable] interface{ When(T) time.Duration }

// gated is a real work queue behind a gate.
type gated[T comparable] struct {
	workQueue[T]
	gate    *gate
	limiter limiter[T]
}

func newGated[T comparable](g *gate, queue workQueue[T]) gated[T] {
	g.length, g.add = queue.Len, func(key string) { queue.Add(any(key).(T)) }
	field := reflect.ValueOf(queue).Elem().FieldByName("rateLimiter")
	field = reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
	return gated[T]{queue, g, field.Interface().(limiter[T])}
}

func (q gated[T]) Get() (T, bool) {
	if _, open := <-q.gate.turns; !open {
		var none T
		return none, true
	}
	return q.workQueue.Get()
}

func (q gated[T]) AddAfter(item T, after time.Duration) {
	q.workQueue.AddAfter(item, after)
	q.gate.mu.Lock()
	defer q.gate.mu.Unlock()
	q.gate.due = append(q.gate.due, time.Now().Add(after))
}

// AddRateLimited does what the real one does, but the delay is known.
func (q gated[T]) AddRateLimited(item T) {
	q.AddAfter(item, q.limiter.When(item))
	q.gate.mu.Lock()
	defer q.gate.mu.Unlock()
	q.gate.failed = true
}

func (q gated[T]) Done(item T) {
	q.workQueue.Done(item)
	q.gate.mu.Lock()
	defer q.gate.mu.Unlock()
	q.gate.ended = true
}

func (q gated[T]) ShutDown() {
	q.gate.shutDown()
	q.workQueue.ShutDown()
}

// ShutDownWithDrain is asked for by the queues since 1.24.
func (q gated[T]) ShutDownWithDrain() { q.ShutDown() }
