package sim_test

import (
	"testing"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// rollout creates a set and rolls it to another image: eight changes of state a replica.
type rollout struct {
	name      string
	replicas  int32
	policy    model.PodManagement
	machinery sim.Machinery
}

// BenchmarkRollout is what `make bench` prints, in the form that benchstat compares.
func BenchmarkRollout(b *testing.B) {
	for _, r := range append(rollouts, rollout{name: "ordered/replicas=10000", replicas: 10_000},
		rollout{name: "ordered/replicas=100000", replicas: 100_000},
		rollout{name: "parallel/replicas=10000", replicas: 10_000, policy: model.Parallel}) {
		b.Run(r.name, func(b *testing.B) {
			events := 0
			allocs, bytes := allocated(func() {
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
		})
	}
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
	events := w.Run([]sim.Step{creating(set), {Number: 2, Act: func(u *sim.User) sim.Outcome {
		next := *u.Set(set.Key())
		next.Spec.Template = template("app:v2")
		return outcome(u.Update(&next))
	}}})
	if verdict := events[len(events)-1].Result.Verdict; verdict != timeline.Settled {
		tb.Fatalf("the run ended %s", verdict)
	}
	return events
}
