package sim_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestOwners makes random worlds in which people relabel pods, make some by hand, and delete sets without their pods, of
// two sets that select the same. When such a world has come to rest every set owns just the pods that match it, the
// timeline says so, and nothing is left to do. (In 1.16 a set may never get over revisions that are left behind.)
func TestOwners(t *testing.T) {
	adopted, released := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		profile, err := statefulset.Lookup(rapid.SampledFrom([]string{"1.22", "1.27.4", "1.36", "1.37"}).Draw(t, "version"))
		require.NoError(t, err)
		second := behaviour.Constant(time.Second)
		w := sim.New(sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), Until: time.Hour, MaxEvents: 20_000,
			Kubelet: behaviour.Behaviour{Default: behaviour.Times{Start: second, Ready: second, Stop: second}},
		})
		steps := make([]sim.Step, rapid.IntRange(1, 12).Draw(t, "steps"))
		for i := range steps {
			steps[i] = sim.Step{Number: i + 1, Act: drawOwnersAct(t)}
			if rapid.Bool().Draw(t, "timed") {
				d := time.Duration(rapid.IntRange(0, 3).Draw(t, "after")) * 500 * time.Millisecond
				steps[i].When = sim.When{Trigger: sim.After, D: d}
			}
		}
		events := w.Run(steps)
		for i := range events {
			if owned := events[i].Owned; owned != nil && events[i].Pod != "" && owned.Change == timeline.Adopted {
				adopted++
			} else if owned != nil && owned.Change == timeline.Released {
				released++
			}
		}
		checkOwners(t, w, events)
		before := len(w.Events())
		w.Resync()
		for _, e := range written(w.Events()[before:]) {
			// Nobody is told of revisions that are left behind, so that a set may only now find them.
			require.False(t, e.Kind == timeline.KindPod || e.Kind == timeline.KindOwner && e.Pod != "",
				"a settled world is at a fixed point: %s %s (%s)", e.Pod, e.State, e.Why.Code)
		}
	})
	t.Logf("%d adopted, %d released", adopted, released)
	if !testing.Short() { // A quick run has a fifth of the worlds, in which none may be released.
		require.NotZero(t, adopted)
		require.NotZero(t, released)
	}
}

// checkOwners holds the owners of all pods that stay against the sets, and against the timeline.
func checkOwners(t *rapid.T, w *sim.World, events []timeline.Event) {
	fold := timeline.EndOf(events)
	for _, set := range w.Sets() {
		var owned, told []string
		for _, pod := range w.Pods() {
			owner := pod.Controller()
			isOwner := owner != nil && owner.UID == set.UID
			require.False(t, isOwner && !set.Claims(pod), "%s has not released %s", set.Name, pod.Name)
			require.False(t, owner == nil && set.Claims(pod), "%s has not adopted %s", set.Name, pod.Name)
			if isOwner {
				owned = append(owned, pod.Name)
			}
		}
		for pod := range fold.Set(set.Key()).Pods.All {
			told = append(told, pod.Name)
		}
		require.Equal(t, owned, told, "what %s owns, and what the timeline says", set.Name)
	}
}

// drawOwnersAct draws what somebody does to a set or to a pod.
func drawOwnersAct(t *rapid.T) func(*sim.User) sim.Outcome {
	name := rapid.SampledFrom([]string{"web", "api"}).Draw(t, "set")
	key := model.Key{Namespace: "default", Name: name}
	pod := model.Key{Namespace: "default", Name: fmt.Sprintf("%s-%d", name, rapid.IntRange(0, 3).Draw(t, "pod"))}
	set := randomSet(t)
	set.Name, set.Spec.Replicas, set.Spec.MinReadySeconds = name, min(set.Spec.Replicas, 4), 0
	set.Spec.Template = template("app:" + name)
	labels := map[string]string{"app": rapid.SampledFrom([]string{"web", "other"}).Draw(t, "app")}
	switch rapid.IntRange(0, 7).Draw(t, "act") {
	case 0, 1, 2:
		return func(u *sim.User) sim.Outcome {
			stored, err := u.Create(set)
			if err != nil {
				return sim.Outcome{Effect: timeline.None}
			}
			return outcome(stored, nil)
		}
	case 3, 4:
		return func(u *sim.User) sim.Outcome { u.LabelPod(pod, labels, nil); return sim.Outcome{} }
	case 5:
		return func(u *sim.User) sim.Outcome {
			made := &model.Pod{Template: template("tool")}
			made.Namespace, made.Name, made.Labels = pod.Namespace, pod.Name, labels
			u.CreatePod(made)
			return sim.Outcome{}
		}
	case 6:
		return func(u *sim.User) sim.Outcome { u.DeletePod(pod, false); return sim.Outcome{} }
	}
	policy := rapid.SampledFrom([]sim.DeletionPolicy{sim.Orphan, sim.Orphan, sim.Background}).Draw(t, "policy")
	return func(u *sim.User) sim.Outcome {
		if u.DeleteSet(key, policy) != nil {
			return sim.Outcome{Effect: timeline.None}
		}
		return sim.Outcome{Removed: []model.Key{key}}
	}
}
