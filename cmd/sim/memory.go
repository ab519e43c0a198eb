package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// ceiling ends a run before it takes more memory than it may. It looks at the heap of the process, which all runs of a
// command share, and only now and then, so a run may end a few events earlier or later on another machine; a run that
// ends by itself is the same everywhere.
type ceiling struct {
	// limit is in bytes; asked counts the questions, of which every 64th looks at the heap.
	limit int64
	asked int
	heap  []metrics.Sample
}

// capMemory makes the collector keep the heap below a limit as long as it can. GOMEMLIMIT, if it is set, wins. It is
// set for the process: of several calls the last one counts.
func capMemory(limit int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// ends returns the reasons to end a run early: the user, or too much memory. They serve one run, since they count how
// often they were asked.
func (s *streams) ends(memory int64, interrupted func() bool) ends {
	top := &ceiling{limit: memory, heap: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
	return ends{interrupted: interrupted, exhausted: top.exhausted}
}

// exhausted says why the run must end, or "". It is asked by one goroutine.
func (c *ceiling) exhausted() string {
	if c.asked++; c.asked%64 != 0 {
		return ""
	}
	if metrics.Read(c.heap); !nearly(c.heap[0].Value.Uint64(), c.limit) {
		return ""
	}
	return fmt.Sprintf("the run holds nearly %s of memory: --max-memory raises the limit", sizeText(c.limit))
}

// nearly says whether so much memory is as much as may be held: 8/10 of the limit. The rest is for what the runtime
// itself needs, and for the report.
func nearly(bytes uint64, limit int64) bool { return bytes >= uint64(limit)/10*8 }

// shared is a ceiling over many runs at once, of which each keeps something: a plan of thousands of sets. It looks at
// what lives after a collection. Its methods may be called by several goroutines.
//
// live returns the bytes that live, which tests replace; asked counts the questions of all goroutines, of which every
// 64th looks at the memory.
type shared struct {
	limit       int64
	interrupted func() bool
	err         io.Writer
	live        func() uint64
	asked       atomic.Int64
	// full is set once the limit was reached, and stays.
	full atomic.Bool
}

// top returns a ceiling over all that a command plays.
func (s *streams) top(limit int64) *shared {
	return &shared{limit: limit, interrupted: s.interrupted, err: s.err, live: func() uint64 {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		return live[0].Value.Uint64()
	}}
}

// ends says whether to end at once: the user wants it, or too much memory is held. Several may ask at once.
func (c *shared) ends() bool {
	if !c.full.Load() && c.asked.Add(1)%64 == 0 && nearly(c.live(), c.limit) {
		c.full.Store(true)
	}
	return c.full.Load() || c.interrupted()
}

// told says that the ceiling was reached, so the output is not complete; otherwise it returns err. Then the error is
// errFailed, whatever err was; an interruption hides it.
func (c *shared) told(err error) error {
	if !c.full.Load() || c.interrupted() {
		return err
	}
	fmt.Fprintf(c.err, "it stopped at nearly %s of memory: --max-memory raises the limit\n",
		sizeText(c.limit))
	return errFailed
}

// freeHeap is the number of bytes that a run may allocate before the first garbage collection. Most runs end before
// that.
const freeHeap = 128 << 20

// tuneCollector lets the garbage collector wait until there is something worth collecting: a timeline only grows, so
// that a heap of a few megabytes would be marked again and again for nothing. After each collection the heap may grow
// by freeHeap, or by half if that is more. GOGC, if it is set, wins; GOMEMLIMIT holds in any case. Results do not
// depend on it.
func tuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(100 * freeHeap / smallestHeap)
	runtime.SetFinalizer(new(cycle), (*cycle).end)
}

// smallestHeap is the heap at which Go collects at the latest if GOGC is 100 and next to nothing lives.
const smallestHeap = 4 << 20

// cycle is garbage from the beginning: its finalizer runs when a collection ends, and sets itself up for the next one.
// It has a pointer, because tiny objects without one share their memory and need not be finalized.
type cycle struct{ _ *byte }

// end sets GOGC for the next collection by what lived after the last one. The runtime calls it after each collection,
// on the goroutine of its finalizers.
func (c *cycle) end() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(percentAfter(live[0].Value.Uint64()))
	runtime.SetFinalizer(c, (*cycle).end)
}

// percentAfter returns the value for GOGC while that many bytes live: at least 50, and so much that freeHeap bytes may
// be allocated before the next collection.
func percentAfter(live uint64) int {
	live = max(live, smallestHeap)
	return int(max(50, 100*freeHeap/live))
}
