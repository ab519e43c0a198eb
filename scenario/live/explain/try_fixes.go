package explain

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// fixes tries the ways out of a set that is stuck, or that may be, or the ways in which a drain that it holds up
// continues. There are none for other sets.
func (v *view) fixes(of *judge.Set, held *hold) []WayOut {
	switch {
	case held != nil:
		return v.tried(of, held.Run, held.pod, play.Script{held.Deed})
	case of.Asleep != "":
		return v.wake(of)
	case of.State == judge.Continues && len(v.lingering(of)) > 0:
		return v.shorten(of)
	case (of.State == judge.Stuck || of.State == judge.TooEarly) && of.Plays:
		return v.tried(of, v.run, of.StuckOn, nil)
	}
	return nil
}

// slack is how much longer than assumed each pod of a set may take to stop.
func (v *view) slack(of *judge.Set) time.Duration {
	if judge.Source(judge.TimesOf(v.lab, of.Key).Stop, nil, dump.DefaultStop) != judge.Assumed {
		return 0
	}
	return dump.SlackOf(of.Now.Spec)
}

// was is the set before a fix.
func was(of *judge.Set) before { return before{of.Key, of.Now.Serving(), of.Going, of.Now} }

// near returns the laboratory for what is near a set, so that the cost does not grow with the cluster, and the events
// of a run that are about that.
func (v *view) near(of *judge.Set, run *judge.Run) (*play.Lab, []timeline.Event) {
	near := *v.lab
	near.World = v.World(near.World, of.Key)
	return &near, run.Near(of.Key.Namespace, near.World.Start.Sets)
}

func (v *view) wake(of *judge.Set) []WayOut {
	near, events := v.near(of, v.run)
	found := heal.Stuck{Key: of.Key, Lab: near, State: near.World.Start, Events: events, Asleep: true, Slack: v.slack(of)}
	claim := model.Key{Namespace: of.Key.Namespace, Name: of.Asleep}
	var holders []model.Key
	for _, name := range v.UsersOf(claim) {
		if of.Now.Owned(name) == nil {
			holders = append(holders, model.Key{Namespace: claim.Namespace, Name: name})
		}
	}
	way := found.Wake(holders)
	if v.Claim(claim) != nil {
		way.Needs = fmt.Sprintf("the PVC %s is gone by then (%s)", claim.Name,
			shell.In(claim.Namespace, "get", "pvc", claim.Name))
	}
	return waysOut([]heal.Way{way}, was(of))
}

// patience is the time for which people wait for a pod to stop before they ask what it does, and graceLeft the grace
// period that a fix leaves it.
const (
	patience  = time.Hour
	graceLeft = 30 * time.Second
)

// lingering are the pods of a set that are being deleted on a node that answers, and that may take longer than anybody
// waits for.
func (v *view) lingering(of *judge.Set) []model.Key {
	var list []model.Key
	for pod := range of.Now.Pods.All {
		key := model.Key{Namespace: of.Key.Namespace, Name: pod.Name}
		p := v.Pod(key)
		if p == nil || !v.Slow(p) || time.Duration(p.Deletion.Grace)+time.Duration(p.Deletion.At) < patience {
			continue
		}
		list = append(list, key)
	}
	return list
}

// shorten plays that the pods which take so long to stop get less time for it.
func (v *view) shorten(of *judge.Set) []WayOut {
	near, events := v.near(of, v.run)
	found := heal.Stuck{Key: of.Key, Lab: near, State: near.World.Start, Events: events, Asleep: true, Slack: v.slack(of)}
	return waysOut([]heal.Way{found.Shorten(v.lingering(of), graceLeft)}, was(of))
}

// tried tries the fixes for a set that is stuck on a pod in a run, which a drain may have led to.
func (v *view) tried(of *judge.Set, run *judge.Run, pod string, drain play.Script) []WayOut {
	near, events := v.near(of, run)
	moves := slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.Kind == timeline.KindPod && e.Actor != timeline.Dump && e.Set == of.Key
	})
	found := heal.Stuck{
		Key: of.Key, Lab: near, State: near.World.Start, Events: events, Before: drain, Asleep: !moves, Slack: v.slack(of),
		Reverted: v.Sets[of.Key].Owner.Reverts(of.Key.Namespace), Shown: v.Dump, On: pod,
	}
	f := v.Facts[model.Key{Namespace: of.Key.Namespace, Name: pod}]
	if near.World.Kubelet.Default.When == nil && (f == nil || f.Gate == "" && !f.Unreported) {
		found.Quorum = near.InQuorum()
	}
	if world, any := v.BetweenCrashes(near.World, of.Key.Namespace); any {
		between := *near
		between.World, found.Between = world, &between
	}
	return waysOut(append(found.Block(), found.All()...), was(of))
}
