package sim_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// trouble is a world in which things take time and go wrong.
type trouble struct {
	version string
	// gate is the feature gate MaxUnavailableStatefulSet.
	gate  bool
	set   *model.StatefulSet
	steps []sim.Step
	// healthy is true where nothing is drawn that keeps a pod from ever being ready.
	healthy   bool
	machinery sim.Machinery
	faults    []sim.Fault
	kubelet   behaviour.Behaviour
	seed      uint64
}

func randomTrouble(t *rapid.T) *trouble {
	tr := &trouble{
		version: rapid.SampledFrom([]string{"1.24", "1.29", "1.34", "1.35.0", "1.35", "1.36", "1.37"}).Draw(t, "version"),
		gate:    rapid.Bool().Draw(t, "gate"), set: randomSet(t), seed: rapid.Uint64Range(0, 1000).Draw(t, "seed"),
		healthy: rapid.Bool().Draw(t, "healthy"), machinery: randomMachinery(t), kubelet: randomKubelet(t),
	}
	if rapid.IntRange(0, 3).Draw(t, "claims") == 0 {
		tr.set.Spec.ClaimTemplates = []model.ClaimTemplate{{Name: "data", Data: "{}"}}
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "faults") {
		tr.faults = append(tr.faults, randomFault(t, i+1))
	}
	tr.steps = randomSteps(t, tr.set)
	if tr.healthy {
		tr.kubelet.Rules = tr.kubelet.Rules[2:]
	}
	return tr
}

func randomDelay(t *rapid.T, name string) behaviour.Delay {
	switch rapid.IntRange(0, 4).Draw(t, name) {
	case 0, 1:
		return nil
	case 2:
		return behaviour.Constant(time.Duration(rapid.SampledFrom([]int{1, 5, 100, 2000}).Draw(t, name+" ms")) * time.Millisecond)
	case 3:
		return behaviour.Uniform(0, time.Duration(rapid.IntRange(1, 3000).Draw(t, name+" ms"))*time.Millisecond)
	}
	return behaviour.Choice([]behaviour.Weighted{
		{Value: behaviour.Constant(0), Weight: 3}, {Value: behaviour.Constant(4 * time.Second), Weight: 1},
	})
}

func randomMachinery(t *rapid.T) sim.Machinery {
	return sim.Machinery{
		Write: randomDelay(t, "write"), Watch: randomDelay(t, "watch"), Sync: randomDelay(t, "sync"),
		Workers: rapid.IntRange(0, 2).Draw(t, "workers"), Burst: 1,
		QPS:    rapid.SampledFrom([]int{0, 0, 0, 1, 20}).Draw(t, "qps"),
		Resync: time.Duration(rapid.SampledFrom([]int{0, 0, 30}).Draw(t, "resync")) * time.Second,
	}
}

func randomFault(t *rapid.T, number int) sim.Fault {
	f := sim.Fault{Number: number, Times: rapid.IntRange(1, 4).Draw(t, "times")}
	if rapid.Bool().Draw(t, "by chance") {
		f.Chance = sim.Chance{Of: 1, Among: rapid.IntRange(2, 5).Draw(t, "chance")}
	}
	switch rapid.IntRange(0, 3).Draw(t, "trigger") {
	case 0:
		at := time.Duration(rapid.IntRange(0, 40_000).Draw(t, "at")) * time.Millisecond
		f.At = &at
	case 1:
		state := rapid.SampledFrom(timeline.StateNames()).Draw(t, "state")
		f.Pod = func(e *timeline.Event) bool { return e.State.String() == state }
	default:
		f.Write = randomWrite(t)
		if rapid.Bool().Draw(t, "error") {
			f.Verb, f.Error = "error", rapid.SampledFrom([]model.ErrorReason{
				model.AlreadyExists, model.NotFound, model.Conflict, model.Invalid, model.Forbidden, model.Timeout, model.TooManyRequests,
				model.InternalError,
			}).Draw(t, "reason")
			return f
		}
		if rapid.Bool().Draw(t, "lost") {
			f.Verb, f.LoseAnswer = "loseAnswer", true
			return f
		}
	}
	f.Act = randomHarm(t)
	return f
}

func randomWrite(t *rapid.T) *sim.WriteMatch {
	m := &sim.WriteMatch{Nth: rapid.IntRange(1, 4).Draw(t, "nth")}
	if rapid.Bool().Draw(t, "of a verb") {
		m.Verbs = []model.Verb{rapid.SampledFrom([]model.Verb{model.Create, model.Delete, model.UpdateStatus}).Draw(t, "verb")}
	}
	return m
}

// randomHarm draws what a fault does beside a write.
func randomHarm(t *rapid.T) func(*sim.User) sim.Outcome {
	d := time.Duration(rapid.IntRange(0, 8_000).Draw(t, "ms")) * time.Millisecond
	kind := model.Kind(rapid.IntRange(0, int(model.KindRevision)).Draw(t, "kind"))
	pod := model.Key{Namespace: "default", Name: fmt.Sprintf("web-%d", rapid.IntRange(0, 5).Draw(t, "harmed"))}
	do := rapid.SampledFrom([]func(*sim.User){
		func(u *sim.User) { u.RestartController(sim.Beginning{After: d}) },
		func(u *sim.User) { u.SlowWatch(kind, d, 2*d) },
		func(u *sim.User) { u.BreakWatch(kind, d) },
		func(u *sim.User) { u.DeletePod(pod, false) },
		func(u *sim.User) { u.DeletePod(pod, true) },
		func(u *sim.User) { u.FailPod(pod, "Evicted") },
		func(u *sim.User) { u.UnreadyPod(pod, d+1) },
	}).Draw(t, "harm")
	return func(u *sim.User) sim.Outcome {
		do(u)
		return sim.Outcome{Effect: timeline.Done}
	}
}

