package heal

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// letDrain returns the attempts that move a pod off its node although its budget allows no eviction.
func letDrain(x *situation) []attempt {
	set := x.set
	pod := model.Key{Namespace: set.Namespace, Name: x.drained().Why.Object}
	list := []attempt{{what: "adding a replica", script: play.Script{play.Scale(set.Key(), set.Spec.Replicas+1)},
		later: "Set the replicas in Git too, or the next apply undoes it"}}
	budgets := slices.DeleteFunc(slices.Clone(x.given.State.Budgets), func(b *model.Budget) bool {
		return !slices.ContainsFunc(x.given.State.Pods, func(p sim.PodState) bool {
			return p.Key() == pod && b.Covers(p.Namespace, p.Labels)
		})
	})
	var names []string
	for _, b := range budgets {
		names = append(names, b.Name)
		list = append(list, attempt{what: "letting the budget " + b.Name + " allow one disruption",
			script: play.Script{play.Loosen(b)}, later: "Change the budget in Git too, or the next apply undoes it"})
	}
	list = append(list, keepOne(x, budgets, pod)...)
	return append(list, attempt{what: "deleting " + pod.Name + " instead of evicting it",
		script: deletePods([]model.Key{pod}, false), danger: reasons.BudgetDanger(pod.Name, names)})
}

// keepOne returns the attempts that leave one of several budgets of a pod: the Eviction API refuses every eviction of a
// pod with more than one, and a drain ends so. The one that is kept may have to allow a disruption too.
func keepOne(x *situation, budgets []*model.Budget, pod model.Key) []attempt {
	if len(budgets) < 2 {
		return nil
	}
	node, danger, bare := x.pod(pod).Node, "", []string(nil)
	for _, p := range x.given.State.Pods {
		if p.Node == node && p.Controller() == nil && !p.Finished() {
			bare = append(bare, p.Namespace+"/"+p.Name)
		}
	}
	if len(bare) > 0 {
		danger = reasons.BareDanger(bare)
	}
	// kubectl drains a node with pods without a controller only with --force, which deletes them.
	again := play.Drain(node, len(bare) > 0)
	var list []attempt
	for _, kept := range budgets {
		var names []string
		var script play.Script
		for _, b := range budgets {
			if b != kept {
				names, script = append(names, b.Name), append(script, play.DeleteBudget(b.Key()))
			}
		}
		what := fmt.Sprintf("deleting the budget %s, so that only %s selects %s", strings.Join(names, ", "), kept.Name,
			pod.Name)
		plain := what + ", and draining again"
		list = append(list, attempt{what: plain, script: script.Then(play.Recount(kept.Key()), again), danger: danger,
			later: "Delete it in Git too, or the next apply brings it back"},
			attempt{what: what + ", letting that one allow one disruption, and draining again", beyond: plain,
				script: script.Then(play.Loosen(kept), again), danger: danger,
				later: "Change the budgets in Git too, or the next apply undoes it"})
	}
	return list
}

// endDeletion returns the attempts that finish the deletion of a set, and create it again if it is to be.
func endDeletion(x *situation) []attempt {
	set, all := x.set, slices.Concat(x.going, x.held, x.down)
	list := append([]attempt{
		{what: "deleting " + names(x.going) + " once more", script: deletePods(x.going, false)},
		{what: "deleting " + names(all) + " by force", script: deletePods(all, true),
			danger: reasons.ForceDanger(play.NamesOf(all)...)},
		{what: "deleting the StatefulSet in the background", script: play.Script{play.DeleteSet(set.Key(), sim.Background)},
			needs: "its pods may keep terminating without it"},
	}, releaseHeld(x)...)
	if own := set.BlockingFinalizers(); len(own) > 0 {
		list = []attempt{{what: "removing the finalizers of " + set.Name, script: play.Script{play.FreeSet(set)},
			danger: reasons.FinalizerDanger(set.Name, own)}}
	}
	for i := range list {
		if a := &list[i]; len(a.script) > 0 && len(x.given.Again) > 0 {
			a.what, a.script = a.what+", and applying again", a.script.Then(x.given.Again...)
		}
	}
	return list
}

// asleep are the reasons of a set whose controller nothing wakes: it watches no claims, or has missed a change of a pod.
var asleep = []model.Code{model.StaleClaim, model.TakenForGone, model.Unnoticed}

