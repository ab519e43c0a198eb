package sim_test

import (
	"fmt"
	"strings"
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

// claimWitness holds a world to what is promised of claims, event by event:
//
//   - no claim goes that the policy keeps: one goes only when a user asks for it, when its set is deleted and the policy
//     deletes with the set, or when its ordinal has been out of range and the policy deletes when scaled down;
//   - no claim is gone while a pod on a node uses it;
//   - a pod runs only when its claim is there and has been Bound.
type claimWitness struct {
	t      require.TestingT
	policy model.Retention
	next   int
	fold   timeline.Fold
	// asked are the claims that a user has deleted, without and outside those whose set, or whose place in the range, has
	// gone since they were made.
	asked, without, outside map[string]bool
	// running are the pods on a node.
	running map[string]bool
	// seen counts the claims that went, for the test to know that it tests something.
	seen *int
}

func newClaimWitness(t require.TestingT, policy model.Retention, seen *int) *claimWitness {
	return &claimWitness{
		t: t, policy: policy, seen: seen,
		asked: map[string]bool{}, without: map[string]bool{}, outside: map[string]bool{}, running: map[string]bool{},
	}
}

func (o *claimWitness) watch(w *sim.World) {
	for ; o.next < len(w.Events()); o.next++ {
		e := &w.Events()[o.next]
		switch e.Kind {
		case timeline.KindPod:
			o.pod(e)
		case timeline.KindClaim:
			o.claim(e)
		}
		o.fold.Apply(e)
		o.remember()
	}
}

func (o *claimWitness) pod(e *timeline.Event) {
	switch e.State {
	case timeline.Running:
		o.running[e.Pod] = true
		claim := o.find("data-" + e.Pod)
		require.NotNil(o.t, claim, "at %ss %s runs without its claim", e.T.Seconds(), e.Pod)
		require.Equal(o.t, "Bound", claim.Phase, "at %ss %s runs", e.T.Seconds(), e.Pod)
	case timeline.Gone:
		delete(o.running, e.Pod)
	}
}

func (o *claimWitness) find(name string) *timeline.ClaimState {
	for _, claim := range o.fold.Claims() {
		if claim.Name == name {
			return claim
		}
	}
	return nil
}

func (o *claimWitness) claim(e *timeline.Event) {
	name := e.Claim.Name
	switch {
	case e.Claim.Type == model.Added:
		delete(o.asked, name)
		delete(o.without, name)
		delete(o.outside, name)
	case e.Claim.Type == model.Deleted:
		*o.seen++
		require.False(o.t, o.running[strings.TrimPrefix(name, "data-")], "at %ss %s goes while its pod runs", e.T.Seconds(), name)
	case e.Claim.Phase != timeline.PhaseTerminating || o.find(name).Terminating:
	case e.Actor == timeline.User:
		o.asked[name] = true
	default:
		allowed := o.policy.DeleteWithSet && o.without[name] || o.policy.DeleteWhenScaled && o.outside[name]
		require.True(o.t, allowed || o.asked[name], "at %ss the policy %+v keeps %s", e.T.Seconds(), o.policy, name)
	}
}

// remember notes what has happened to the claims that are there: their set has gone, or their ordinal is out of range.
func (o *claimWitness) remember() {
	set := o.fold.Set(setKey)
	for _, claim := range o.fold.Claims() {
		_, ordinal := model.SplitPodName(claim.Name)
		switch {
		case set == nil || set.Spec.Terminating():
			o.without[claim.Name] = true
		case ordinal < set.Spec.Start() || ordinal >= set.Spec.Start()+int(set.Spec.Spec.Replicas):
			o.outside[claim.Name] = true
		}
	}
}

var setKey = model.Key{Namespace: "default", Name: "web"}

// TestClaimPromises makes random worlds with claims, policies and deletions, under a collector and a binder that take
// their time and every order of what is due at one instant.
func TestClaimPromises(t *testing.T) {
	gone, verdicts := 0, map[timeline.Verdict]int{}
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.SampledFrom([]string{"1.27", "1.30", "1.36", "1.37"}).Draw(t, "version")
		profile, err := statefulset.Lookup(version)
		require.NoError(t, err)
		set := setWithClaims(t)
		o := newClaimWitness(t, *set.Spec.Retention, &gone)
		w := sim.New(sim.Config{
			Controller: statefulset.New(profile), API: profile.API(), Kubelet: randomKubelet(t),
			Volumes:   randomVolumes(t),
			Collector: sim.Collector{Delay: shortDelay(t, "collector")},
			Chooser:   choose.Sweep(rapid.Uint64().Draw(t, "seed")),
			Until:     time.Hour, MaxEvents: 20_000, Watch: o.watch,
		})
		events := w.Run(append([]sim.Step{creating(set)}, claimSteps(t, set)...))
		result := events[len(events)-1].Result
		verdicts[result.Verdict]++
		if mayRest(w, result) {
			before := len(w.Events())
			w.Resync()
			require.Empty(t, written(w.Events()[before:]), "a settled world is at a fixed point")
		}
	})
	t.Log(verdicts, gone)
	require.Zero(t, verdicts[timeline.WasRefused])
	requireMet(t, verdicts[timeline.Settled], "settled")
	requireMet(t, verdicts[timeline.IsStuck], "stuck")
	requireMet(t, gone, "a claim that goes")
}

