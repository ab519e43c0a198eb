package work

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPercentAfter: a small heap may grow by 256 MiB, by 128 MiB where little may be taken, and a large one by half.
func TestPercentAfter(t *testing.T) {
	for live, want := range map[uint64]int{
		0: 6400, 4 << 20: 6400, 32 << 20: 800, 64 << 20: 400, 128 << 20: 200, 256 << 20: 100, 1 << 30: 50,
	} {
		assert.Equal(t, want, percentAfter(live, 1<<30, false), "%d bytes live", live)
		assert.Equal(t, max(50, want/2), percentAfter(live, 512<<20, false), "%d bytes live of a small limit", live)
		assert.Equal(t, max(100, want/4), percentAfter(live, 1<<30, true), "%d bytes live of a long session", live)
	}
}

// TestTuneCollector: the policy follows the heap from one collection to the next, and leaves a GOGC of the user alone.
func TestTuneCollector(t *testing.T) {
	before := debug.SetGCPercent(77)
	defer debug.SetGCPercent(before)
	percent := func() int {
		now := debug.SetGCPercent(-1)
		debug.SetGCPercent(now)
		return now
	}
	t.Setenv("GOGC", "77")
	TuneCollector()
	assert.Equal(t, 77, percent())
	t.Setenv("GOGC", "")
	TuneCollector()
	assert.Equal(t, 3200, percent())
	held := make([]byte, 256<<20)
	require.Eventually(t, func() bool { runtime.GC(); return percent() <= 100 }, time.Minute, time.Millisecond)
	runtime.KeepAlive(held)
}

// TestCeilingCountsNoGarbage: what nothing holds any more ends no run, however long the collector waits; what lives does.
func TestCeilingCountsNoGarbage(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	c := NewCeiling(400 << 20)
	asked := func() (ends string) {
		for range 64 {
			ends = c.Exhausted()
		}
		return ends
	}
	held := make([]byte, 350<<20)
	require.Equal(t, "the run holds nearly 400MiB of memory: --max-memory raises the limit", asked())
	runtime.KeepAlive(held)
	require.Empty(t, asked())
}

// TestCeilingOverAll: what several runs keep together ends them, and says which flag lets them go on.
func TestCeilingOverAll(t *testing.T) {
	var told strings.Builder
	live, interrupted := uint64(0), false
	top := &Shared{limit: 1 << 30, interrupted: func() bool { return interrupted }, err: &told,
		live: func() uint64 { return live }}
	asked := func() bool {
		ended := false
		for range 64 {
			ended = top.Ends()
		}
		return ended
	}
	require.False(t, asked())
	require.NoError(t, top.Told(nil))
	live = 900 << 20
	require.True(t, asked())
	live = 0
	require.True(t, top.Ends(), "what is not played stays so")
	require.ErrorIs(t, top.Told(ErrInterrupted), ErrFailed)
	require.Equal(t, "it stopped at nearly 1GiB of memory: --max-memory raises the limit\n", told.String())
	interrupted = true
	require.ErrorIs(t, top.Told(ErrInterrupted), ErrInterrupted)
}
