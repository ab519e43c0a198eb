package run

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/heal"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

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

// Case is something that may go wrong during the change, and its simulated result.
type Case struct {
	// Name is the name of the case, by which it can be shown: one of those in docs/plan.md.
	Name string `json:"name"`
	// Asks is the question, Answer the result.
	Asks   string `json:"asks"`
	Answer string `json:"answer"`
	// Fewest is the least number of serving pods, during the case or at its end. Pods that do not serve because of the
	// case itself count too.
	Fewest int `json:"fewest"`
	// Trap says that the set does not recover by itself: it is stuck, or in a livelock.
	Trap bool `json:"trap"`
	// Usual says that the case goes as with most sets, so nobody has to look at it: a broken revision stops at its
	// first pod, and the known fix helps.
	Usual bool `json:"usual"`
	// Commands are the commands that heal it, if one is needed and known; they were played as well. Reverts says that
	// one of them reverts the template, which has to be reverted in Git too if the template comes from there.
	Commands []string `json:"commands,omitempty"`
	Reverts  bool     `json:"reverts,omitempty"`
	// Danger is the condition under which the commands lose nothing.
	Danger string `json:"danger,omitempty"`
	// Prevents says that the commands have to be run before the change: they prevent the problem.
	Prevents bool `json:"prevents,omitempty"`
	// Ends says that they also end it once it has begun.
	Ends bool `json:"endsLivelock,omitempty"`
	// Budgets are the budgets that are violated on the way.
	Budgets []*Budget `json:"budgets,omitempty"`

	// Outcome is the result without the fix, Lead are the lines above the commands: what they cost, and what must be true
	// first. Loops says that it ends in a livelock, now or when a lost node is back.
	Outcome string   `json:"-"`
	Lead    []string `json:"-"`
	Loops   bool     `json:"-"`
	// asks are the question, and the question where a budget forbids the eviction that it is about. then is the part of
	// the answer about the fix. kind is the case of the catalogue that was played.
	asks [2]string
	then string
	kind *whatif.Case
}

// under returns the case with the budgets that it violates. A broken revision that does is not usual.
func (c Case) under(budgets []*Budget) *Case {
	c.Budgets = budgets
	c.Usual = c.Usual && (c.Name != broken || len(budgets) == 0)
	c.Asks, c.Answer = c.asks[0], c.Outcome
	if len(budgets) > 0 {
		c.Asks = c.asks[1]
	}
	for _, b := range budgets {
		c.Answer += ". This goes " + b.Short()
	}
	c.Answer += c.then
	return &c
}

func (c Case) renamed(r *strings.Replacer) *Case {
	c.asks = [2]string{r.Replace(c.asks[0]), r.Replace(c.asks[1])}
	c.Outcome, c.then, c.Danger = r.Replace(c.Outcome), r.Replace(c.then), r.Replace(c.Danger)
	c.Commands, c.Lead = changed(c.Commands, r.Replace), changed(c.Lead, r.Replace)
	return &c
}

// changed returns each of some texts changed by a function.
func changed(texts []string, as func(string) string) []string {
	var list []string
	for _, text := range texts {
		list = append(list, as(text))
	}
	return list
}

// Unprobed says whether the case is the one in which a revision crashes and no readiness probe notices.
func (c *Case) Unprobed() bool { return c.kind != nil && c.kind.Name == crashes }

// Told says whether people are told the commands of the case. Those for a lost node are nearly always the same.
func (c *Case) Told() bool {
	return len(c.Commands) > 0 && (c.kind == nil || !c.kind.Node || !c.Usual)
}

// Heals says what the commands of the case do.
func (c *Case) Heals() []string {
	switch {
	case c.Ends:
		return []string{"To prevent it, run this before the change. Once it has begun, the same command ends it " +
			"(verified by simulation):"}
	case c.Prevents:
		return []string{"To prevent it, run this before the change:"}
	}
	return c.Lead
}

// Rollout is the name of the run in which nothing goes wrong, Instead that of the run of the way around a refusal.
const (
	Rollout = "rollout"
	Instead = "instead"
)

// crashes is the case that is reported as one with broken: the worse of both.
const broken, crashes = "broken", "crashes"

// CaseNames lists the change itself, and all that may go wrong with it, in the order in which they are played.
func CaseNames() []string {
	list := []string{Rollout}
	for _, name := range whatif.Names(whatif.OfChange) {
		if name != crashes {
			list = append(list, name)
		}
	}
	return list
}

// worst keeps one of the cases broken and crashes, which are one question: crashes, unless more pods serve then. It
// is only asked of pods without a readiness probe, which nothing keeps from being Ready.
func worst(list []*Case) []*Case {
	at := slices.IndexFunc(list, func(c *Case) bool { return c.Name == broken })
	with := slices.IndexFunc(list, func(c *Case) bool { return c.Name == crashes })
	if at < 0 || with < 0 {
		return list
	}
	one := *list[at]
	if list[with].Fewest <= one.Fewest {
		usual := list[with].Fewest == one.Fewest && one.Usual
		one = *list[with]
		one.Usual, one.Name = usual, broken
	}
	return slices.Concat(list[:at], []*Case{&one}, slices.Delete(slices.Clone(list[at+1:]), with-at-1, with-at))
}

// Unprobed says whether the pods of a template have no readiness probe.
func Unprobed(t *model.Template) bool {
	return !slices.ContainsFunc(t.Lifecycle.Containers, func(c model.ContainerSpec) bool { return c.Readiness != nil })
}
