package plan

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/scenario/whatif"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

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

	// asks are the question, and the question where a budget forbids the eviction that it is about. compose takes one.
	asks [2]string
	// outcome is the result, then the fix: the parts of the answer before and after the budgets. compose joins them.
	outcome, then string
	// lead are the lines above the commands: what they cost, and what must be true first.
	lead []string
	// kind is the case of the catalogue that was played. loops says that it ends in a livelock, now or when a lost node
	// is back.
	kind  *whatif.Case
	loops bool
}

// Rollout is the name of the run in which nothing goes wrong.
const Rollout = "rollout"

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

// ShowNames lists the runs that may be shown.
func ShowNames() []string { return append(CaseNames(), Instead) }

// Shows lists those of them that this plan has.
func (plan *Plan) Shows() []string {
	return slices.DeleteFunc(ShowNames(), func(name string) bool {
		switch name {
		case Rollout:
			return !slices.ContainsFunc(plan.world.edits, (*edit).changes)
		case Instead:
			return !slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.Refusal != nil && s.Refusal.events != nil })
		}
		return !slices.ContainsFunc(plan.Sets, func(s *Set) bool { return s.has(name) })
	})
}

// subject is the set of a case, as the catalogue and as the plan see it.
type subject struct {
	whatif.Subject
	*edit
	world *world
	// main is the run in which nothing goes wrong.
	main *facts
	// budgets are the budgets that select the set's pods.
	budgets []*model.Budget
}

// ask plays the cases that can happen to the change of a set. It ends early if the user interrupts. The list is in the
// order of the catalogue.
func (w *world) ask(e *edit, main *facts, budgets []*model.Budget) []*Case {
	s := w.subject(e, main, budgets)
	var list []*Case
	for _, c := range whatif.For(whatif.OfChange) {
		if w.interrupted() {
			return list
		}
		if s.fits(c) {
			list = append(list, s.answers(c))
		}
	}
	return worst(list)
}

// worst keeps one of the cases broken and crashes, which are one question: crashes, unless more pods serve then. It
// is only asked of pods without a readiness probe, which nothing keeps from being Ready.
func worst(list []*Case) []*Case {
	at := slices.IndexFunc(list, func(c *Case) bool { return c.Name == broken })
	with := slices.IndexFunc(list, func(c *Case) bool { return c.Name == crashes })
	if at < 0 || with < 0 {
		return list
	}
	if list[with].Fewest <= list[at].Fewest {
		list[with].Usual = list[with].Fewest == list[at].Fewest && list[at].Usual
		list[at] = list[with]
		list[at].Name = broken
	}
	return slices.Delete(list, with, with+1)
}

// subject returns a set of a world in which only that set changes: what goes wrong is then its own.
func (w *world) subject(e *edit, main *facts, budgets []*model.Budget) *subject {
	var edits []*edit
	for _, other := range w.edits {
		if other != e {
			other = other.still()
		}
		edits = append(edits, other)
	}
	alone := w.of(edits...)
	s := &subject{edit: e, world: alone, main: main, budgets: budgets}
	s.Subject = whatif.Subject{
		Key: e.key(), Live: e.live, Wanted: main.last.Spec, Change: alone.change(),
		Template: main.last.Spec.Spec.Template.ID, Rolls: e.rolls(), Staged: main.goesOn || e.staged != nil,
		Low: main.last.Spec.PodName(main.last.Spec.Start()), Pause: time.Second, Times: w.times(e),
		Grace:    cmp.Or(scenario.NodeRules(w.profile.Version()).MonitorGrace, sim.DefaultMonitorGrace),
		Unprobed: unprobed(main.last.Spec.Spec.Template),
	}
	if e.rolls() || s.Staged {
		for _, m := range main.of(replaced) {
			s.Replaced = append(s.Replaced, m.Pod)
		}
	}
	for _, m := range main.of(created) {
		s.Created = append(s.Created, m.Pod)
	}
	if top := s.top(); top != nil {
		s.Touched, s.Begun = top.Pod, time.Duration(top.Down)
		s.Middle = s.Begun + time.Duration(max(0, top.Back-top.Down)/2)
	}
	return s
}

// still returns a set that runs and does not change.
func (e *edit) still() *edit {
	as := *e
	as.wanted, as.set = nil, nil
	return &as
}

// top returns the first pod that is replaced, or else the first that the change touches; nil if it touches none.
func (s *subject) top() *Move {
	if moves := s.main.of(replaced); len(moves) > 0 {
		return &moves[0]
	}
	if len(s.main.moves) > 0 {
		return &s.main.moves[0]
	}
	return nil
}

