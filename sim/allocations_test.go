package sim_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// rollouts are what is measured: a set is created, and rolled to another image.
var rollouts = []rollout{
	{name: "ordered/replicas=3", replicas: 3},
	{name: "ordered/replicas=5", replicas: 5},
	{name: "ordered/replicas=100", replicas: 100},
	{name: "ordered/replicas=1000", replicas: 1_000},
	{name: "parallel/replicas=100", replicas: 100, policy: model.Parallel},
	{name: "parallel/replicas=1000", replicas: 1_000, policy: model.Parallel},
	{name: "latency/replicas=100", replicas: 100, machinery: slow},
	{name: "latency/replicas=1000", replicas: 1_000, machinery: slow},
}

// TestAllocations holds what a run allocates to what it allocated when the baseline was written: a tenth more is a
// failure, a tenth less a reason to write it anew with -update. Counts do not depend on how busy the machine is.
func TestAllocations(t *testing.T) {
	const baseline = "testdata/allocations.txt"
	var lines []string
	for _, r := range rollouts {
		events := len(r.play(t))
		allocs, bytes := allocated(5, func() { r.play(t) })
		lines = append(lines, fmt.Sprintf("%-24s %7d events %8d allocs %10d bytes", r.name, events, allocs, bytes))
	}
	goldenfile.Write(t, baseline, strings.Join(lines, "\n")+"\n")
	text, err := os.ReadFile(baseline)
	require.NoError(t, err)
	before := strings.Split(strings.TrimSpace(string(text)), "\n")
	require.Len(t, before, len(lines), "write the baseline anew with -update")
	for i, line := range lines {
		is, was := read(t, line), read(t, before[i])
		require.Equal(t, was.events, is.events, line)
		require.LessOrEqual(t, is.allocs, was.allocs+was.allocs/10, "allocations of %s", line)
		require.LessOrEqual(t, is.bytes, was.bytes+was.bytes/10, "bytes of %s", line)
	}
}

type measured struct{ events, allocs, bytes int }

func read(t *testing.T, line string) (m measured) {
	var name string
	_, err := fmt.Sscanf(line, "%s %d events %d allocs %d bytes", &name, &m.events, &m.allocs, &m.bytes)
	require.NoError(t, err, line)
	return m
}

// allocated counts what a call allocates. The runtime and the goroutines of a test that has ended allocate now and then
// too, which can only add: the least of several calls is what the call itself needs. A benchmark is called once, since
// b.Loop ends for good.
func allocated(times int, call func()) (allocs, bytes uint64) {
	for i := range times {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		a, b := after.Mallocs-before.Mallocs, after.TotalAlloc-before.TotalAlloc
		if i == 0 {
			allocs, bytes = a, b
		}
		allocs, bytes = min(allocs, a), min(bytes, b)
	}
	return allocs, bytes
}
