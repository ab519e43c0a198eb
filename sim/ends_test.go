package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

const (
	twoPods = "- create: {name: web, replicas: 2, image: \"app:v1\"}\n"
	// hotLoop is what the hot loop of 1.37 needs: web-0 is lost in the middle of an update.
	hotLoop = "- create: {name: web, replicas: 4, image: \"app:v1\", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}\n" +
		"- setImage: {image: \"app:v2\"}\n- {after: 2s, delete: pod/web-0}\n"
)

// TestHowARunEnds says of each way in which a run can end which verdict it has, at which instant, with which words, and
// which warnings: above all of the steps that it did not come to.
func TestHowARunEnds(t *testing.T) {
	for _, test := range []struct {
		name, before, steps string
		limits              strict.Limits
		verdict             timeline.Verdict
		at, message         string
		warnings            []string
	}{
		{name: "it settles", steps: twoPods, verdict: timeline.Settled, at: "6"},
		{
			name: "a refusal", steps: twoPods + "- patch: {spec: {serviceName: other}}\n- scale: {replicas: 3}\n", verdict: timeline.WasRefused,
			at: "6", message: `StatefulSet.apps "web" is invalid: spec.serviceName: Invalid value: "other": field is immutable`,
		},
		{
			name: "a refusal that is expected", verdict: timeline.Settled, at: "9",
			steps: twoPods + "- {patch: {spec: {serviceName: other}}, refused: spec.serviceName}\n- scale: {replicas: 3}\n",
		},
		{
			name: "another refusal than the one that is expected", verdict: timeline.WasRefused, at: "6", message: "is invalid",
			steps: twoPods + "- {patch: {spec: {serviceName: other}}, refused: spec.selector}\n",
		},
		{
			name: "two processes of one identity, of which one was cut off", verdict: timeline.Settled, at: "702",
			steps:    twoPods + "- {at: 100s, nodeDown: node-2}\n- {at: 500s, delete: pod/web-1, force: true}\n- {at: 700s, nodeUp: node-2}\n",
			warnings: []string{"two processes were default/web-1, from 8m21s to 11m42s"},
		},
		{
			name: "a change that only another version of the API server takes", before: "kubernetes: \"1.32\"\n",
			steps: twoPods + "- {patch: {spec: {revisionHistoryLimit: 3}}, refused: \"updates to statefulset spec\"}\n" +
				"- upgradeControlPlane: \"1.36\"\n- patch: {spec: {revisionHistoryLimit: 3}}\n",
			verdict: timeline.Settled, at: "6",
		},
		{
			name: "the limit of time", before: "until: 1m\n", steps: twoPods + "- {at: 2m, scale: {replicas: 1}}\n", verdict: timeline.Limit,
			at: "60", warnings: []string{"step 2 was not played: the run ended before"},
		},
		{
			name: "just before the limit of time", before: "until: 1m\n", steps: twoPods + "- {at: 1m, scale: {replicas: 1}}\n",
			verdict: timeline.Limit, at: "60",
		},
		{
			name: "more replicas than a run may have", limits: strict.Limits{Replicas: 3}, verdict: timeline.Limit, at: "6",
			steps:   twoPods + "- create: {name: db, replicas: 2, image: \"app:v1\"}\n",
			message: "the sets want 4 replicas together, and 3 is the most: --max-replicas raises the limit",
		},
		{
			name: "as many replicas as a run may have", limits: strict.Limits{Replicas: 4}, verdict: timeline.Settled, at: "12",
			steps: twoPods + "- create: {name: db, replicas: 2, image: \"app:v1\"}\n",
		},
		{
			name: "more events than a run may have", limits: strict.Limits{Events: 10}, verdict: timeline.Limit, at: "3", steps: twoPods,
			message: "the run was ended at 10 events: --max-events raises the limit",
		},
		{
			name: "a command that times out", before: "kubelet: {ready: 20s}\n", verdict: timeline.Settled, at: "42",
			steps: twoPods + "- {when: {rolloutStatus: web, timeout: 30s}, scale: {replicas: 3}}\n- restart: {}\n",
			warnings: []string{"steps 2 to 3 were not played: kubectl rollout status statefulset/web --timeout=30s: " +
				"error: timed out waiting for the condition"},
		},
		{
			name: "a command that returns at the instant of its timeout", before: "kubelet: {ready: 20s}\n", verdict: timeline.Settled, at: "63",
			steps: twoPods + "- {when: {rolloutStatus: web, timeout: 42s}, scale: {replicas: 3}}\n",
		},
		{
			name: "a command that never returns", before: "kubelet: {ready: never}\n", verdict: timeline.IsStuck, at: "1",
			steps:    twoPods + "- {when: {rolloutStatus: web}, scale: {replicas: 3}}\n",
			warnings: []string{"step 2 was not played: kubectl rollout status statefulset/web: it would never return"},
		},
		{
			name: "a hot loop with steps behind it", before: "kubernetes: \"1.37\"\n", steps: hotLoop + "- {after: 1m, delete: pod/web-1}\n",
			verdict: timeline.Livelock, at: "7", warnings: []string{"step 4 was not played: the run ended before; a livelock is played on to a " +
				"step that changes the StatefulSet or its controller, at a time (at, after)"},
		},
		{
			name: "a hot loop that is played on to the limit of time", before: "kubernetes: \"1.37\"\nuntil: 1m\n",
			steps:   hotLoop + "- {after: 2m, patch: {spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}}\n",
			verdict: timeline.Livelock, at: "60", warnings: []string{
				"at 7s the controller kept writing and did not converge; so that the steps to come are played, its calls took time " +
					"from then on: 1ms each, and at most 20 a second after the first 30",
				"step 4 was not played: the run ended before",
			},
		},
		{
			name: "a long run of short instants", before: "until: 3h\nkubelet: {rules: [{match: {pod: web-1}, fail: 5s}]}\n",
			steps: twoPods, verdict: timeline.Limit, at: "10800",
		},
		{
			name: "a fault that brings the set back in no time", verdict: timeline.Limit, at: "2.1",
			before: "kubernetes: 1.27.0\napiserver: {watch: 100ms}\nfaults:\n- {times: always, watch: {break: 0s}, write: {nth: 3}}\n",
			steps:  twoPods + "- {at: 2s, label: {pod: web-0, labels: {app: other}}}\n",
			message: "10304 syncs at 2.1s, and no end of them: something that takes no time brings a set back at once; " +
				"give it a millisecond",
		},
		{
			name: "five pods that fail for ever", verdict: timeline.Limit, at: "48", before: "kubelet: {rules: [{match: {pod: \"web-*\"}, fail: 5s}]}\n",
			steps: "- create: {name: web, replicas: 5, image: \"app:v1\", podManagementPolicy: Parallel}\n",
			message: "it repeats itself every 6s, and never ends: web-0 is Running, Ready, Failed, Terminating, Gone, Pending, " +
				"web-1 is Running, Ready, Failed, Terminating, Gone, Pending, web-2 is Running, Ready, Failed, Terminating, Gone, Pending, " +
				"and 2 more pods; --until plays it on to an instant",
		},
		{
			name: "a pod that is Ready twice before it fails", verdict: timeline.Limit, at: "251",
			before: "kubelet: {rules: [{match: {pod: web-1}, crash: 2s, crashes: 1, fail: 30s}]}\n", steps: twoPods,
			message: "it repeats itself every 31s, and never ends: web-1 is Running, Unready, Ready, Failed, Terminating, Gone, Pending; ",
		},
		{
			name: "a fault of the writes in another namespace", verdict: timeline.Settled, at: "6", steps: twoPods,
			before:   "faults:\n- {times: always, error: InternalError, write: {kind: pod, namespace: other}}\n",
			warnings: []string{"fault 1 never happened: it waits for a write: pod"},
		},
		{
			name: "a fault of the writes in this namespace", verdict: timeline.IsStuck, at: "0", steps: twoPods,
			before: "faults:\n- {times: always, error: InternalError, write: {kind: pod, namespace: \"def*\"}}\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s, err := scenario.Parse("test.yaml", []byte(test.before+"steps:\n"+test.steps), nil, scenario.Options{Limits: test.limits})
			require.NoError(t, err)
			events := s.Run(scenario.RunOptions{}).Timeline
			last := events[len(events)-1]
			require.Equal(t, test.verdict, last.Result.Verdict)
			require.Equal(t, test.at, last.T.Seconds())
			require.Contains(t, last.Message, test.message)
			require.Equal(t, test.warnings, last.Result.Warnings)
		})
	}
}

