package plan

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/recording"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// world is a simulated cluster with some of the sets. It is a value: a copy with a change is another world, so that
// sets can be played at the same time.
//
// Invariant: edits are those of the sets that the world has, and rules name the sets by the keys of the edits (key), so
// that a world of a stand-in has its names throughout.
type world struct {
	*Options
	// profile is the version under which it is played, edits the sets in it that the change touches or that go with
	// them.
	profile statefulset.Profile
	edits   []*edit
	// state is the live cluster that has the sets; nil if all are assumed to be at rest.
	state *dump.Index
	// judged says how the sets of the state stand; nil without a state.
	judged map[model.Key]*judge.Set
	// rules win over the sets' own times: they are what goes wrong in a case.
	rules []behaviour.Rule
	// cluster holds the nodes, if they are given; the zero value is some nodes of which nothing is said.
	cluster sim.Cluster
	// drawn is true if times are drawn from their distributions, with chooser; otherwise each is its median. more is
	// added to the time of each stage.
	drawn   bool
	chooser choose.Chooser
	more    [recording.Stages]time.Duration
	// raised is the longest minReadySeconds among the new sets that raise it.
	raised time.Duration
	// begun is the laboratory in which the current sets run and nothing else has happened; nil means an empty cluster.
	begun *play.Lab
}

// of returns a world like this one with other sets. The time for which pods have to be Ready before the change is that
// of the sets.
func (w *world) of(edits ...*edit) *world {
	other := *w
	other.edits = edits
	for _, e := range edits {
		if e.made() && e.wanted != nil && e.wanted.Spec.MinReadySeconds > e.live.Spec.MinReadySeconds {
			other.raised = max(other.raised, time.Duration(e.wanted.Spec.MinReadySeconds)*time.Second)
		}
	}
	return &other
}

// lab returns the laboratory in which the sets live, with controllers of its own.
func (w *world) lab() *play.Lab {
	kubelet := behaviour.Behaviour{Default: behaviour.Times{Schedule: behaviour.Constant(0)}, Rules: w.rules}
	config := w.begin(sim.Config{
		Controller:  statefulset.New(w.profile),
		API:         w.profile.API(),
		Kubelet:     kubelet,
		Cluster:     w.cluster,
		Chooser:     w.chooser,
		MaxEvents:   w.Limits.OrDefault().Events,
		Hasty:       true,
		Interrupted: w.Interrupted,
		Header:      timeline.Run{Sim: w.Sim, Scenario: "plan"},
	})
	for _, e := range w.edits {
		match := behaviour.Match{Namespace: e.key().Namespace, StatefulSet: e.key().Name}
		config.Kubelet.Rules = append(config.Kubelet.Rules, behaviour.Rule{Match: match, Times: w.times(e)})
	}
	lab := &play.Lab{Profile: w.profile, World: config}
	if w.begun != nil && w.beginsAlike() {
		lab = lab.Onwards(w.begun)
	}
	return lab
}

// beginsAlike says whether the special settings of this world have no effect before the change. Other times do have
// one, and so does a failure of a set's first template.
func (w *world) beginsAlike() bool {
	return !w.drawn && w.more == [recording.Stages]time.Duration{} &&
		!slices.ContainsFunc(w.rules, func(r behaviour.Rule) bool { return r.Match.Template < 2 })
}

// begins returns the world in the state just before the change. If a rollout is in progress, the world is returned as
// it was, because a failure may be about the second template of the set.
func (w *world) begins() *world {
	other := *w
	if !w.unfinished() && !w.live() {
		other.begun = w.lab().Begun(w.before())
	}
	return &other
}

// times returns the times of a set's pods.
func (w *world) times(e *edit) behaviour.Times {
	var delays [recording.Stages]behaviour.Delay
	for i, timing := range e.timings {
		delays[i] = timing.Delay
		if !w.drawn {
			delays[i] = behaviour.Constant(recording.Typical(timing.Delay) + w.more[i])
		}
	}
	return behaviour.Times{
		Schedule: behaviour.Constant(0), Stop: delays[recording.Stop], Start: delays[recording.Start],
		Ready: delays[recording.Ready],
	}
}

// before returns the script that brings a new cluster to the current state of the sets: at rest, or in the middle of a
// rollout that has begun. It is empty if the world begins with all of them, as a dump shows them.
func (w *world) before() play.Script {
	if w.live() && !slices.ContainsFunc(w.edits, (*edit).made) {
		return nil
	}
	script := play.Script{w.create()}
	if w.unfinished() {
		script = script.Then(w.goOn())
		for _, e := range w.edits {
			if e.staged != nil && e.staged.updated > 0 {
				script = script.Then(play.DeleteHighest(e.key(), e.staged.updated))
			}
		}
	}
	return script.Then(w.age()...)
}

// age returns the script that makes the pods Ready for as long as the new minReadySeconds asks, if that is longer than
// the old one: in a cluster at rest, they have been Ready for days.
func (w *world) age() play.Script {
	if w.raised == 0 {
		return nil
	}
	return play.Script{
		{Verb: "wait", Does: "wait until all pods are Ready"},
		play.Deed{Verb: "wait", Does: "wait until they have been Ready for " + render.Brief(w.raised)}.After(w.raised),
	}
}

// live says whether the world begins with any of the sets as a dump shows it.
func (w *world) live() bool {
	return slices.ContainsFunc(w.edits, func(e *edit) bool { return e.part != nil })
}

// create returns the deed that creates the running sets; those with an unfinished rollout as they were before it.
func (w *world) create() play.Deed {
	return play.Deed{Verb: "create", Does: "the sets as they run now", Act: func(u *sim.User) sim.Outcome {
		outcome := sim.Outcome{Effect: timeline.None}
		for _, e := range w.edits {
			if !e.made() {
				continue
			}
			wanted := e.given
			if e.staged != nil {
				wanted = older(wanted)
			}
			stored, err := u.Create(wanted)
			if err != nil {
				return play.Refused(err)
			}
			outcome.Effect, outcome.Sets = timeline.Created, append(outcome.Sets, stored)
		}
		return outcome
	}}
}

// change returns the deed that applies the new sets that change something, all at the same instant, as one kubectl
// apply does.
func (w *world) change() play.Deed {
	return play.Deed{Verb: "apply", Does: "the change", Act: func(u *sim.User) sim.Outcome {
		outcome := sim.Outcome{Effect: timeline.Unchanged}
		for _, e := range w.edits {
			if e.wanted == nil {
				continue
			}
			stored, err := e.apply(u)
			if err != nil {
				return play.Refused(err)
			}
			outcome.Effect, outcome.Sets = timeline.Configured, append(outcome.Sets, stored)
		}
		return outcome
	}}
}

// made says whether the set must be created before the change, because it runs now and the world does not begin with
// it.
func (e *edit) made() bool { return e.given != nil && e.part == nil }
