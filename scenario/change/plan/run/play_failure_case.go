package run

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/scenario/play/whatif"
	"github.com/statefulsim/statefulsim/scenario/release"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
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

func subjectOf(w *World, s *stored.Set, main *Facts, budgets []*model.Budget, spent []*Budget) *subject {
	alone, spec := w.Alone(s), main.Last.Spec
	of := whatif.Subject{
		Key: s.Key(), Live: s.Live, Wanted: spec, Change: alone.Apply(), Template: spec.Spec.Template.ID, Rolls: s.Rolls(),
		Staged: main.GoesOn || s.Staged != nil, Low: spec.PodName(spec.Start()), Pause: time.Second, Times: w.Times(s),
		Grace:    cmp.Or(release.NodeRules(w.Profile.Version()).MonitorGrace, sim.DefaultMonitorGrace),
		Unprobed: Unprobed(spec.Spec.Template), Created: main.Moves.Of(Created).names(),
	}
	replaced := main.Moves.Of(Replaced)
	if of.Rolls || of.Staged {
		of.Replaced = replaced.names()
	}
	// The first pod that is replaced is the one that is touched, or else the first that the change touches.
	if moves := slices.Concat(replaced, main.Moves); len(moves) > 0 {
		top := moves[0]
		of.Touched, of.Begun = top.Pod, time.Duration(top.Down)
		of.Middle = of.Begun + time.Duration(max(0, top.Back-top.Down)/2)
	}
	return &subject{Subject: of, set: s, world: alone, main: main, budgets: budgets, spent: spent}
}

// ofMoving are the cases for a set that is not at rest; what happens to it before the change is known.
var ofMoving = []string{broken, crashes, "slow"}

// fits says whether a case can happen to the set, and does not assume that it is at rest if it is not.
func (s *subject) fits(c *whatif.Case) bool {
	if s.set.Part != nil && !s.set.Resting &&
		(s.main.Verdict != timeline.Settled || !slices.Contains(ofMoving, c.Name)) {
		return false
	}
	if c.UnderWay {
		now := s.set.Pair.Status
		return s.Rolls && now != nil && now.Behind() > 0 && now.Ready < now.Replicas
	}
	return (c.Fits == nil || c.Fits(&s.Subject)) && (!c.Node || s.bound())
}

