package run

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// subject is the set of a case, as the catalogue and as the plan see it, in a world in which only that set changes.
type subject struct {
	whatif.Subject
	set   *stored.Set
	world *World
	// main is the run in which nothing goes wrong, and spent are the budgets in it.
	main  *Facts
	spent []*Budget
	// budgets are the budgets that select the set's pods.
	budgets []*model.Budget
}

func subjectOf(w *World, s *stored.Set, main *Facts, budgets []*model.Budget,
	spent []*Budget) *subject {
	alone, spec := w.Alone(s), main.Last.Spec
	of := whatif.Subject{
		Key: s.Key(), Live: s.Live, Wanted: spec, Change: alone.Apply(), Template: spec.Spec.Template.ID, Rolls: s.Rolls(),
		Staged: main.GoesOn || s.Staged != nil, Low: spec.PodName(spec.Start()), Pause: time.Second, Times: w.Times(s),
		Grace:    cmp.Or(scenario.NodeRules(w.Profile.Version()).MonitorGrace, sim.DefaultMonitorGrace),
		Unprobed: Unprobed(spec.Spec.Template), Created: podsIn(main.Moves.Of(Created)),
	}
	replaced := main.Moves.Of(Replaced)
	if of.Rolls || of.Staged {
		of.Replaced = podsIn(replaced)
	}
	// The first pod that is replaced is the one that is touched, or else the first that the change touches.
	if moves := slices.Concat(replaced, main.Moves); len(moves) > 0 {
		top := moves[0]
		of.Touched, of.Begun = top.Pod, time.Duration(top.Down)
		of.Middle = of.Begun + time.Duration(max(0, top.Back-top.Down)/2)
	}
	return &subject{Subject: of, set: s, world: alone, main: main, budgets: budgets, spent: spent}
}

func podsIn(moves Moves) []string {
	var pods []string
	for _, m := range moves {
		pods = append(pods, m.Pod)
	}
	return pods
}

// ofMoving are the cases for a set that is not at rest; what happens to it before the change is known.
var ofMoving = []string{broken, crashes, "slow"}

// fits says whether a case can happen to the set. A set that is not at rest is only asked the cases that do not assume
// that it is.
func (s *subject) fits(c *whatif.Case) bool {
	if s.set.Part != nil && !s.set.Resting &&
		(s.main.Verdict != timeline.Settled || !slices.Contains(ofMoving, c.Name)) {
		return false
	}
	if c.UnderWay {
		now := s.set.Pair.Status
		return s.Rolls && now.Behind() > 0 && now.Ready < now.Replicas
	}
	return (c.Fits == nil || c.Fits(&s.Subject)) && (!c.Node || s.bound())
}

// bound says whether the pod Low has a node when the change comes.
func (s *subject) bound() bool {
	return s.set.Part == nil || slices.ContainsFunc(s.set.Part.State.Pods, func(p sim.PodState) bool {
		return p.Key() == (model.Key{Namespace: s.Key.Namespace, Name: s.Low}) && p.Node != ""
	})
}

// asks returns the question, for the set, and the question where a budget forbids the eviction that it is about.
func (s *subject) asks(c *whatif.Case) [2]string {
	if c.UnderWay {
		now := s.set.Pair.Status
		text := fmt.Sprintf("the rollout of the dump, with %d of %d pods updated, has stalled, because its revision does "+
			"not become Ready", now.Updated, now.Replicas)
		return [2]string{text, text}
	}
	guarded := s.Subject
	guarded.Guarded = true
	return [2]string{c.Of(&s.Subject), c.Of(&guarded)}
}

// setting is the world of a case and its script. change is the number of the step that is the change, from 1.
type setting struct {
	world  *World
	script play.Script
	change int
}

func (s *subject) setting(c *whatif.Case) setting {
	w := s.world.Of(s.world.Sets...)
	if c.UnderWay {
		w = w.Stalled(s.set)
	}
	if c.Node {
		w = w.WithNodes()
	}
	if c.Behaves != nil {
		w.Rules = c.Behaves(&s.Subject)
	}
	what := c.Script(&s.Subject)
	at := slices.IndexFunc(what, func(d play.Deed) bool { return d.Verb == "apply" })
	script, before := w.Script(what...)
	return setting{w, script, before + at + 1}
}

// played is a case that was played: what the run shows, and the laboratory at its end if the set seems to be stuck
// there.
type played struct {
	setting
	kind   *whatif.Case
	events []timeline.Event
	begun  *play.Lab
	facts  *Facts
}

func (s *subject) play(kind *whatif.Case) *played {
	at := s.setting(kind)
	events, begun := at.world.Lab().RunTo(at.script, func(end *sim.World) bool {
		return slices.ContainsFunc(end.Waits(s.Key), func(why model.Why) bool { return !why.Code.Resting() })
	})
	return &played{at, kind, events, begun, Gather(events, s.Key, at.change)}
}

func (s *subject) stuck(p *played) *heal.Stuck {
	// A change that is not what goes wrong is to stay.
	wanted := p.kind.Name != broken && p.kind.Name != crashes && p.kind.Name != "again"
	return &heal.Stuck{Key: s.Key, Lab: p.world.Lab(), Before: p.script, Begun: p.begun, Events: p.events, Wanted: wanted,
		Reverted: s.set.Pair.Operator.Reverts(s.Key.Namespace)}
}

// crashing returns how many pods serve at least, however long the new ones crash: sooner or later all of these are down
// at the same time, even if they are not in the run.
func (s *subject) crashing(f *Facts) int {
	others := 0
	for p := range f.Last.Pods.All {
		if p.Template != s.Template {
			others++
		}
	}
	return min(f.Fewest, f.Serving, others)
}
