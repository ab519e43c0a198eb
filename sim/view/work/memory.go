package work

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
)

// Ceiling ends a run before it takes more memory than it may. It looks at the heap of the process, which all runs of a
// command share, and only now and then, so a run may end a few events earlier or later on another machine; a run that
// ends by itself is the same everywhere.
type Ceiling struct {
	// limit is in bytes; asked counts the questions, and every 64th looks at the heap.
	limit int64
	asked int
	heap  []metrics.Sample
}

// CapMemory makes the collector keep the heap below a limit as long as it can. GOMEMLIMIT, if it is set, wins. It is
// set for the process: of several calls the last one counts.
func CapMemory(limit int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(limit)
	}
}

// NewCeiling returns a ceiling for one run, since it counts how often it was asked.
func NewCeiling(memory int64) *Ceiling {
	return &Ceiling{limit: memory, heap: []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}}
}

// Exhausted returns why the run must end, or "". It is asked by one goroutine.
func (c *Ceiling) Exhausted() string {
	if c.asked++; c.asked%64 != 0 || !c.full() {
		return ""
	}
	// Much of it may be garbage: of other runs, or where the collector was told to wait for longer.
	if runtime.GC(); !c.full() {
		return ""
	}
	return fmt.Sprintf("the run holds nearly %s of memory: --max-memory raises the limit", SizeText(c.limit))
}

// full reports whether the heap has nearly as much as it may have, garbage included.
func (c *Ceiling) full() bool {
	metrics.Read(c.heap)
	return nearly(c.heap[0].Value.Uint64(), c.limit)
}

// nearly reports whether the memory in use is as much as may be held: 8/10 of the limit. The rest is for the
// runtime itself, and for the report.
func nearly(bytes uint64, limit int64) bool { return bytes >= uint64(limit)/10*8 }

// Shared is a ceiling over many simultaneous runs that each keep something, such as a plan of thousands of sets. It
// looks at the live memory after a collection. Its methods may be called by several goroutines.
//
// live returns the live bytes, and tests replace it; asked counts the questions of all goroutines, and every 64th
// looks at the memory.
type Shared struct {
	limit       int64
	interrupted func() bool
	err         io.Writer
	live        func() uint64
	asked       atomic.Int64
	// full is set once the limit was reached, and stays.
	full atomic.Bool
}

// Top returns a ceiling over all that a command plays. It tells err when it was reached.
func Top(limit int64, interrupted func() bool, err io.Writer) *Shared {
	return &Shared{limit: limit, interrupted: interrupted, err: err, live: func() uint64 {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(live)
		return live[0].Value.Uint64()
	}}
}

// Ends reports whether to end at once: the user wants it, or too much memory is held. Several may ask at once.
func (c *Shared) Ends() bool {
	if !c.full.Load() && c.asked.Add(1)%64 == 0 && nearly(c.live(), c.limit) {
		c.full.Store(true)
	}
	return c.full.Load() || c.interrupted()
}

// Told reports that the ceiling was reached, so the output is not complete; otherwise it returns err. Then the
// error is ErrFailed, whatever err was; an interruption hides it.
func (c *Shared) Told(err error) error {
	if !c.full.Load() || c.interrupted() {
		return err
	}
	fmt.Fprintf(c.err, "it stopped at nearly %s of memory: --max-memory raises the limit\n", SizeText(c.limit))
	return ErrFailed
}

// freeHeap is the number of bytes that a run may allocate before the first garbage collection. Most runs end first.
const freeHeap = 128 << 20

// TuneCollector lets the garbage collector wait until there is something worth collecting: a timeline only grows, so
// that a heap of a few megabytes would be marked again and again for nothing. After each collection the heap may grow
// by twice freeHeap (where little may be taken by freeHeap), or by half if that is more: a command that plays thousands
// of sets holds a dump of 100 MB all the while. GOGC, if it is set, wins; GOMEMLIMIT holds in any case. Results do not
// depend on it.
func TuneCollector() {
	if os.Getenv("GOGC") != "" {
		return
	}
	tuned.Store(true)
	debug.SetGCPercent(100 * freeHeap / smallestHeap)
	runtime.SetFinalizer(new(cycle), (*cycle).end)
}

// smallestHeap is the heap size that triggers a collection in Go if GOGC is 100 and next to nothing is live.
const smallestHeap = 4 << 20

// cycle is garbage from the start: its finalizer runs when a collection ends, and sets itself up for the next one.
// It has a pointer, because tiny objects without one share their memory and need not be finalized.
type cycle struct{ _ *byte }

// KeepSmall lets the heap grow by less from now on, for a command that continues for hours: by half of freeHeap, or
// by as much as lives.
func KeepSmall() {
	small.Store(true)
	if tuned.Load() {
		debug.SetGCPercent(100 * freeHeap / 2 / smallestHeap)
	}
}

// small is true if KeepSmall was called, tuned if TuneCollector was called and has to decide.
var small, tuned atomic.Bool

// end sets GOGC for the next collection from the live memory after the last one. The runtime calls it after each
// collection, on the goroutine of its finalizers.
func (c *cycle) end() {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(percentAfter(live[0].Value.Uint64(), debug.SetMemoryLimit(-1), small.Load()))
	runtime.SetFinalizer(c, (*cycle).end)
}

// percentAfter returns the value for GOGC while that many bytes live, and limit may be taken: at least 50, and so much
// that freeHeap bytes, or twice as many under a large limit, may be allocated before the next collection.
func percentAfter(live uint64, limit int64, small bool) int {
	live = max(live, smallestHeap)
	if small {
		return int(max(100, 100*uint64(freeHeap/2)/live))
	}
	room := min(2*freeHeap, max(freeHeap, limit/4))
	return int(max(50, 100*uint64(room)/live))
}

// ByteUnits are the units of amounts, the largest first, with both spellings; no unit is bytes.
var ByteUnits = []struct {
	Name string
	Size int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"Gi", 1 << 30}, {"Mi", 1 << 20}, {"Ki", 1 << 10}, {"", 1}}

// SizeText returns a number of bytes in the largest unit that makes it a whole number.
func SizeText(bytes int64) string {
	unit := 0
	for bytes%ByteUnits[unit].Size != 0 {
		unit++
	}
	return strconv.FormatInt(bytes/ByteUnits[unit].Size, 10) + ByteUnits[unit].Name
}
