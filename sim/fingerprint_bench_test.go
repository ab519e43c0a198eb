package sim_test

import (
	"testing"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// BenchmarkFingerprint creates a set of three, changes its image, and takes the fingerprint at each fixed point: what
// an exploration does that prunes states. The fingerprints alone are timed.
func BenchmarkFingerprint(b *testing.B) {
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: 3, Template: template("app:v1"), RevisionHistoryLimit: 10,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}},
		},
	}
	config, prints := plainConfig(b), 0
	b.StopTimer()
	for range b.N {
		w := sim.New(config)
		look := func() {
			b.StartTimer()
			w.Fingerprint()
			b.StopTimer()
			prints++
		}
		w.Begin()
		steps := []sim.Step{creating(set), {Act: func(u *sim.User) sim.Outcome {
			next := *u.Set(set.Key())
			next.Spec.Template = template("app:v2")
			return outcome(u.Update(&next))
		}}}
		for i := range steps {
			w.Act(&steps[i])
			look()
			for next, open := w.Next(); open; next, open = w.Next() {
				w.Move(next)
				look()
			}
		}
	}
	b.ReportMetric(float64(prints)/b.Elapsed().Seconds(), "fingerprints/s")
	b.ReportMetric(float64(prints)/float64(b.N), "fingerprints/run")
}