// mayRest says whether the world is where a resync has nothing to do. It has where something is gone, or going, and nobody
// has told the controller: a stale claim that the collector has deleted, a claim that a user has deleted, and the revision
// of a set that was deleted and made again, which the new one shares with the old one until the collector takes it.
func mayRest(w *sim.World, result *timeline.Result) bool {
	if result.Verdict != timeline.Settled && result.Verdict != timeline.IsStuck {
		return false
	}
	for _, stuck := range result.Stuck {
		if stuck.Why.Code == model.StaleClaim {
			return false
		}
	}
	there := map[string]bool{}
	for _, e := range w.Events() {
		if e.Kind == timeline.KindRevision {
			there[e.Rev.Name] = e.Rev.Type != model.Deleted
		}
	}
	for _, set := range w.Sets() {
		if !set.Terminating() && !there[set.Status.UpdateRevision] {
			return false
		}
	}
	for _, claim := range w.Claims() {
		there[claim.Name] = !claim.Terminating()
	}
	for _, pod := range w.Pods() {
		if !there["data-"+pod.Name] {
			return false
		}
	}
	return true
}

var dataTemplate = model.ClaimTemplate{
	Name: "data", Data: `{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}`,
}

func setWithClaims(t *rapid.T) *model.StatefulSet {
	set := randomSet(t)
	set.Spec.Strategy = model.Strategy{RollingUpdate: &model.RollingUpdate{}}
	set.Spec.ClaimTemplates = []model.ClaimTemplate{dataTemplate}
	set.Spec.Retention = &model.Retention{
		DeleteWithSet: rapid.Bool().Draw(t, "whenDeleted"), DeleteWhenScaled: rapid.Bool().Draw(t, "whenScaled"),
	}
	return set
}

func shortDelay(t *rapid.T, name string) behaviour.Delay {
	return behaviour.Constant(time.Duration(rapid.SampledFrom([]int{0, 0, 20, 700, 2500}).Draw(t, name)) * time.Millisecond)
}

func randomVolumes(t *rapid.T) sim.Volumes {
	return sim.Volumes{Default: sim.ClaimTimes{
		Bind: shortDelay(t, "bind"), Release: shortDelay(t, "release"),
		Mode: rapid.SampledFrom([]sim.BindingMode{sim.Immediate, sim.WaitForFirstConsumer}).Draw(t, "mode"),
	}}
}

func claimSteps(t *rapid.T, set *model.StatefulSet) []sim.Step {
	steps := make([]sim.Step, rapid.IntRange(0, 8).Draw(t, "steps"))
	for i := range steps {
		steps[i] = sim.Step{Number: i + 2, Act: claimAct(t, set)}
		if rapid.Bool().Draw(t, "timed") {
			after := rapid.SampledFrom([]int{0, 200, 1000, 2500, 6000}).Draw(t, "after")
			steps[i].When = sim.When{Trigger: sim.After, D: time.Duration(after) * time.Millisecond}
		}
	}
	return steps
}

// claimAct draws what a user does to a set with claims.
func claimAct(t *rapid.T, set *model.StatefulSet) func(*sim.User) sim.Outcome {
	name := fmt.Sprintf("web-%d", rapid.IntRange(0, 7).Draw(t, "pod"))
	pod, claim := model.Key{Namespace: "default", Name: name}, model.Key{Namespace: "default", Name: "data-" + name}
	switch rapid.IntRange(0, 9).Draw(t, "act") {
	case 0, 1, 2, 3:
		replicas := int32(rapid.IntRange(0, 7).Draw(t, "replicas"))
		return onSet(func(s *model.Spec) { s.Replicas = replicas })
	case 4:
		image := rapid.SampledFrom(images).Draw(t, "image")
		return onSet(func(s *model.Spec) { s.Template = template(image) })
	case 5:
		return func(u *sim.User) sim.Outcome { u.DeletePod(pod, false); return sim.Outcome{} }
	case 6:
		return func(u *sim.User) sim.Outcome { u.FailPod(pod, "Evicted"); return sim.Outcome{} }
	case 7:
		return func(u *sim.User) sim.Outcome { u.DeleteClaim(claim, false); return sim.Outcome{} }
	case 8:
		cascade := rapid.SampledFrom([]sim.DeletionPolicy{sim.Background, sim.Foreground, sim.Orphan}).Draw(t, "cascade")
		return func(u *sim.User) sim.Outcome { return deleting(u, cascade) }
	default:
		return func(u *sim.User) sim.Outcome {
			if u.Set(setKey) != nil {
				return sim.Outcome{}
			}
			return outcome(u.Create(set))
		}
	}
}

func onSet(edit func(*model.Spec)) func(*sim.User) sim.Outcome {
	return func(u *sim.User) sim.Outcome {
		live := u.Set(setKey)
		if live == nil {
			return sim.Outcome{}
		}
		next := *live
		edit(&next.Spec)
		return outcome(u.Update(&next))
	}
}

func deleting(u *sim.User, cascade sim.DeletionPolicy) sim.Outcome {
	if u.DeleteSet(setKey, cascade) != nil {
		return sim.Outcome{}
	}
	if live := u.Set(setKey); live != nil {
		return sim.Outcome{Effect: timeline.Deleted, Sets: []*model.StatefulSet{live}}
	}
	return sim.Outcome{Effect: timeline.Deleted, Removed: []model.Key{setKey}}
}
