package world

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Change returns what happens to the world, from its current state on: the change. It is the last step.
func (w *World) Change() play.Script {
	script, _ := w.Script(w.Apply())
	return script
}

// Script returns what happens to the world, from the current state on; first is the number of deeds before those that
// are passed. Changes of live sets happen at once, because nobody waits until a cluster is at rest.
func (w *World) Script(more ...play.Deed) (script play.Script, first int) {
	before := w.Before()
	script = before.Then(more...)
	if w.live() && len(script) > 0 && script[0].When == (sim.When{}) {
		script[0].When = sim.When{Trigger: sim.At}
	}
	return script, len(before)
}

// Before returns the script that brings a new cluster to the current state of the sets: at rest, or in the middle of a
// rollout that has begun. It is empty if the world begins with all of them, as a dump shows them.
func (w *World) Before() play.Script {
	if w.live() && !slices.ContainsFunc(w.Sets, (*stored.Set).Made) {
		return nil
	}
	script := play.Script{w.create()}
	if w.unfinished() {
		script = script.Then(w.goOn())
		for _, s := range w.Sets {
			if s.Staged != nil && s.Staged.Updated > 0 {
				script = script.Then(play.DeleteHighest(s.Key(), s.Staged.Updated))
			}
		}
	}
	if w.raised == 0 {
		return script
	}
	// In a cluster at rest, the pods have been Ready for days: also for as long as the new minReadySeconds asks.
	return script.Then(play.Deed{Verb: "wait", Does: "wait until all pods are Ready"}, play.Deed{
		Verb: "wait", Does: "wait until they have been Ready for " + render.Brief(w.raised),
	}.After(w.raised))
}

// writes returns a deed that writes some of the sets, all at the same instant. write returns nil for a set that it
// leaves alone.
func (w *World) writes(verb, does string, effects [2]timeline.Effect,
	write func(*sim.User, *stored.Set) (*model.StatefulSet, *model.APIError)) play.Deed {
	return play.Deed{Verb: verb, Does: does, Act: func(u *sim.User) sim.Outcome {
		outcome := sim.Outcome{Effect: effects[0]}
		for _, s := range w.Sets {
			written, err := write(u, s)
			if err != nil {
				return play.Refused(err)
			}
			if written != nil {
				outcome.Effect, outcome.Sets = effects[1], append(outcome.Sets, written)
			}
		}
		return outcome
	}}
}

// create returns the deed that creates the running sets; those with an unfinished rollout as they were before it.
func (w *World) create() play.Deed {
	return w.writes("create", "the sets as they run now", [2]timeline.Effect{timeline.None, timeline.Created},
		func(u *sim.User, s *stored.Set) (*model.StatefulSet, *model.APIError) {
			switch {
			case !s.Made():
				return nil, nil
			case s.Staged != nil:
				return u.Create(stored.Older(s.Given))
			}
			return u.Create(s.Given)
		})
}

// goOn returns the deed that gives the sets with an unfinished rollout their newest template, after which partition or
// OnDelete keeps the rest of their pods as they are.
func (w *World) goOn() play.Deed {
	return w.writes("apply", "the rollout that has begun", [2]timeline.Effect{timeline.Configured, timeline.Configured},
		func(u *sim.User, s *stored.Set) (*model.StatefulSet, *model.APIError) {
			if s.Staged == nil {
				return nil, nil
			}
			next := *u.Set(s.Key())
			next.Spec.Template = s.Given.Spec.Template
			return u.Update(&next)
		})
}

// Apply returns the deed that applies the new sets that change something, as one kubectl apply does.
func (w *World) Apply() play.Deed {
	return w.writes("apply", "the change", [2]timeline.Effect{timeline.Unchanged, timeline.Configured},
		func(u *sim.User, s *stored.Set) (*model.StatefulSet, *model.APIError) {
			if s.Wanted == nil {
				return nil, nil
			}
			return s.Apply(u)
		})
}
