package run

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/facts"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/world"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// cases plays the cases that can happen to the change of a set. It ends early if the user interrupts. The list is in
// the order of the catalogue.
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

// answer plays a case and describes its result.
func (s *subject) answer(kind *whatif.Case) *Case {
	p := s.play(kind)
	f := p.facts
	c := Case{
		Name: kind.Name, kind: kind, asks: s.asks(kind), Fewest: min(f.Fewest, f.Serving),
		Loops: f.Verdict == timeline.Livelock,
		Trap:  f.Verdict == timeline.Livelock || f.Verdict == timeline.IsStuck, Outcome: s.says(p),
	}
	if kind.Name == crashes {
		c.Fewest = s.crashing(f)
	}
	spent := facts.Hold(s.budgets, p.events, f.Begin, max(0, play.StepAt(p.events, p.change)))
	violated := facts.Unkept(spent, s.spent)
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

// usual says whether the case goes as it does with most sets: no loop, at most one serving pod less than if nothing
// goes wrong, and a fix if one is needed. If that one pod less violates a budget that had no pod to spare, this is no
// surprise.
func (s *subject) usual(c *Case, f *facts.Facts, violated []*facts.Budget) bool {
	switch {
	case c.Loops, c.Trap && len(c.Commands) == 0, c.Name == crashes:
		return false
	case c.Name == broken:
		return len(violated) == 0 &&
			f.Serving >= min(s.main.Before, s.main.Replicas)-max(1, s.main.Moves.Of(facts.Replaced).Together())
	case c.Name == "young", c.Name == "again":
		return c.Fewest >= s.main.Fewest
	}
	return c.Fewest >= s.main.Fewest-1
}

// healed is the case with commands that heal the set. The case says so if none is known.
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

// prevented is the case with commands that keep the set out of a livelock: a rollingUpdate block, if it has none. It
// stays as it is if that does not help.
func (s *subject) prevented(c Case, w *world.World, script play.Script) Case {
	if !play.LacksBlock(s.Wanted) {
		return c
	}
	before, block := len(w.Before()), play.WriteBlock(s.Key)
	written := slices.Insert(slices.Clone(script), before, block)
	f := facts.Gather(w.Lab().Run(written), s.Key, before+1)
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
	back := facts.Gather(lab.Run(returns), s.Key, 1)
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
	for _, command := range way.Commands {
		c.Commands = append(c.Commands, as(command))
	}
	for _, line := range way.Lead("Fix (verified by simulation): " + way.Cost()) {
		c.Lead = append(c.Lead, as(line))
	}
	c.Danger = as(way.Danger)
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