// ofMoving are the cases for a set that is not at rest; what happens to it before the change is known.
var ofMoving = []string{broken, crashes, "slow"}

// fits says whether a case can happen to the set. A set that is not at rest is only asked the cases that do not assume
// that it is.
func (s *subject) fits(c *whatif.Case) bool {
	if s.part != nil && !s.resting && (s.main.verdict != timeline.Settled || !slices.Contains(ofMoving, c.Name)) {
		return false
	}
	if c.UnderWay {
		now := s.pair.status
		return s.rolls() && now.behind() > 0 && now.Ready < now.Replicas
	}
	return (c.Fits == nil || c.Fits(&s.Subject)) && (!c.Node || s.bound())
}

// laboratory returns the world of a case, and its script. change is the number of the step that is the change, from 1.
func (s *subject) laboratory(c *whatif.Case) (w *world, script play.Script, change int) {
	w = s.world.of(s.world.edits...)
	if c.UnderWay {
		w.begun = nil
		for i, e := range w.edits {
			if e == s.edit {
				as := *e
				as.staged = &staged{}
				w.edits = slices.Clone(w.edits)
				w.edits[i] = &as
			}
		}
	}
	if c.Node {
		w.giveNodes()
	}
	if c.Behaves != nil {
		w.rules = c.Behaves(&s.Subject)
	}
	what := c.Script(&s.Subject)
	at := slices.IndexFunc(what, func(d play.Deed) bool { return d.Verb == "apply" })
	script, before := w.script(what...)
	return w, script, before + at + 1
}

// asks returns the question, for the set.
func (s *subject) asks(c *whatif.Case) string {
	if c.UnderWay {
		return fmt.Sprintf("the rollout of the dump, with %d of %d pods updated, has stalled, because its revision does not "+
			"become Ready", s.pair.status.Updated, s.pair.status.Replicas)
	}
	return c.Of(&s.Subject)
}

// answers plays a case and describes its result.
func (s *subject) answers(kind *whatif.Case) *Case {
	w, script, change := s.laboratory(kind)
	events, begun := s.run(w, script)
	f := gather(events, s.key(), change)
	c := &Case{Name: kind.Name, kind: kind, asks: [2]string{s.asks(kind)}, Fewest: min(f.fewest, f.serving)}
	if kind.Name == crashes {
		c.Fewest = s.crashing(f)
	}
	s.Guarded = true
	c.asks[1] = s.asks(kind)
	s.Guarded = false
	c.outcome = s.says(kind, f, events)
	c.Budgets = s.broken(hold(s.budgets, events, f.begin, max(0, play.StepAt(events, change))))
	switch f.verdict {
	case timeline.Livelock:
		c.Trap = true
		s.prevent(w, c, script)
	case timeline.IsStuck:
		c.Trap = true
		stuck := s.stuck(w, script, begun, events)
		stuck.Wanted = wanted(kind)
		if kind.Node {
			s.release(w, c, stuck)
		} else {
			s.heal(c, stuck)
		}
	}
	c.loops = c.loops || loops(f)
	c.Usual = s.usual(kind, c, f)
	c.compose()
	return c
}

// run plays a script, and returns the laboratory at its end too if the set seems to be stuck there.
func (s *subject) run(w *world, script play.Script) ([]timeline.Event, *play.Lab) {
	return w.lab().RunTo(script, func(world *sim.World) bool {
		return slices.ContainsFunc(world.Waits(s.key()), func(why model.Why) bool { return !why.Code.Resting() })
	})
}

// compose builds the answer from its parts.
func (c *Case) compose() {
	c.Asks = c.asks[0]
	if len(c.Budgets) > 0 {
		c.Asks = c.asks[1]
	}
	c.Answer = c.outcome
	for _, b := range c.Budgets {
		c.Answer += ". This goes " + b.short()
	}
	c.Answer += c.then
}

// usual says whether the case goes as it does with most sets: no loop, at most one serving pod less than if nothing
// goes wrong, and a fix if one is needed. If that one pod less violates a budget that had no pod to spare, this is no
// surprise.
func (s *subject) usual(kind *whatif.Case, c *Case, f *facts) bool {
	switch {
	case c.loops, c.Trap && len(c.Commands) == 0:
		return false
	case kind.Name == crashes:
		return false
	case kind.Name == broken:
		return f.serving >= min(s.main.before, s.main.replicas)-max(1, together(s.main.of(replaced))) && len(c.Budgets) == 0
	case kind.Name == "young", kind.Name == "again":
		return c.Fewest >= s.main.fewest
	}
	return c.Fewest >= s.main.fewest-1
}