// TestTheCallerEndsARun says how often the caller is asked whether a run is to end, and what becomes of the answer.
func TestTheCallerEndsARun(t *testing.T) {
	config := plainConfig(t)
	config.Exhausted = func() string { return "" }
	require.Equal(t, timeline.Settled, ending(sim.New(config)).Result.Verdict)
	config.Exhausted = func() string { return "it costs too much" }
	last := ending(sim.New(config))
	require.Equal(t, timeline.Limit, last.Result.Verdict)
	require.Equal(t, "it costs too much", last.Message)
	config.Exhausted, config.Interrupted = nil, func() bool { return true }
	require.Equal(t, timeline.Interrupted, ending(sim.New(config)).Result.Verdict)
}

// TestTheCallerHearsWhenAllHasSettled after the last step, and not at all of a run that is over by then.
func TestTheCallerHearsWhenAllHasSettled(t *testing.T) {
	for _, test := range []struct {
		refused string
		heard   bool
	}{{"", true}, {"no", false}} {
		config, heard := plainConfig(t), false
		config.Settled = func(w *sim.World) {
			heard = true
			require.Len(t, w.Pods(), 1)
			require.True(t, w.Pods()[0].Ready)
		}
		sim.New(config).Run([]sim.Step{creating(setOfOne()), {Number: 2, When: sim.When{Trigger: sim.At}, Act: func(*sim.User) sim.Outcome {
			if test.refused == "" {
				return sim.Outcome{}
			}
			return sim.Outcome{Err: &model.APIError{Message: test.refused}}
		}}})
		require.Equal(t, test.heard, heard)
	}
}

