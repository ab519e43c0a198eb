package run

import (
	"slices"
	"strconv"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// World is a simulated cluster with some of the sets. It is a value: a copy with a change is another world, so that
// sets can be played at the same time.
//
// Invariant: Sets are those that the world has, and Rules name them by their keys (stored.Set.Key), so that a world of
// a stand-in has its names throughout.
type World struct {
	*stored.Frame
	// Sets are the sets in it that the change touches or that go with them.
	Sets []*stored.Set
	// Rules win over the sets' own times: they are what goes wrong in a case.
	Rules []behaviour.Rule
	// cluster holds the nodes, if they are given; the zero value is some nodes of which nothing is said.
	cluster sim.Cluster
	// Drawn draws times from their distributions; nil takes the median of each. More is added to the time of each stage.
	Drawn choose.Chooser
	More  [recording.Stages]time.Duration
	// raised is the longest minReadySeconds among the new sets that raise it.
	raised time.Duration
	// begun is the laboratory in which the current sets run and nothing else has happened; nil means an empty cluster.
	begun *play.Lab
}

// Of returns a world like this one with other sets. The time for which pods have to be Ready before the change is that
// of the sets.
func (w *World) Of(sets ...*stored.Set) *World {
	other := *w
	other.Sets = sets
	for _, s := range sets {
		if s.Made() && s.Wanted != nil && s.Wanted.Spec.MinReadySeconds > s.Live.Spec.MinReadySeconds {
			other.raised = max(other.raised, time.Duration(s.Wanted.Spec.MinReadySeconds)*time.Second)
		}
	}
	return &other
}

// Alone returns a world in which only one of the sets changes: what goes wrong is then its own.
func (w *World) Alone(s *stored.Set) *World {
	var sets []*stored.Set
	for _, other := range w.Sets {
		if other != s {
			other = other.Still()
		}
		sets = append(sets, other)
	}
	return w.Of(sets...)
}

// Sharing returns a set and those that share a budget with it: they have to be played together.
func (w *World) Sharing(s *stored.Set, budgets []*model.Budget) []*stored.Set {
	list := []*stored.Set{s}
	for _, other := range w.Sets {
		if other != s && slices.ContainsFunc(budgets, func(b *model.Budget) bool {
			return b.Covers(other.Pair.Key.Namespace, other.Newest().Spec.Template.Labels)
		}) {
			list = append(list, other)
		}
	}
	return list
}

// Lab returns the laboratory in which the sets live, with controllers of its own.
func (w *World) Lab() *play.Lab {
	config := w.Config()
	config.Cluster, config.Chooser, config.Kubelet.Rules = w.cluster, w.Drawn, slices.Clip(w.Rules)
	if w.live() {
		config = w.part().Begin(config)
	}
	config.Kubelet.Sets = map[model.Key]behaviour.Times{}
	for _, s := range w.Sets {
		config.Kubelet.Sets[s.Key()] = w.Times(s)
	}
	lab := &play.Lab{Profile: w.Profile, World: config}
	if w.held() {
		lab.Profile = w.Accepting()
	}
	// Other times have an effect before the change, and so has a failure of a set's first template.
	if w.begun != nil && w.Drawn == nil && w.More == [recording.Stages]time.Duration{} &&
		!slices.ContainsFunc(w.Rules, func(r behaviour.Rule) bool { return r.Match.Template < 2 }) {
		lab = lab.Onwards(w.begun)
	}
	return lab
}

// Explained returns the laboratory with the times that sim explain takes for the sets of a dump, where a plan takes the
// bounds of the manifest.
func (w *World) Explained() *play.Lab {
	lab := w.Lab()
	for _, s := range w.Sets {
		if s.Part != nil {
			times, shown := s.Timings.Given(), s.Part
			if w.Input.Given != nil {
				shown = w.Input.Given.Dump
			}
			shown.Fill(&times)
			lab.World.Kubelet.Sets[s.Key()] = times
		}
	}
	return lab
}

// Begun returns the world in the state just before the change. If a rollout is in progress, the world is returned as
// it was, because a failure may be about the second template of the set.
func (w *World) Begun() *World {
	other := *w
	if !w.unfinished() && !w.live() && !w.held() {
		other.begun = w.Lab().Begun(w.Before())
	}
	return &other
}

// Stalled returns the world with a set whose rollout of the dump has stalled.
func (w *World) Stalled(s *stored.Set) *World {
	as, other := *s, w.Of(slices.Clone(w.Sets)...)
	as.Staged, other.begun = &stored.Staged{}, nil
	for i := range other.Sets {
		if other.Sets[i] == s {
			other.Sets[i] = &as
		}
	}
	return other
}

// mostNodes is the largest number of nodes of a world.
const mostNodes = 500

// WithNodes returns the world with a node for each pod and one to spare. Pods of a dump stay on the nodes that the dump
// shows.
func (w *World) WithNodes() *World {
	other := *w
	if w.live() {
		return &other
	}
	other.begun, other.cluster.Nodes = nil, nil
	nodes := 1
	for _, s := range w.Sets {
		most := s.Newest().Spec.Replicas
		if s.Live != nil {
			most = max(most, s.Live.Spec.Replicas)
		}
		nodes += int(most)
	}
	other.cluster.Nodes = Spare(nodes - 1)
	return &other
}

// Spare returns a node for each of so many pods and one to spare.
func Spare(pods int) (list []sim.Node) {
	for i := range min(pods+1, mostNodes) {
		list = append(list, sim.Node{Name: whatif.Node + "-" + strconv.Itoa(i+1)})
	}
	return list
}

// Times returns the times of a set's pods.
func (w *World) Times(s *stored.Set) behaviour.Times {
	var delays [recording.Stages]behaviour.Delay
	for i, timing := range s.Timings {
		delays[i] = timing.Delay
		if w.Drawn == nil {
			delays[i] = behaviour.Constant(recording.Typical(timing.Delay) + w.More[i])
		}
	}
	return behaviour.Times{
		Schedule: behaviour.Constant(0), Stop: delays[recording.Stop], Start: delays[recording.Start],
		Ready: delays[recording.Ready],
	}
}

func (w *World) live() bool {
	return slices.ContainsFunc(w.Sets, func(s *stored.Set) bool { return s.Part != nil })
}

// held reports whether sets are made before the change that the version no longer creates.
func (w *World) held() bool {
	return slices.ContainsFunc(w.Sets, func(s *stored.Set) bool { return s.Held && s.Made() })
}

func (w *World) unfinished() bool {
	return slices.ContainsFunc(w.Sets, func(s *stored.Set) bool { return s.Staged != nil })
}

func (w *World) part() *dump.Dump {
	var keys []model.Key
	var parts, bare []*dump.Dump
	for _, s := range w.Sets {
		switch {
		case s.Part == nil:
			continue
		case s.Bared:
			bare = append(bare, s.Part)
		default:
			keys = append(keys, s.Key())
		}
		parts = append(parts, s.Part)
	}
	if len(parts) == 1 {
		return parts[0]
	}
	whole := &dump.Dump{State: &sim.State{From: parts[0].State.From}}
	if len(keys) > 0 {
		whole = w.Input.Given.Part(keys...)
	}
	for _, part := range bare {
		whole.State.Sets = append(whole.State.Sets, part.State.Sets...)
	}
	return whole
}

// BetweenCrashes returns the laboratory in which the pods of the set that crash are Ready once more, if any are.
func (w *World) BetweenCrashes(s *stored.Set) (*play.Lab, bool) {
	lab := w.Lab()
	config, any := w.part().BetweenCrashes(lab.World, s.Key().Namespace)
	lab.World = config
	return lab, any
}

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
	if w.held() {
		script = script.Then(play.Deed{Verb: "gate", Does: "the feature gate of Recreate is off", Act: func(u *sim.User) sim.Outcome {
			u.ReplaceControlPlane(release.Parts(w.Profile))
			return sim.Outcome{Effect: timeline.Done}
		}})
	}
	if w.raised == 0 {
		return script
	}
	// In a cluster at rest, the pods have been Ready for days: also for as long as the new minReadySeconds asks.
	return script.Then(play.Deed{Verb: "wait", Does: "wait until all pods are Ready"}, play.Deed{
		Verb: "wait", Does: "wait until they have been Ready for " + render.Brief(w.raised),
	}.After(w.raised))
}

// writes returns a deed that writes some sets at the same instant; write returns nil for one that it leaves alone.
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

// goOn returns the deed that gives the sets with an unfinished rollout their newest template.
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
