package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// BenchmarkOrderedRollout creates a set in order and rolls it to another image: eight changes of state a replica.
func BenchmarkOrderedRollout(b *testing.B) {
	for _, replicas := range []int32{5, 100, 1_000, 10_000} {
		b.Run(fmt.Sprintf("replicas=%d", replicas), func(b *testing.B) {
			b.ReportAllocs()
			events := 0
			for b.Loop() {
				events = len(orderedRollout(b, replicas))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(events), "ns/event")
			b.ReportMetric(float64(events), "events")
		})
	}
}

func orderedRollout(tb testing.TB, replicas int32) []timeline.Event {
	profile, err := statefulset.Lookup("")
	if err != nil {
		tb.Fatal(err)
	}
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: replicas, ServiceName: "web", Template: template("app:v1"), RevisionHistoryLimit: 10,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}},
		},
	}
	w := sim.New(sim.Config{
		Controller: statefulset.New(profile), API: profile.API(),
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
