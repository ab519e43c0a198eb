package run

import (
	"cmp"

	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
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
		again = play.Script{play.WaitSetGone(s.Key()), applies(s)}
	}
	stuck := heal.Stuck{Key: s.Key(), Lab: w.Explained(), Before: script, Events: events, Again: again, Wanted: true,
		Reverted: s.Pair.Operator.Reverts(s.Key().Namespace)}
	if s.Part != nil && s.Timings.Given().Stop == nil {
		stuck.Slack = dump.SlackOf(s.Live)
	}
	end := timeline.EndOf(events).Set(s.Key())
	if end == nil || end.Spec == nil {
		return applyAgain(w, s, script, again)
	}
	for _, on := range events[len(events)-1].Result.Stuck {
		if on.Set == s.Key() && s.Part != nil {
			stuck.Shown, stuck.On = s.Part, on.Why.Object
		}
	}
	way, _ := stuck.Best()
	if way == nil {
		return nil
	}
	way.Needs = cmp.Or(way.Needs, way.Unsure(s.Key(), end))
	if way.About = s.About(); s.Part != nil {
		way.About = times.About
	}
	return fixed(way.Way)
}

// fixed is a way out of the set, as the plan prints it.
func fixed(as reasons.Way) *Fix {
	return &Fix{as, as.Lead("to run after the change (verified by simulation). " + as.Line())}
}

// applyAgain plays the commands that apply the change once more, for a set whose deletion ends by itself.
func applyAgain(w *World, s *stored.Set, script, again play.Script) *Fix {
	p := w.Lab().Paste(script, again)
	if p.Hangs != "" || !heal.Whole(p.Events, s.Key()) {
		return nil
	}
	fewest, takes := play.Cost(p.Events, s.Key(), p.First)
	return fixed(reasons.Way{
		What: "applying again when the StatefulSet is gone", About: s.About(), Commands: p.Commands,
		Replicas: int(s.Wanted.Spec.Replicas),
		Deleted:  play.Deleted(p.Events, s.Key(), p.First), Fewest: fewest, Takes: takes,
	})
}
