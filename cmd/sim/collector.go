package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

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
