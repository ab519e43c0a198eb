//go:build real

package conformance_test

import (
	"fmt"
	"os"
	"runtime/debug"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/statefulsim/statefulsim/sim/conformance"
)

// speedEnv asks for Speed.
const speedEnv = "CONFORMANCE_SPEED"

// rollout is 300 replicas that are created and rolled in order.
const rollout = `{"name": "speed", "kubernetes": %q, "until": "24h",
	"kubelet": {"schedule": "0s", "start": "1s", "ready": "2s", "stop": "2s"},
	"steps": [{"create": {"name": "web", "replicas": 300, "image": "app:v1"}},
		{"setImage": {"statefulset": "web", "image": "app:v2"}}]}`

// TestSpeed prints the CPU time of a rollout with the whole real controller, its informers and its queue, and with the
// simulator's, in the form that benchstat reads, and how many times the one is that of the other. Both play in the same
// world, on its virtual clock. The process may have no other work: it is CPU time, since the clock of the bubble is not
// the machine's. Runs that are not counted come first, until the process has the memory that it goes on with.
//
// Each has the garbage collector of its own program: kube-controller-manager leaves it at Go's default, and sim
// collects late (sim/view/work/memory.go).
func TestSpeed(t *testing.T) {
	v := tested(t)
	if os.Getenv(speedEnv) == "" {
		t.Skip("make bench asks for it")
	}
	c, err := conformance.ParseCase(fmt.Appendf(nil, rollout, v.Kubernetes))
	if err != nil {
		t.Fatal(err)
	}
	const warm, times = 100, 200
	play := func() (int, error) {
		events, err := c.PlayPlain()
		return len(events), err
	}
	cpu(t, warm, play)
	ours := cpu(t, times, play)
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	profile, err := c.Profile()
	if err != nil {
		t.Fatal(err)
	}
	p := player{version: v}
	p.setGates(profile)
	var theirs time.Duration
	synctest.Test(t, func(t *testing.T) {
		m := newManager(v, profile, false)
		stop := m.start()
		defer stop()
		theirs = cpu(t, 1, func() (int, error) {
			events, err := c.Play(m)
			return len(events), err
		})
	})
	fmt.Printf("BenchmarkRollout300/real-%s 1 %d ns/op\n", v.Kubernetes, theirs.Nanoseconds())
	fmt.Printf("BenchmarkRollout300/sim-%s %d %d ns/op %d times-less\n", v.Kubernetes, times, ours.Nanoseconds(),
		theirs/ours)
}

// cpu returns the CPU time of each of so many plays. They have no fewer events than a rollout of 300 replicas has.
func cpu(t *testing.T, times int, play func() (events int, err error)) time.Duration {
	t.Helper()
	before := used(t)
	for range times {
		if events, err := play(); err != nil || events < 3600 {
			t.Fatalf("%d events: %v", events, err)
		}
	}
	return (used(t) - before) / time.Duration(times)
}

// used returns the CPU time of the process so far.
func used(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
