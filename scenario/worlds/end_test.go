package worlds_test

import (
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// requireEnd holds the end of a run to its verdict: what is settled waits for nothing and is whole, what is stuck
// waits for what it says, and neither has anything left to do.
func requireEnd(t require.TestingT, w *sim.World, r *record) {
	events := w.Events()
	result := events[len(events)-1].Result
	require.NotNil(t, result, "the last event is the result")
	require.Contains(t, timeline.Verdicts(), string(result.Verdict))
	require.Contains(t, jsonl(t, events), `"digest":"`+timeline.Digest(events)+`","events":`)
	require.Equal(t, result.Events, len(events)-1)
	require.Equal(t, result.Verdict == timeline.IsStuck, len(result.Stuck) > 0)
	require.Equal(t, result.Verdict == timeline.Livelock, len(result.Repeats) > 0)
	if result.Verdict == timeline.Livelock {
		require.True(t, r.endless || slices.ContainsFunc(w.Sets(), mayLoop), "a livelock of %q", result.Repeats)
	}
	if result.Verdict != timeline.Settled && result.Verdict != timeline.IsStuck {
		return
	}
	requireWaits(t, w, r, result)
	for _, s := range result.Stuck {
		requireReason(t, w, s)
	}
	if result.Verdict == timeline.Settled {
		for _, set := range w.Sets() {
			requireWhole(t, w, set)
		}
	}
	requireRest(t, w, r, result)
}

// mayLoop says whether a set may be rolled without end: its strategy has a type and no block, so that a pod is made
// at the revision that status.currentReplicas asks for, and 1.37 deletes it in the same sync.
func mayLoop(set *model.StatefulSet) bool {
	strategy := set.Spec.Strategy
	return strategy.Type == model.RollingUpdateStrategy && strategy.RollingUpdate == nil
}

// requireWaits holds the waits that the timeline leaves open to what the controller waits for, and to what the result
// calls stuck.
func requireWaits(t require.TestingT, w *sim.World, r *record, result *timeline.Result) {
	open := map[wait]bool{}
	for _, set := range w.Sets() {
		for _, why := range w.Waits(set.Key()) {
			open[wait{set.Key(), why.Code, why.Object, why.Rule}] = true
		}
	}
	require.Equal(t, open, r.waits, "the waits at the end, and what the timeline says of them")
	for _, s := range result.Stuck {
		delete(open, wait{s.Set, s.Why.Code, s.Why.Object, s.Why.Rule})
	}
	for left := range open {
		require.True(t, left.code.Resting(), "%+v is left, and not in the result", left)
	}
}

// requireReason holds a reason to be stuck to the world: what is waited for is as it says.
func requireReason(t require.TestingT, w *sim.World, s timeline.Stuck) {
	pod := find(w.Pods(), s.Set.Namespace, s.Why.Object, func(p *model.Pod) *model.Meta { return &p.Meta })
	claim := find(w.Claims(), s.Set.Namespace, s.Why.Object, func(c *model.Claim) *model.Meta { return &c.Meta })
	set := find(w.Sets(), s.Set.Namespace, s.Set.Name, func(s *model.StatefulSet) *model.Meta { return &s.Meta })
	require.LessOrEqual(t, s.Since, w.Now())
	switch s.Why.Code {
	case model.WaitingForReady:
		require.True(t, pod == nil || !pod.Ready, "%s is waited for, and Ready", s.Why.Object)
	case model.WaitingForTermination, model.WaitingForPodGone:
		require.True(t, pod != nil && pod.Terminating(), "%s is not terminating", s.Why.Object)
	case model.BudgetSpent:
		// Up to 1.26 a small percentage is a budget of 0.
		require.True(t, s.Why.Want == 0 || unavailable(w, set) >= int(s.Why.Want), "the budget is not spent: %+v", s.Why)
	case model.ClaimTerminating:
		require.True(t, claim != nil && claim.Terminating(), "%s is not terminating", s.Why.Object)
	case model.StaleClaim:
	case model.DrainBlocked:
		require.True(t, pod != nil && !pod.Terminating(), "%s is not there", s.Why.Object)
		require.NotEmpty(t, s.Error)
	case model.TakenForGone:
		require.True(t, pod != nil && !pod.Terminating(), "%s is gone", s.Why.Object)
	case model.Unnoticed:
		require.True(t, pod == nil || !pod.Serving(), "%s serves", s.Why.Object)
	case model.SyncError:
		require.NotEmpty(t, s.Error)
	default:
		require.Fail(t, "nothing is stuck for this reason", "%s %s: %s", s.Why.Code, s.Why.Object, s.Error)
	}
}

func find[T any](all []*T, namespace, name string, meta func(*T) *model.Meta) *T {
	for _, object := range all {
		if m := meta(object); m.Namespace == namespace && m.Name == name {
			return object
		}
	}
	return nil
}

// unavailable counts the replicas of a set that do not serve.
func unavailable(w *sim.World, set *model.StatefulSet) int {
	down := int(set.Spec.Replicas)
	for _, p := range w.Pods() {
		if owner := p.Controller(); owner != nil && owner.UID == set.UID && p.Serving() && inRange(set, p.Name) {
			down--
		}
	}
	return down
}

func inRange(set *model.StatefulSet, pod string) bool {
	ordinal := set.OrdinalOf(pod)
	return ordinal >= set.Start() && ordinal < set.Start()+int(set.Spec.Replicas)
}

// requireWhole holds a set of a settled world to what that means: all its replicas serve, it has no other pods, and
// its status says so.
func requireWhole(t require.TestingT, w *sim.World, set *model.StatefulSet) {
	if set.Terminating() {
		return
	}
	require.Zero(t, unavailable(w, set), "replicas of %s that do not serve", set.Key())
	updated := 0
	for _, p := range w.Pods() {
		if owner := p.Controller(); owner == nil || owner.UID != set.UID {
			continue
		}
		if set.OrdinalOf(p.Name) < 0 {
			// web-99999999999 is the set's by its name, and no replica of it: it stays for ever, and versions differ in
			// whether they count it.
			return
		}
		require.True(t, inRange(set, p.Name), "%s is there, and out of range", p.Name)
		if p.Revision() == set.Status.UpdateRevision {
			updated++
		}
	}
	require.Equal(t, set.Generation, set.Status.ObservedGeneration)
	require.Equal(t, set.Spec.Replicas, set.Status.Replicas, "status.replicas of %s", set.Key())
	require.Equal(t, set.Spec.Replicas, set.Status.Ready, "status.readyReplicas of %s", set.Key())
	require.Equal(t, updated, int(set.Status.Updated), "status.updatedReplicas of %s", set.Key())
	if set.Spec.Strategy.Type != model.OnDeleteStrategy && set.Partition() == 0 {
		require.Equal(t, int(set.Spec.Replicas), updated, "%s is settled with pods of an old revision", set.Key())
	}
}

// requireRest resyncs the world at its end and sees that nothing comes of it.
func requireRest(t require.TestingT, w *sim.World, r *record, result *timeline.Result) {
	// A sync that takes time would only begin with a resync.
	if r.slow || !mayRest(w, result) {
		return
	}
	before := len(w.Events())
	w.Resync()
	for _, e := range w.Events()[before:] {
		if e.Kind == timeline.KindRevision && r.lags || e.Kind == timeline.KindOwner && e.Pod == "" {
			// Revisions wake no set: one may only now see those that came late, or find those that were left behind.
			return
		}
		if e.Fault != nil && e.Fault.Verb != "error" && e.Fault.Verb != "loseAnswer" {
			// What a fault does with the writes of a sync that fails for ever is no rest.
			return
		}
		if e.Kind != timeline.KindSync && e.Kind != timeline.KindK8sEvent && e.Fault == nil {
			require.Fail(t, "a resync finds something to do", "%s", timeline.AppendJSON(nil, &e))
		}
	}
}

// mayRest says whether the world is where a resync has nothing to do. It has where a set only waits for somebody to
// wake it; and where something is gone, or going, of which nobody tells the controller: a claim, or a revision that
// the collector has taken from a set that was made anew, or that is being deleted.
func mayRest(w *sim.World, result *timeline.Result) bool {
	wakes := []model.Code{model.StaleClaim, model.Unnoticed, model.TakenForGone}
	for _, s := range result.Stuck {
		if slices.Contains(wakes, s.Why.Code) {
			return false
		}
	}
	there := map[string]bool{}
	for _, e := range w.Events() {
		if e.Fault != nil && strings.HasSuffix(e.Fault.Does, "answered with NotFound") {
			// The controller believes it, of a pod that it wants to adopt say, and nothing brings it back to it.
			return false
		}
		if e.Kind == timeline.KindRevision {
			there[e.Set.Namespace+"/"+e.Rev.Name] = e.Rev.Type != model.Deleted
		}
	}
	for _, claim := range w.Claims() {
		there[claim.Namespace+"/"+claim.Name] = !claim.Terminating()
	}
	for _, set := range w.Sets() {
		if !there[set.Namespace+"/"+set.Status.UpdateRevision] {
			return false
		}
		for i := range set.Spec.ClaimTemplates {
			for ordinal := set.Start(); ordinal < set.Start()+int(set.Spec.Replicas); ordinal++ {
				if !there[set.Namespace+"/"+model.ClaimName(set, &set.Spec.ClaimTemplates[i], ordinal)] {
					return false
				}
			}
		}
	}
	return true
}