// ending plays the creation of a set of one pod, and returns the result.
func ending(w *sim.World) timeline.Event {
	events := w.Run([]sim.Step{creating(setOfOne())})
	return events[len(events)-1]
}

// TestARunThatForgetsKnowsItsRounds: what is said of a run that repeats itself is the same without a history, and the
// chooser of a caller who gives none draws nothing.
func TestARunThatForgetsKnowsItsRounds(t *testing.T) {
	said := func(forget bool) string {
		config := failing(t)
		config.Cycles, config.NoHistory, config.MaxEvents = true, forget, 5_000
		config.Written = func([]timeline.Event) {}
		return ending(sim.New(config)).Message
	}
	require.Equal(t, "it repeats itself every 6s, and never ends: web-0 is Running, Ready, Failed, Terminating, Gone, Pending; "+
		"--until plays it on to an instant", said(false))
	require.Equal(t, said(false), said(true))
}

// TestMemoryThatWorldsShare: worlds that use the memory of those before them play the same, and a timeline that was
// handed on before they left stays as it is.
func TestMemoryThatWorldsShare(t *testing.T) {
	spare := &sim.Spare{}
	play := func(spare *sim.Spare) string {
		config := plainConfig(t)
		config.Spare = spare
		w := sim.New(config)
		digest := timeline.Digest(w.Run([]sim.Step{creating(setOfOne())}))
		sim.Leave(w)
		return digest
	}
	alone := play(nil)
	for range 3 {
		require.Equal(t, alone, play(spare))
	}
	allocations := func(spare *sim.Spare) float64 { return testing.AllocsPerRun(20, func() { play(spare) }) }
	require.Less(t, allocations(spare), allocations(nil))
}

// TestFingerprintsInSharedMemory: an object in the memory of another one has a hash of its own, and one that a held
// world shares stays.
func TestFingerprintsInSharedMemory(t *testing.T) {
	begin := func(spare *sim.Spare, name string) *sim.World {
		config, set := plainConfig(t), setOfOne()
		config.Spare, set.Name = spare, name
		w := sim.New(config)
		w.Begin()
		step := creating(set)
		w.Act(&step)
		w.Settle()
		return w
	}
	spare := &sim.Spare{}
	held := begin(spare, "held")
	before, state := held.Fingerprint(), held.Hold()
	sim.Leave(held)
	for _, name := range []string{"one", "two", "one", "two"} {
		w := begin(spare, name)
		require.Equal(t, begin(nil, name).Fingerprint(), w.Fingerprint(), name)
		sim.Leave(w)
	}
	config := plainConfig(t)
	config.Start = state
	resumed := sim.New(config)
	resumed.Begin()
	require.Equal(t, before, resumed.Fingerprint())
}
