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
)

// asleep are the reasons of a set that is stuck only because nothing wakes the controller: it does not watch claims, or
// it has missed a change of a pod.
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
// It is played with calls that take 10ms. It is false if the script leads to no livelock, because then there is nothing
// to end.
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
