package sim_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// after renders what happens to pods and revisions after an instant, with times counted from there. A state does not
// hold the order of what is due at one instant, nor on which node the next pod comes then.
func after(events []timeline.Event, start model.Time) string {
	var lines []string
	for i := range events {
		switch e := &events[i]; e.Kind {
		case timeline.KindPod, timeline.KindRevision:
			lines = append(lines, fmt.Sprintf("%12d %s %s %s %s %s", e.T-start, e.Actor, e.Pod, e.State, e.Image, e.Why.Code))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// TestBeginWhereAnotherStopped stops random worlds at any of their fixed points and begins other ones with their states:
// these go on as the first would have. Delays are constant and nothing goes wrong on the way to the controller, since a
// state does not hold what was drawn, nor what is on its way.
func TestBeginWhereAnotherStopped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		profile, err := statefulset.Lookup(rapid.SampledFrom([]string{"1.24", "1.29", "1.34", "1.36", "1.37"}).Draw(t, "version"))
		require.NoError(t, err)
		constant := func(name string) behaviour.Delay {
			return behaviour.Constant(time.Duration(rapid.IntRange(1, 40).Draw(t, name)) * 100 * time.Millisecond)
		}
		config := sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), MaxEvents: 2_000,
			Kubelet: behaviour.Behaviour{Default: behaviour.Times{
				Schedule: constant("schedule"), Start: constant("start"), Ready: constant("ready"), Stop: constant("stop"),
			}},
		}
		set := randomSet(t)
		w := sim.New(config)
		w.Begin()
		steps := []sim.Step{creating(set)}
		for _, image := range []string{"app:v2", "app:v3"} {
			steps = append(steps, sim.Step{Act: func(u *sim.User) sim.Outcome {
				next := *u.Set(set.Key())
				next.Spec.Template = template(image)
				return outcome(u.Update(&next))
			}})
		}
		for i := range steps {
			w.Act(&steps[i])
			for range rapid.IntRange(0, 25).Draw(t, "instants") {
				if next, open := w.Next(); open {
					w.Move(next)
				}
			}
		}
		if w.Over() {
			return
		}
		start, seen := w.Now(), len(w.Events())
		state := w.State()
		state.Rest = nil
		config.Start = state
		second := sim.New(config)
		second.Begin()
		second.Settle()
		w.Settle()
		var fresh []timeline.Event
		for _, e := range second.Events() {
			if e.Actor != timeline.Dump {
				fresh = append(fresh, e)
			}
		}
		require.Equal(t, after(w.Events()[seen:], start), after(fresh, 0))
	})
}

// TestAStateIsWhole takes the state of a world at every other of its fixed points, in the middle of syncs that are suspended,
// with watches that are late and delays that are drawn. From each of them another world comes to the same end, and so
// does one more: a state stays as it is, whatever becomes of the worlds that began with it.
func TestAStateIsWhole(t *testing.T) {
	config := plainConfig(t)
	config.Kubelet.Default.Ready = behaviour.Uniform(time.Second, 5*time.Second)
	config.Machinery = sim.Machinery{
		Write: behaviour.Uniform(0, 20*time.Millisecond), Watch: behaviour.Uniform(0, 100*time.Millisecond),
		Sync: behaviour.Constant(time.Millisecond),
	}
	config.Faults = []sim.Fault{{
		Number: 1, Verb: "error", Trigger: "the third write", Times: 1, Error: model.Conflict,
		Write: &sim.WriteMatch{Nth: 3},
	}}
	set := &model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: "web"},
		Spec: model.Spec{
			Replicas: 3, Template: template("app:v1"), RevisionHistoryLimit: 10, PodManagement: model.Parallel,
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}}, MinReadySeconds: 2,
		},
	}
	var states []*sim.State
	first := config
	first.Chooser = choose.Sweep(7)
	first.Watch = func(w *sim.World) { states = append(states, w.State()) }
	whole := sim.New(first).Run([]sim.Step{creating(set)})
	require.Greater(t, len(states), 50)
	for i := 1; i < len(states); i += 2 {
		for range 2 {
			again := config
			again.Chooser, again.Start = choose.Sweep(1), states[i]
			require.Equal(t, timeline.Digest(whole), timeline.Digest(sim.New(again).Run(nil)), "fixed point %d", i)
		}
	}
}

// TestAStateSaysWhichNodesCanUseAVolume: the claim of a pod has the zone of the node on which its volume was made.
func TestAStateSaysWhichNodesCanUseAVolume(t *testing.T) {
	text, err := os.ReadFile("../scenarios/claims/bound-to-its-zone.yaml")
	require.NoError(t, err)
	s, err := scenario.Parse("bound-to-its-zone.yaml", text, nil, scenario.Options{})
	require.NoError(t, err)
	config, reach := s.Config(scenario.RunOptions{}), map[string]string{}
	config.Settled = func(w *sim.World) {
		for _, claim := range w.State().Claims {
			reach[claim.Name] = claim.Reach
		}
	}
	sim.New(config).Run(s.Steps)
	in := func(zone string) string {
		return `{"nodeSelectorTerms":[{"matchExpressions":[{"key":"topology.kubernetes.io/zone","operator":"In","values":["` +
			zone + `"]}]}]}`
	}
	require.Equal(t, map[string]string{"data-web-0": in("a"), "data-web-1": in("b"), "data-web-2": in("c")}, reach)
}