// bound says whether the pod Low has a node when the change comes.
func (s *subject) bound() bool {
	if s.set.Part == nil {
		return true
	}
	p := s.set.Part.Pod(model.Key{Namespace: s.Key.Namespace, Name: s.Low})
	return p != nil && p.Node != ""
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

// cases plays the cases that can happen to the change of a set, until the user interrupts.
func (s *subject) cases() []*Case {
	var list []*Case
	for _, c := range whatif.For(whatif.OfChange) {
		if s.world.Ends() {
			return list
		}
		if s.fits(c) {
			list = append(list, s.answer(c))
		}
	}
	return worst(list)
}

func (s *subject) answer(kind *whatif.Case) *Case {
	p := s.play(kind)
	f := p.facts
	c := Case{
		Name: kind.Name, kind: kind, asks: s.asks(kind), Fewest: min(f.Fewest, f.Serving),
		Loops: f.Verdict == timeline.Livelock,
		Trap:  f.Verdict == timeline.Livelock || f.Verdict == timeline.IsStuck, Outcome: s.says(p),
	}
	if s.world.GatesOfCases {
		c.Gates = gated.Of(p.events, play.StepAt(p.events, p.change), s.Key, s.world.Gates)
	}
	if kind.Name == crashes {
		c.Fewest = s.crashing(f)
	}
	spent := Hold(s.budgets, p.events, f.Begin, max(0, play.StepAt(p.events, p.change)))
	violated := Unkept(spent, s.spent)
	switch {
	case f.Verdict == timeline.Livelock:
		c = s.prevented(c, p.world, p.script)
	case c.Trap && kind.Node:
		c = s.released(c, p)
	case c.Trap:
		c = s.healed(c, p)
	}
	c.Usual = s.usual(&c, f, violated)
	return c.under(violated)
}

// usual says whether the case goes as with most sets: no loop, one serving pod less at most, and a fix if needed.
func (s *subject) usual(c *Case, f *Facts, violated []*Budget) bool {
	switch {
	case c.Loops, c.Trap && len(c.Commands) == 0, c.Name == crashes:
		return false
	case c.Name == broken:
		return len(violated) == 0 &&
			f.Serving >= min(s.main.Before, s.main.Replicas)-max(1, s.main.Moves.Of(Replaced).Together())
	case c.Name == "young", c.Name == "again":
		return c.Fewest >= s.main.Fewest
	}
	return c.Fewest >= s.main.Fewest-1
}

func (s *subject) healed(c Case, p *played) Case {
	way, others := s.stuck(p).Best()
	if way == nil {
		c.then = ". None of the tried fixes works"
		return c
	}
	way.About = s.set.About()
	c.Commands, c.Reverts, c.Danger = way.Commands, way.Reverts, way.Danger
	c.Lead = way.Lead("Fix (verified by simulation): " + way.Cost())
	c.then = ". " + render.Capital(way.What) + " fixes it"
	if c.Name == "unready" && way.Needs == "" && way.Deleted > 0 {
		c.then += " if the new pod becomes Ready. The plan does not know why the old one is not Ready"
	}
	for i := range others {
		if undo := &others[i]; way.Reverts && undo.What == "undoing the rollout" && (!undo.Heals || undo.Needs != "") {
			c.then = ". " + render.Capital(undo.What) + " alone " + c.alone(undo) + "; " + way.What + " does"
		}
	}
	return c
}

// alone says what comes of an undo that is not enough, or may not be.
func (c *Case) alone(undo *heal.Way) string {
	switch {
	case undo.Heals:
		return "fixes it only if " + undo.Needs
	case c.Unprobed():
		return "may not fix it, since pods that crash are rarely all Ready at once"
	}
	return "does not fix it"
}

// prevented is the case with a rollingUpdate block that keeps the set out of a livelock, if that helps.
func (s *subject) prevented(c Case, w *World, script play.Script) Case {
	if !play.LacksBlock(s.Wanted) {
		return c
	}
	if block := s.Live.Spec.Strategy.RollingUpdate; block != nil && block.Partition > 0 {
		// The command would let the change reach all pods that the partition still holds back.
		c.then += ". The change removes the rollingUpdate block; to prevent it, write partition: 0 into the manifest"
		return c
	}
	before, block := len(w.Before()), play.WriteBlock(s.Key)
	written := slices.Insert(slices.Clone(script), before, block)
	f := Gather(w.Lab().Run(written), s.Key, before+1)
	if f.Verdict == timeline.Livelock {
		return c
	}
	c.Commands, c.Prevents = []string{block.Kubectl}, true
	c.then += ". The set has no rollingUpdate block; with one written out before the change, " + f.Ending()
	c.Ends = heal.BlockEnds(s.Key, w.Lab(), script)
	return c
}

// released is the case with what lets a rollout continue that waits for a pod on a silent node: that the node comes
// back, and what people can do before, if they know that its machine is off.
func (s *subject) released(c Case, p *played) Case {
	stuck, l := s.stuck(p), s.lost(p.events)
	lab := stuck.Lab
	if stuck.Begun != nil {
		lab = stuck.Begun
	}
	returns := p.script.Then(play.NodeUp(l.node))
	back := Gather(lab.Run(returns), s.Key, 1)
	c.then, c.Loops = ". When "+whatif.Node+" is back, "+back.Ending(), back.Verdict == timeline.Livelock
	if c.Loops {
		c = s.prevented(c, p.world, returns)
	}
	way := (*heal.Way)(nil)
	if back.Completes() {
		way = stuck.Released()
	}
	if way == nil {
		return c
	}
	way.About, c.Reverts = s.set.About(), way.Reverts
	as := func(text string) string { return renamedNode(text, l.node) }
	c.Commands = append(c.Commands, changed(way.Commands, as)...)
	c.Lead, c.Danger = changed(way.Lead("Fix (verified by simulation): "+way.Cost()), as), as(way.Danger)
	c.then += ". " + render.Capital(as(way.What)) + " ends the wait before that; do it only if its machine is certainly " +
		"off"
	return c
}

// renamedNode puts whatif.Node in the place of the name of a node, wherever that is a word of a text.
func renamedNode(text, name string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		if rest, is := strings.CutPrefix(word, name); is && strings.Trim(rest, ".,;:)") == "" {
			words[i] = whatif.Node + rest
		}
	}
	return strings.Join(words, " ")
}