// broken returns the budgets that are violated, and more so than if nothing goes wrong.
func (s *subject) broken(budgets []*Budget) []*Budget { return unkept(budgets, s.main.budgets) }

// unkept returns the budgets that are violated, and more so than in the main run.
func unkept(budgets, main []*Budget) []*Budget {
	return slices.DeleteFunc(budgets, func(b *Budget) bool {
		return b.Kept() || slices.ContainsFunc(main, func(main *Budget) bool {
			return main.Name == b.Name && main.Fewest <= b.Fewest
		})
	})
}

// wanted says whether the change is to stay in a case: it is not what goes wrong.
func wanted(kind *whatif.Case) bool {
	return kind.Name != broken && kind.Name != crashes && kind.Name != "again"
}

// stuck is the set at the end of a case that gets stuck.
func (s *subject) stuck(w *world, script play.Script, begun *play.Lab, events []timeline.Event) *heal.Stuck {
	return &heal.Stuck{Key: s.key(), Lab: w.lab(), Before: script, Begun: begun, Events: events,
		Reverted: s.pair.operator.Reverts(s.key().Namespace)}
}

// heal looks for commands that heal the set, and notes them in the case. The case says so if none is known.
func (s *subject) heal(c *Case, stuck *heal.Stuck) {
	way, others := stuck.Best()
	if way == nil {
		c.then = ". None of the tried fixes works"
		return
	}
	way.About = s.about()
	c.Commands, c.Reverts, c.Danger = way.Commands, way.Reverts, way.Danger
	c.lead = way.Lead("Fix (verified by simulation): " + way.Cost())
	c.then = ". " + render.Capital(way.What) + " fixes it"
	if c.Name == "unready" && way.Needs == "" && way.Deleted > 0 {
		c.then += " if the new pod becomes Ready. The plan does not know why the old one is not Ready"
	}
	for i := range others {
		if undo := &others[i]; way.Reverts && undo.What == "undoing the rollout" && (!undo.Heals || undo.Needs != "") {
			c.then = ". " + render.Capital(undo.What) + " alone " + c.alone(undo) + "; " + way.What + " does"
		}
	}
}

// alone says what comes of an undo that is not enough, or may not be.
func (c *Case) alone(undo *heal.Way) string {
	switch {
	case undo.Heals:
		return "fixes it only if " + undo.Needs
	case c.unprobed():
		return "may not fix it, since pods that crash are rarely all Ready at once"
	}
	return "does not fix it"
}

// prevent looks for commands that keep a set out of a livelock: a rollingUpdate block, if it has none. Nothing is
// noted if that does not help.
func (s *subject) prevent(w *world, c *Case, script play.Script) {
	if !play.LacksBlock(s.Wanted) {
		return
	}
	before, block := len(w.before()), play.WriteBlock(s.key())
	written := slices.Insert(slices.Clone(script), before, block)
	f := gather(w.lab().Run(written), s.key(), before+1)
	if f.verdict == timeline.Livelock {
		return
	}
	c.Commands, c.Prevents = []string{block.Kubectl}, true
	c.then += ". The set has no rollingUpdate block; with one written out before the change, " + f.ending()
	c.Ends = heal.BlockEnds(s.key(), w.lab(), script)
}

// replay plays a case of a set again, with the fix as its last steps if it has one. Runs are not kept, since a plan may
// have thousands. The set and the case must be the plan's own.
func (plan *Plan) replay(set *Set, c *Case) []timeline.Event {
	w := plan.world
	at := slices.IndexFunc(w.edits, func(e *edit) bool { return e.set == set })
	e := w.edits[at]
	w = w.of(w.sharing(e, set.over)...)
	script, _ := w.script(w.change())
	s := w.subject(e, gather(w.lab().Run(script), e.key(), len(script)), nil)
	w, script, _ = s.laboratory(c.kind)
	events, begun := s.run(w, script)
	if !c.Trap || c.Prevents {
		return events
	}
	stuck := s.stuck(w, script, begun, events)
	stuck.Wanted = wanted(c.kind)
	way, _ := stuck.Best()
	if c.kind.Node {
		way = stuck.Released()
	}
	if way != nil {
		return way.Events
	}
	return events
}
