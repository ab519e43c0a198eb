package sim_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// rollout creates a set and rolls it to another image: eight changes of state a replica. With down it is scaled to 0
// afterwards; claims are the claim templates of each pod.
type rollout struct {
	name      string
	replicas  int32
	policy    model.PodManagement
	machinery sim.Machinery
	down      bool
	claims    int
}

// slow is an API server that takes 5 ms for each write.
var slow = sim.Machinery{Write: behaviour.Constant(5 * time.Millisecond)}

// large are the rollouts that are only measured by `make bench`.
var large = []rollout{
	{name: "ordered/replicas=10000", replicas: 10_000},
	{name: "ordered/replicas=100000", replicas: 100_000},
	{name: "parallel/replicas=3", replicas: 3, policy: model.Parallel},
	{name: "parallel/replicas=10000", replicas: 10_000, policy: model.Parallel},
	{name: "parallel/replicas=100000", replicas: 100_000, policy: model.Parallel},
	{name: "latency/replicas=10000", replicas: 10_000, machinery: slow},
	{name: "latency/replicas=100000", replicas: 100_000, machinery: slow},
	{name: "down/ordered/replicas=1000", replicas: 1_000, down: true},
	{name: "down/parallel/replicas=10000", replicas: 10_000, policy: model.Parallel, down: true},
	{name: "claims/replicas=1000", replicas: 1_000, claims: 1},
}

// BenchmarkRollout is what `make bench` prints, in the form that benchstat compares.
func BenchmarkRollout(b *testing.B) {
	for _, r := range slices.Concat(rollouts, large) {
		b.Run(r.name, func(b *testing.B) {
			events := 0
			resetPeak()
			allocs, bytes := allocated(1, func() {
				for b.Loop() {
					events = len(r.play(b))
				}
			})
			each := float64(b.N) * float64(events)
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/each, "ns/event")
			b.ReportMetric(float64(allocs)/each, "allocs/event")
			b.ReportMetric(float64(bytes)/each, "B/event")
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rollouts/s")
			b.ReportMetric(float64(events), "events")
			if peak := peak(); peak > 0 {
				b.ReportMetric(peak, "peak-MB")
			}
		})
	}
}

// resetPeak lets the peak of the process's memory begin anew, and peak returns it in MB, where the system tells it:
// Linux does.
func resetPeak() {
	runtime.GC()
	debug.FreeOSMemory()
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

func peak() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes float64
	_, _ = fmt.Sscan(rest, &kilobytes)
	return kilobytes / 1024
}

func (r *rollout) play(tb testing.TB) []timeline.Event {
	profile, err := statefulset.Lookup("")
	if err != nil {
		tb.Fatal(err)
	}
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: r.replicas, ServiceName: "web", Template: template("app:v1"), RevisionHistoryLimit: 10,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}}, PodManagement: r.policy,
		},
	}
	w := sim.New(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), Machinery: r.machinery,
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{
			Schedule: behaviour.Constant(0), Start: behaviour.Constant(time.Second),
			Ready: behaviour.Constant(2 * time.Second), Stop: behaviour.Constant(2 * time.Second),
		}},
	})
	for i := range r.claims {
		set.Spec.ClaimTemplates = append(set.Spec.ClaimTemplates, model.ClaimTemplate{Name: fmt.Sprint("data", i)})
	}
	changed := func(number int, change func(*model.Spec)) sim.Step {
		return sim.Step{Number: number, Act: func(u *sim.User) sim.Outcome {
			next := *u.Set(set.Key())
			change(&next.Spec)
			return outcome(u.Update(&next))
		}}
	}
	steps := []sim.Step{creating(set), changed(2, func(s *model.Spec) { s.Template = template("app:v2") })}
	if r.down {
		steps = append(steps, changed(3, func(s *model.Spec) { s.Replicas = 0 }))
	}
	events := w.Run(steps)
	if verdict := events[len(events)-1].Result.Verdict; verdict != timeline.Settled {
		tb.Fatalf("the run ended %s", verdict)
	}
	return events
}
