package heal

import (
	"cmp"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Live is a set of a live cluster that is stuck.
type Live struct {
	Key model.Key
	// Lab plays worlds that begin with the cluster's state, State is that state, and Events the run in which nobody does
	// anything.
	Lab   *play.Lab
	State *sim.State
	// Before is what goes on in all of it: a drain of a node.
	Before play.Script
	Events []timeline.Event
	// Quorum, where it is given, plays worlds in which a pod is Ready as soon as another one of its set runs: it is used
	// where nothing else explains why a pod is not.
	Quorum *play.Lab
}

// Tried is a way out that was played as it is printed, pasted into a shell in one go.
type Tried struct {
	// What says in words what it does.
	What     string
	Commands []string
	// Heals: the set is whole at the end; or is gone, where it is being deleted.
	Heals bool
	// Fewest is how many pods serve at least on the way, Takes how long it takes.
	Fewest int
	Takes  time.Duration
	// Danger is what must be true first, lest something is lost; Needs what else it takes for granted. "" is nothing.
	Danger, Needs string
	Events        []timeline.Event
}

// attempt is a way out before it is played.
type attempt struct {
	what          string
	script        play.Script
	danger, needs string
	lab           *play.Lab
}

// Try plays the ways out that people use. Those that heal come first, the safest of them before the others; a way that
// only does more than a safer one that heals is left out.
func (l *Live) Try() []Tried {
	var list []Tried
	for _, a := range l.attempts() {
		if len(a.script) > 0 {
			list = append(list, l.try(a))
		}
	}
	slices.SortStableFunc(list, func(a, b Tried) int {
		return cmp.Or(
			later(!a.Heals, !b.Heals), later(a.Danger != "", b.Danger != ""), later(a.Needs != "", b.Needs != ""),
			cmp.Compare(b.Fewest, a.Fewest), cmp.Compare(len(a.Commands), len(b.Commands)), cmp.Compare(a.Takes, b.Takes),
		)
	})
	var kept []Tried
	for _, tried := range list {
		if !slices.ContainsFunc(kept, tried.doesMore) {
			kept = append(kept, tried)
		}
	}
	return kept
}

func later(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// doesMore says whether a way does all that another one does that heals, and something else.
func (t *Tried) doesMore(other Tried) bool {
	return other.Heals && t.Heals && len(t.Commands) >= len(other.Commands) &&
		!slices.ContainsFunc(other.Commands, func(c string) bool { return !slices.Contains(t.Commands, c) })
}

// try plays a way out from the state of the cluster; where something still happens there, when that is over.
func (l *Live) try(a attempt) Tried {
	script := slices.Clone(a.script)
	if !l.moves() {
		script[0].When = sim.When{Trigger: sim.At}
	}
	lab := cmp.Or(a.lab, l.Lab)
	pasted := lab.Paste(l.Before, script)
	tried := Tried{
		What: a.what, Commands: pasted.Commands, Danger: a.danger, Needs: a.needs, Events: pasted.Events,
		Heals: pasted.Hangs == "" && l.healed(pasted.Events),
	}
	tried.Fewest, tried.Takes = play.Cost(pasted.Events, l.Key, pasted.First)
	return tried
}

// moves says whether anything happens to the set's pods by itself.
func (l *Live) moves() bool {
	return slices.ContainsFunc(l.Events, func(e timeline.Event) bool {
		return e.Kind == timeline.KindPod && e.Actor != timeline.Dump && e.Set == l.Key
	})
}

// healed says whether the set is whole at the end of a run, or gone where it is being deleted.
func (l *Live) healed(events []timeline.Event) bool {
	if l.set() != nil && l.set().Terminating() {
		return End(events).Set(l.Key) == nil
	}
	if l.drained() != nil {
		stuck := func(s timeline.Stuck) bool { return s.Why.Code == model.DrainBlocked }
		return !slices.ContainsFunc(events[len(events)-1].Result.Stuck, stuck) && Whole(events, l.Key)
	}
	return Whole(events, l.Key)
}

// set is the set as the cluster has it.
func (l *Live) set() *model.StatefulSet {
	at := slices.IndexFunc(l.State.Sets, func(set *model.StatefulSet) bool { return set.Key() == l.Key })
	if at < 0 {
		return nil
	}
	return l.State.Sets[at]
}

// drained is a step of the run that drains a node, which goes on; nil where none does.
func (l *Live) drained() *timeline.Stuck {
	stuck := l.Events[len(l.Events)-1].Result.Stuck
	at := slices.IndexFunc(stuck, func(s timeline.Stuck) bool {
		return s.Set == l.Key && s.Why.Code == model.DrainBlocked
	})
	if at < 0 {
		return nil
	}
	return &stuck[at]
}
