package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// lead tries the ways out of the sets that are stuck, or that may be, and looks at what would hold up a drain of a
// cordoned node.
func (v *view) lead(sets []*LiveSet) {
	for _, s := range sets {
		if s.Stuck() && s.of.Plays || s.of.Asleep != "" {
			s.WaysOut = v.ways(s, v.run, nil)
		}
	}
	held := slices.DeleteFunc(slices.Clone(sets), func(s *LiveSet) bool { return !s.AtRest && !s.Stuck() || s.of.Unseen })
	if len(held) == 0 {
		return
	}
	for _, drain := range v.drains() {
		for _, s := range held {
			if s.AtRest {
				v.drained(s, drain)
			} else {
				s.Facts = append(s.Facts, v.holdsUp(s, drain)...)
			}
		}
	}
}

// ways tries the fixes for a stuck set, or those for a drain of a node, which then continues in all of them. Only what
// is near the set is in those worlds, so that the cost does not grow with the cluster.
func (v *view) ways(s *LiveSet, run *judge.Run, drain play.Script) []WayOut {
	near, key := *v.lab, s.Key()
	near.World = v.World(near.World, key)
	events := run.Near(s.Namespace, near.World.Start.Sets)
	was := before{key, s.Serving, s.of.Going, s.of.Now}
	if claim := s.of.Asleep; claim != "" {
		found := heal.Stuck{Key: key, Lab: &near, State: near.World.Start, Events: events, Asleep: true}
		way := found.Wake()
		if v.Claim(model.Key{Namespace: s.Namespace, Name: claim}) != nil {
			way.Needs = fmt.Sprintf("the PVC %s is gone by then (%s)", claim, command.In(s.Namespace, "get", "pvc", claim))
		}
		return waysOut([]heal.Way{way}, was)
	}
	found := heal.Stuck{
		Key: key, Lab: &near, State: near.World.Start, Events: events, Before: drain, Asleep: !moves(events, key),
		Reverted: v.Owners[key].Reverts(s.Namespace), Around: v.around(s),
	}
	if near.World.Kubelet.Default.When == nil {
		found.Quorum = heal.InQuorum(&near)
	}
	if world, any := v.BetweenCrashes(near.World, s.Namespace); any {
		between := near
		between.World, found.Between = world, &between
	}
	ways := waysOut(append(found.Block(), found.All()...), was)
	return unfit(ways, model.Key{Namespace: s.Namespace, Name: s.StuckOn}, v.Dump)
}

// moves says whether anything happens to the set's pods by itself.
func moves(events []timeline.Event, key model.Key) bool {
	return slices.ContainsFunc(events, func(e timeline.Event) bool {
		return e.Kind == timeline.KindPod && e.Actor != timeline.Dump && e.Set == key
	})
}
