package sim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func plainConfig(t *testing.T) sim.Config {
	profile, err := statefulset.Lookup("")
	require.NoError(t, err)
	return sim.Config{
		Controller: statefulset.New(profile), API: profile.API(),
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{
			Schedule: behaviour.Constant(0), Start: behaviour.Constant(time.Second),
			Ready: behaviour.Constant(2 * time.Second), Stop: behaviour.Constant(4 * time.Second),
		}},
	}
}

// TestBeginFromObjects stops a rollout in the middle and begins another world with the objects that it has: the second
// ends as the first would, wherever it was stopped.
func TestBeginFromObjects(t *testing.T) {
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: 3, Template: template("app:v1"), RevisionHistoryLimit: 10,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}},
		},
	}
	update := sim.Step{Number: 2, Act: func(u *sim.User) sim.Outcome {
		next := *u.Set(set.Key())
		next.Spec.Template = template("app:v2")
		return outcome(u.Update(&next))
	}}
	for _, until := range []time.Duration{1, 500, 1500, 3000, 9500, 10500, 13500, 14200, 15500, 40000} {
		t.Run((until * time.Millisecond).String(), func(t *testing.T) {
			config := plainConfig(t)
			config.Until = until * time.Millisecond
			first := sim.New(config)
			var revisions []*model.Revision
			look := func(u *sim.User) sim.Outcome {
				revisions = u.Revisions(set.Key())
				return sim.Outcome{Effect: timeline.None}
			}
			first.Run([]sim.Step{creating(set), update, {Number: 3, When: sim.When{Trigger: sim.At, D: config.Until}, Act: look}})
			state := &sim.State{Objects: store.Objects{Sets: first.Sets(), Pods: first.Pods(), Revisions: revisions}}
			state = state.Rebase(first.Now())
			second := sim.NewFrom(plainConfig(t), state)
			events := second.Run(nil)
			require.Equal(t, timeline.Settled, events[len(events)-1].Result.Verdict)
			require.Len(t, second.Pods(), 3)
			images := map[string]bool{}
			for _, pod := range second.Pods() {
				require.True(t, pod.Serving())
				images[pod.Template.Image()] = true
			}
			require.Len(t, images, 1)
			require.Equal(t, len(state.Pods), len(slices.DeleteFunc(slices.Clone(events), func(e timeline.Event) bool {
				return e.Actor != timeline.Dump || e.Kind != timeline.KindPod || e.State == timeline.Terminating
			})))
		})
	}
}
