package heal

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// tried plays an attempt, which must have a deed. If something still happens in the cluster, the attempt begins when
// that is over. Its steps are named by their commands.
func (x *situation) tried(a *attempt, place int) Way {
	pasted := x.played(a)
	lost := lostClaims(x, pasted)
	danger := a.dangerWith(reasons.VolumeDanger(lost), x.interrupts(pasted))
	end := timeline.EndOf(pasted.Events)
	used, heals := *a, pasted.Hangs == "" && healed(x, pasted.Events, end)
	undoes := slices.ContainsFunc(a.script, func(d play.Deed) bool { return d.Verb == "undo" })
	awaits := ""
	if heals {
		awaits = awaitsCrashing(x.given.Key, pasted)
		used.needs = a.needsToo(awaits)
	}
	if heals && undoes && x.shown().Sets[x.given.Key].Historyless {
		used.needs = used.needsToo("the revision before the newest one is that of the old pods (" +
			shell.In(x.set.Namespace, "rollout", "history", "statefulset/"+x.set.Name) + ")")
	}
	way := Way{Events: pasted.Events, Acts: pasted.Acts, attempt: used, risk: used.risk(danger), place: place}
	way.hopes = a.hopes || awaits != ""
	way.Way = reasons.Way{
		What: a.what, Commands: pasted.Commands, Danger: danger, Needs: used.needs, Later: a.later, Loses: lost,
		Heals:    heals,
		Deleted:  play.Deleted(pasted.Events, x.given.Key, pasted.First),
		Replicas: int(x.set.Spec.Replicas),
		Reverts:  undoes,
	}
	if way.reverted = x.given.Reverted != "" && way.Acts.Any(play.WritesSet); way.reverted {
		// What is reverted in Git does not reach the set but by the operator.
		way.Later, way.Reverts = x.given.Reverted, false
	}
	way.unwanted = x.given.Wanted && way.Acts.Any(play.WritesSet)
	if pasted.Hangs == "" && !heals {
		way.Unblocks = x.drained() != nil && evicted(x, end)
		relieve(x, &way, end)
	}
	way.Fewest, way.Takes = play.Cost(pasted.Events, x.given.Key, pasted.First)
	way.Most = way.Takes
	if count := stops(x.given.Key, pasted); count > 0 && !way.Acts.Any(play.Forces) {
		// A manifest may have a grace period of centuries.
		way.Most += min(x.given.Slack, (math.MaxInt64-way.Takes)/time.Duration(count)) * time.Duration(count)
	}
	if a.lab != nil {
		// What is assumed there holds from the beginning, and begins with the commands.
		way.Fewest = min(way.Fewest, x.serving)
	}
	way.Besides = besides(x, &way)
	return way
}

// stops counts the pods of a set that stop behind the first of some commands.
func stops(key model.Key, pasted *play.Pasted) (count int) {
	for _, e := range behind(pasted) {
		if e.State == timeline.Gone && e.Set == key && e.Actor == timeline.Kubelet {
			count++
		}
	}
	return count
}

func (x *situation) played(a *attempt) *play.Pasted {
	script := slices.Clone(a.script)
	for i := range script {
		if script[i].Kubectl != "" {
			script[i].Does = ""
		}
	}
	switch {
	case x.given.Asleep:
		script[0].When = sim.When{Trigger: sim.At}
	case a.lab != nil:
		// In another world the set would not wait for the commands.
		script[0].When = sim.When{Trigger: sim.After}
	}
	return cmp.Or(a.lab, x.lab).Paste(x.given.Before, script)
}

// healed says whether the set is whole at the end of a run, with all the replicas that it has now, or, if it is being
// deleted, gone; or, if a drain waits, that its pod has left the node.
func healed(x *situation, events []timeline.Event, end *timeline.Fold) bool {
	set := end.Set(x.given.Key)
	switch {
	case x.set.Terminating() && len(x.given.Again) == 0:
		return set == nil
	case set == nil || set.Spec.Spec.Replicas < x.set.Spec.Replicas:
		return false
	case x.drained() != nil:
		return evicted(x, end) && whole(events, end, x.given.Key, model.DrainBlocked)
	}
	return whole(events, end, x.given.Key)
}

// relieve notes of a way that does not heal that more of the replicas serve at its end than without it. A way that
// deletes data for that is none: it has to heal.
func relieve(x *situation, way *Way, fold *timeline.Fold) {
	end := fold.Set(x.given.Key)
	if x.set.Terminating() || end == nil || len(way.Loses) > 0 || !goesOn(way.Events) ||
		min(end.Serving(), way.Replicas) <= x.serving {
		return
	}
	way.Relieves, way.ServesAfter = true, end.Serving()
	for _, key := range x.set.PodKeys() {
		if !end.Pods.Any(func(p *timeline.Pod) bool { return p.Name == key.Name && p.Serving() }) {
			way.Stays = append(way.Stays, key.Name)
		}
	}
}

// evicted says whether the pod that a drain waits for is on another node at the end of a run. A drain must wait. It is not
// looked at itself: kubectl asks for the pod by name, and may ask for ever for a pod that is on another node.
func evicted(x *situation, end *timeline.Fold) bool {
	name := x.drained().Why.Object
	was := x.pod(model.Key{Namespace: x.given.Key.Namespace, Name: name})
	pod := end.Pod(x.given.Key, name)
	return was != nil && (pod == nil || pod.Node != was.Node)
}

// mostSpent is what the readiness conditions may cost in all attempts together: about as much as three evaluations
// that are ended because each of them costs too much.
const mostSpent = 30_000_000

// Untried says why attempts were not made, or not all of them, in a clause; "" if all that were needed were made.
func (s *Stuck) Untried() string {
	if !s.left.Empty() {
		return ""
	}
	return "each fix that is tried evaluates the readiness condition again, and that costs too much with so many pods"
}