// touched is the name of the annotation that wakes the controller; it means nothing.
const touched = "touched"

// wakeUp returns the attempts for a set that only waits until somebody wakes the controller.
func wakeUp(x *situation) []attempt {
	if x.stuckFor(asleep...) < 0 {
		return nil
	}
	list := []attempt{wake(x.given.Key)}
	var taken []model.Key
	for _, stuck := range x.stuck {
		if stuck.Why.Code == model.TakenForGone {
			taken = append(taken, model.Key{Namespace: x.set.Namespace, Name: stuck.Why.Object})
		}
	}
	return append(list, attempt{what: "deleting " + names(taken) + ", which the controller believes to be gone",
		script: deletePods(taken, false)})
}

// wake returns the attempt that changes the set without changing anything.
func wake(key model.Key) attempt {
	return attempt{what: "annotating the StatefulSet, which wakes the controller",
		script: play.Script{play.Annotate(key, touched, "yes")}}
}

// slowCalls returns a configuration in which calls take some time. A livelock that would stay in one instant then
// takes time, as a real one does, and steps can act in the middle of it.
func slowCalls() sim.Machinery {
	const call = 10 * time.Millisecond
	return sim.Machinery{Write: behaviour.Constant(call), Watch: behaviour.Constant(call)}
}

// BlockEnds says whether play.WriteBlock ends a livelock that the script leads to, after it has gone on for some time.
// It is played with calls that take 10ms. It is false if the script leads to no livelock.
func BlockEnds(key model.Key, lab *play.Lab, before play.Script) bool {
	const rounds = 3
	slow := lab.Fresh()
	slow.World.Machinery = slowCalls()
	block := play.WriteBlock(key).After(5 * time.Minute)
	events := slow.Run(before.Then(block))
	deleted := map[string]int{}
	for i := range events {
		e := &events[i]
		if e.Step != nil && e.Step.Does == block.Kubectl {
			break
		}
		if e.Kind == timeline.KindPod && e.Set == key && e.State == timeline.Terminating {
			deleted[e.Pod]++
		}
	}
	for _, pod := range slices.Sorted(maps.Keys(deleted)) {
		if deleted[pod] >= rounds {
			return Whole(events, key)
		}
	}
	return false
}

// Block plays, in a livelock that the state has begun, the command that writes the missing rollingUpdate block, with
// calls that take 10ms. It returns nothing if the set has the block, or if the command does not end the loop.
func (s *Stuck) Block() []Way {
	if goesOn(s.Events) {
		return nil
	}
	x := s.situation(s.Lab)
	if !play.LacksBlock(x.set) || !BlockEnds(s.Key, s.Lab, s.Before) {
		return nil
	}
	x.lab, x.given.Asleep = s.Lab.Fresh(), true
	x.lab.World.Machinery = slowCalls()
	block := attempt{what: "adding the missing rollingUpdate block", script: play.Script{play.WriteBlock(s.Key)}}
	way := x.tried(&block, 0)
	if !way.Heals {
		return nil
	}
	return []Way{way}
}

// replaceMisfits returns the attempts for a set whose calls fail because an existing pod cannot be changed into what
// the set wants, for example a pod that was adopted by a set with other claim templates. The pods are deleted one after
// the other, each when the status counts all as Ready again; or all at once, if it does not count them.
func replaceMisfits(x *situation) []attempt {
	var pods []model.Key
	for pod := range x.end.Set(x.given.Key).Pods.All {
		pods = append(pods, model.Key{Namespace: x.set.Namespace, Name: pod.Name})
	}
	invalid := slices.ContainsFunc(x.stuck, func(stuck timeline.Stuck) bool {
		return stuck.Why.Code == model.SyncError && slices.ContainsFunc(pods, func(pod model.Key) bool {
			return strings.HasPrefix(stuck.Error, fmt.Sprintf("Pod %q is invalid", pod.Name))
		})
	})
	if !invalid {
		return nil
	}
	var counted play.Script
	for _, pod := range pods {
		counted = counted.Then(play.Delete(pod, false), play.WaitForReady(x.given.Key, len(pods)))
	}
	const one = " one after the other, since they cannot be updated in place"
	return []attempt{
		{what: "deleting " + names(pods) + one, script: counted},
		{what: "deleting " + names(pods) + " at once, since they cannot be updated in " +
			"place", script: deletePods(pods, false)},
	}
}
