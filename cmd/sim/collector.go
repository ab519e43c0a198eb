package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// freeHeap is the number of bytes that a run may allocate before the first garbage collection. Most runs end before
// that.
const freeHeap = 64 << 20

// tuneCollector lets the garbage collector wait until there is something worth collecting: a timeline only grows, so
// that a heap of a few megabytes is marked again and again for nothing. After each collection the heap may grow by
// freeHeap, or by half where that is more. Who sets GOGC gets that instead, and GOMEMLIMIT holds in any case.
func tuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(100 * freeHeap / smallestHeap)
	runtime.SetFinalizer(new(cycle), (*cycle).end)
}

// smallestHeap is the heap at which Go collects at the latest where GOGC is 100 and next to nothing lives.
const smallestHeap = 4 << 20

// cycle is garbage from the beginning: it is finalized when a collection ends, and makes another one then.
type cycle struct{ _ *byte }

func (c *cycle) end() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(percentAfter(live[0].Value.Uint64()))
	runtime.SetFinalizer(c, (*cycle).end)
}

// percentAfter returns the value for GOGC while that many bytes live.
func percentAfter(live uint64) int {
	live = max(live, smallestHeap)
	return int(max(50, 100*freeHeap/live))
}
