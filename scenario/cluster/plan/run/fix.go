package run

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Fix heals a set that the change leaves stuck; it was played.
type Fix struct {
	reasons.Way
	// Lead are the lines above the commands: what they do, what that costs, and what must be true first.
	Lead []string `json:"-"`
}

// FixOf looks for the commands that lead out where a live set is stuck after the change; nil if none is known.
func FixOf(w *World, s *stored.Set, script play.Script, events []timeline.Event) *Fix {
	// What was applied before goes with a set that is being deleted: it is applied once more.
	var again play.Script
	if s.Pair.Deleting && s.Pair.New != nil {
		again = play.Script{heal.WaitGone(s.Key()), applies(s)}
	}
	stuck := heal.Stuck{Key: s.Key(), Lab: w.Lab(), Before: script, Events: events, Again: again, Wanted: true,
		Reverted: s.Pair.Operator.Reverts(s.Key().Namespace)}
	if end := heal.End(events).Set(s.Key()); end == nil || end.Spec == nil {
		return applyAgain(w, s, script, again)
	}
	way, _ := stuck.Best()
	if way == nil || attached(s, events) {
		return nil
	}
	way.Needs = cmp.Or(way.Needs, way.Unsure(s.Key(), heal.End(events).Set(s.Key())))
	return fixed(s, &way.Way)
}

// attached says whether the volume of the pod that holds the set up is attached elsewhere: no change helps then.
func attached(s *stored.Set, events []timeline.Event) bool {
	return s.Part != nil && slices.ContainsFunc(events[len(events)-1].Result.Stuck, func(stuck timeline.Stuck) bool {
		return stuck.Set == s.Key() && s.Part.Attached(model.Key{Namespace: s.Pair.Key.Namespace, Name: stuck.Why.Object})
	})
}

// fixed is a way out of the set, as the plan prints it.
func fixed(s *stored.Set, way *reasons.Way) *Fix {
	as := *way
	as.About = s.About()
	return &Fix{as, as.Lead("to run after the change (verified by simulation). " + as.Line())}
}

// applyAgain plays the commands that apply the change once more, for a set whose deletion ends by itself.
func applyAgain(w *World, s *stored.Set, script, again play.Script) *Fix {
	p := w.Lab().Paste(script, again)
	if p.Hangs != "" || !heal.Whole(p.Events, s.Key()) {
		return nil
	}
	fewest, takes := play.Cost(p.Events, s.Key(), p.First)
	return fixed(s, &reasons.Way{
		What: "applying again when the StatefulSet is gone", Commands: p.Commands, Replicas: int(s.Wanted.Spec.Replicas),
		Deleted: play.Deleted(p.Events, s.Key(), p.First), Fewest: fewest, Takes: takes,
	})
}