// run plays the world. The last step waits until all has come to rest, and sees what has become of it.
func (tr *trouble) run(t require.TestingT, watch func(*sim.World)) (*sim.World, timeline.Result) {
	config := tr.config(t)
	config.Watch = watch
	w := sim.New(config)
	events := w.Run(append([]sim.Step{creating(tr.set)}, tr.steps...))
	return w, *events[len(events)-1].Result
}

func (tr *trouble) config(t require.TestingT) sim.Config {
	profile, err := statefulset.Lookup(tr.version)
	require.NoError(t, err)
	if profile.Knows("MaxUnavailableStatefulSet") {
		profile, err = profile.WithGates(map[string]bool{"MaxUnavailableStatefulSet": tr.gate})
		require.NoError(t, err)
	}
	return sim.Config{
		Controller: statefulset.New(profile), API: profile.API(), Kubelet: tr.kubelet, Chooser: choose.Seeded(tr.seed),
		Machinery: tr.machinery, Faults: tr.faults, Until: 24 * time.Hour, MaxEvents: 5_000,
	}
}

// TestFaults makes random worlds in which things take time and go wrong. However that is: a name has one pod at a time,
// no claim goes that nobody deletes, and once nothing goes wrong any more the set is complete, or it waits for something
// that the result names.
func TestFaults(t *testing.T) {
	verdicts := map[timeline.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		tr := randomTrouble(t)
		alive, finished := map[string]bool{}, map[model.UID]bool{}
		next := 0
		w, result := tr.run(t, func(w *sim.World) {
			for ; next < len(w.Events()); next++ {
				e := &w.Events()[next]
				require.False(t, e.State == timeline.Pending && alive[e.Pod], "%s is made while its namesake is there", e.Pod)
				require.False(t, e.State == timeline.Ready && finished[e.UID], "%s is Ready, although it has ended", e.Pod)
				require.False(t, e.Claim != nil && e.Claim.Type == model.Deleted, "a claim goes that nobody deletes")
				if e.Kind == timeline.KindPod {
					alive[e.Pod] = e.State != timeline.Gone
					finished[e.UID] = finished[e.UID] || e.State == timeline.Failed || e.State == timeline.Succeeded
				}
			}
		})
		verdicts[result.Verdict]++
		switch result.Verdict {
		case timeline.Settled:
			requireComplete(t, w)
		case timeline.IsStuck:
			require.NotEmpty(t, result.Stuck)
			requireReason(t, w, result.Stuck)
		default:
			require.True(t, mayLoop(w), "the run ended in the verdict %s at %s", result.Verdict, w.Now().Seconds())
		}
	})
	t.Log(verdicts)
	requireMet(t, verdicts[timeline.Settled], "settled")
	requireMet(t, verdicts[timeline.IsStuck], "stuck")
}

// mayLoop says whether the set may be rolled without end. Where the strategy has a type and no block a pod is made at the
// revision that status.currentReplicas asks for. 1.37 makes it and deletes it in one sync; and where a cache lags behind
// by as much as a pod takes to start, any version may meet such a status again and again.
func mayLoop(w *sim.World) bool {
	strategy := w.Sets()[0].Spec.Strategy
	return strategy.Type == model.RollingUpdateStrategy && strategy.RollingUpdate == nil
}

// requireComplete holds a settled world to what settled means.
func requireComplete(t require.TestingT, w *sim.World) {
	set := w.Sets()[0]
	ready := map[string]bool{}
	for _, pod := range w.Pods() {
		require.True(t, pod.Serving(), "%s does not serve", pod.Name)
		ready[pod.Name] = true
	}
	require.Len(t, ready, int(set.Spec.Replicas))
	for i := range int(set.Spec.Replicas) {
		require.True(t, ready[set.PodName(set.Start()+i)], "there is no %s", set.PodName(set.Start()+i))
	}
	require.Equal(t, set.Generation, set.Status.ObservedGeneration)
	require.Equal(t, set.Spec.Replicas, set.Status.Ready)
	require.Equal(t, set.Spec.Replicas, set.Status.Replicas)
}

// requireReason holds a stuck world to what it says: the pod that it waits for is as it says, and will stay so.
func requireReason(t require.TestingT, w *sim.World, stuck []timeline.Stuck) {
	pods := map[string]*model.Pod{}
	for _, pod := range w.Pods() {
		pods[pod.Name] = pod
	}
	for _, s := range stuck {
		switch pod := pods[s.Why.Object]; s.Why.Code {
		case model.BudgetSpent:
			// Up to 1.26 a small percentage is a budget of 0.
			require.True(t, s.Why.Want == 0 || pod == nil || !pod.Ready, "%s is ready", s.Why.Object)
		case model.WaitingForReady:
			require.True(t, pod == nil || !pod.Ready, "%s is ready", s.Why.Object)
		case model.TakenForGone:
			require.True(t, pod != nil && !pod.Terminating(), "%s is gone", s.Why.Object)
		case model.Unnoticed:
			require.True(t, pod == nil || !pod.Serving(), "%s serves", s.Why.Object)
		case model.SyncError:
			require.NotEmpty(t, s.Error)
		default:
			require.Fail(t, "nothing explains this", "%s %s: %s", s.Why.Code, s.Why.Object, s.Error)
		}
	}
}

// TestFaultsRepeat plays random worlds twice, on one processor and on several: the same seed gives the same run.
func TestFaultsRepeat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := randomTrouble(t)
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		world, first := tr.run(t, nil)
		runtime.GOMAXPROCS(4)
		again, second := tr.run(t, nil)
		require.Equal(t, timeline.Digest(world.Events()), timeline.Digest(again.Events()))
		require.Equal(t, first, second)
	})
}
