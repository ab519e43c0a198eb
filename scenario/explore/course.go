package explore

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	search "github.com/statefulsim/statefulsim/sim/explore"
	"github.com/statefulsim/statefulsim/sim/promise"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// course is one run of a scenario in which the search says what happens.
type course struct {
	*Explorer
	run   *search.Run
	world *sim.World
	judge *promise.Judge
	progress
	// resumed says that the run goes on from a fixed point of another one, which has looked at it already.
	resumed bool
	// marks says that what is a deviation says so in the timeline, for a page.
	marks bool
	// place is where it is played, which others have left; nil for a run that is kept.
	place *workplace
	// states are the states of the run since its last deviation; packed is used again for each.
	states map[uint64]bool
	packed []byte
	// opened is used again for each list of acts.
	opened []*act
}

// progress says how far a run has come, beside the state of its world and its judge.
type progress struct {
	// instants counts the fixed points.
	instants int
	// read is the number of events that the judge has seen, told the number of breaches that were reported to the search.
	read, told int
	// next is the scenario's next step, from when the instant of the step before.
	next int
	from model.Time
	// used counts the acts of each kind that have happened, all of them in happened.
	used     []int
	happened int
	// done are the steps and acts that have acted, in their order.
	done []deed
	// regime is the regime of the run, counted from 1; 0 is the scenario as it stands.
	regime int
	// matched counts the writes that may fail, of each kind; struck are those that have.
	matched []int
	struck  []strike
}

// deed is a step, or an act where act is not nil, and when it acted.
type deed struct {
	step int
	act  *act
	at   model.Time
}

// newCourse begins a run, or goes on from where the search wants it to. A nil run answers all questions dully.
func (x *Explorer) newCourse(run *search.Run) *course { return x.courseAt(run, nil) }

// courseAt is newCourse at a place that another course has left.
func (x *Explorer) courseAt(run *search.Run, place *workplace) *course {
	c := &course{Explorer: x, run: run, place: place}
	if place != nil {
		c.packed, c.opened = place.packed, place.opened
	}
	if run != nil && run.Resumes() != nil {
		c.resume(run.Resumes().(*saved))
		return c
	}
	c.used, c.matched = make([]int, len(x.times)), make([]int, len(x.writes))
	c.regime = c.choose(1 + len(x.regimes))
	c.world = sim.New(c.config())
	c.world.Begin()
	c.judge = promise.NewJudge(promise.Options{
		Names: x.Promises, MaxUnavailable: x.scenario.Profile.Gate("MaxUnavailableStatefulSet"),
	})
	return c
}

// config is the world of the run's regime.
func (c *course) config() sim.Config {
	if c.place == nil || c.Controller != nil {
		return c.newConfig()
	}
	if c.place.configs == nil {
		c.place.configs = make([]*sim.Config, 1+len(c.regimes))
	}
	known := &c.place.configs[c.regime]
	if *known == nil {
		made := c.newConfig()
		*known = &made
	}
	config := **known
	config.Chooser = c
	return config
}

func (c *course) newConfig() sim.Config {
	played := c.scenario
	if c.regime > 0 {
		played = c.regimes[c.regime-1]
	}
	config := played.Config(scenario.RunOptions{Sim: c.Sim, Chooser: c, Interrupted: c.Interrupted})
	if c.Controller != nil {
		config.Controller = c.Controller(played.Profile)
	}
	config.Machinery.Behind = max(config.Machinery.Behind, c.behind)
	config.MaxEvents, config.EarlySyncs = c.MaxEvents, c.Open(choose.Sync)
	if c.place != nil {
		config.Spare = &c.place.spare
	}
	config.Faults = slices.Concat(config.Faults, c.faults(len(config.Faults)))
	return config
}

// firstWrite is more answers than any other question of chance has: a question with so many, or i more, is whether the
// i-th of the writes that may fail does so now.
const firstWrite = 1 << 20

// faults are the writes that may fail, behind the faults that the scenario has.
func (x *Explorer) faults(before int) []sim.Fault {
	var faults []sim.Fault
	for i := range x.writes {
		f := *x.writes[i].Fault
		f.Number, f.Chance = before+i+1, sim.Chance{Of: 1, Among: firstWrite + i}
		faults = append(faults, f)
	}
	return faults
}

// Choose answers the questions of the world.
func (c *course) Choose(kind choose.Kind, n int) int {
	if kind == choose.Fault && n >= firstWrite {
		return c.strikes(n-firstWrite) * (n - 1)
	}
	if c.run == nil {
		return 0
	}
	return c.run.Choose(kind, n)
}

// strikes says whether a write that may fail does so: 1 if it does.
func (c *course) strikes(write int) int {
	c.matched[write]++
	if c.happened >= c.Acts {
		return 0
	}
	answer := c.choose(2)
	if answer == 1 {
		c.happened++
		c.struck = append(c.struck, strike{write, c.matched[write]})
	}
	return answer
}

// play plays the run, whose world is at a fixed point.
func (c *course) play() {
	defer func() { c.world.Release() }()
	for ; !c.world.Over() && c.instants < c.Instants; c.instants++ {
		if !c.resumed && c.arrive() {
			return
		}
		c.resumed = false
		if !c.goOn() {
			break
		}
	}
	c.end()
}

// arrive looks at the fixed point that the run has come to, and says whether it ends there.
func (c *course) arrive() (ends bool) {
	c.hear()
	if c.judge.Miscounts() && c.world.Lag() == sim.CaughtUp {
		c.judge.Recount(c.world.Now())
	}
	c.tell()
	if c.run == nil {
		return false
	}
	c.run.Mark(c.save)
	return c.run.Enough() || c.known()
}

// goOn lets the next thing happen: what the search says, or else what comes by itself. It returns false where nothing
// is left.
func (c *course) goOn() bool {
	at, moves := c.world.Next()
	due, waits := c.due(at, moves)
	if open := c.open(due); len(open) > 0 && c.happened < c.Acts {
		if answer := c.choose(len(open) + 1); answer > 0 {
			c.do(open[answer-1])
			return true
		}
	}
	switch {
	case due:
		c.step(false)
	case waits:
		c.world.Advance(c.when())
	case moves:
		c.world.Move(at)
	default:
		return false
	}
	return true
}

func (c *course) choose(n int) int {
	if c.run == nil {
		return 0
	}
	return c.run.Choose(choose.Act, n)
}

// due says whether the scenario's next step acts now; waits, whether its time comes before anything else happens.
func (c *course) due(next model.Time, moves bool) (due, waits bool) {
	if c.next == len(c.scenario.Steps) {
		return false, false
	}
	step := &c.scenario.Steps[c.next]
	if untimed(step) {
		return !moves || c.empty(), false
	}
	when := c.when()
	return when <= c.world.Now(), !moves || when < next
}

// empty says whether nothing is there yet: the first step brings it.
func (c *course) empty() bool { return c.next == 0 && c.scenario.Start == nil }

// when is the instant of the scenario's next step, which has a time.
func (c *course) when() model.Time {
	step := &c.scenario.Steps[c.next]
	if step.When.Trigger == sim.After {
		return max(c.from.Add(step.When.D), c.world.Now())
	}
	return max(model.Time(step.When.D), c.world.Now())
}

// open are the acts that may happen now, until it is called again. The scenario's own next step is the first of them,
// as nil, where it would come by itself only later.
func (c *course) open(due bool) []*act {
	if c.empty() {
		return nil
	}
	open := c.opened[:0]
	if !c.block.Settled && c.next < len(c.scenario.Steps) && !due && untimed(&c.scenario.Steps[c.next]) {
		open = append(open, nil)
	}
	for i := range c.acts {
		if a := &c.acts[i]; c.used[a.kind] < c.times[a.kind] && a.met(c.judge.State()) {
			open = append(open, a)
		}
	}
	c.opened = open
	return open
}

// do lets an act happen, or the scenario's next step where it is nil.
func (c *course) do(a *act) {
	if a == nil {
		c.step(true)
		return
	}
	c.used[a.kind]++
	c.happened++
	step := c.marked(a.step, true)
	step.Number = len(c.done) + 1
	c.done = append(c.done, deed{act: a, at: c.world.Now()})
	c.world.Act(&step)
}

// marked says of a step that it is a deviation, where that is to be seen.
func (c *course) marked(step sim.Step, deviates bool) sim.Step {
	if c.marks && deviates {
		step.Does = "DEVIATION: " + step.Does
	}
	return step
}

// step lets the scenario's next step act, early where that is a deviation.
func (c *course) step(early bool) {
	step := c.marked(c.scenario.Steps[c.next], early)
	step.Number = len(c.done) + 1
	c.done = append(c.done, deed{step: c.next, at: c.world.Now()})
	c.next++
	c.from = c.world.Now()
	c.world.Act(&step)
}

// hear lets the judge see what has happened.
func (c *course) hear() {
	events := c.world.Events()
	for ; c.read < len(events); c.read++ {
		c.judge.See(&events[c.read])
	}
}

// tell reports to the search what the judge has found.
func (c *course) tell() {
	if c.run == nil {
		return
	}
	for _, b := range c.judge.Breaches()[c.told:] {
		c.run.Found(search.Finding{Class: b.Class(), Detail: b.Says})
	}
	c.told = len(c.judge.Breaches())
}

// end closes the run and judges its end. One that was cut off by the number of its instants has none.
func (c *course) end() {
	if _, moves := c.world.Next(); moves {
		c.hear()
		c.tell()
		return
	}
	coming := c.world.Lag() == sim.Unseen
	events := c.world.End()
	if coming && events[len(events)-1].Result.Verdict == timeline.Livelock {
		// A change that ends the loop may be on its way: a loop of one instant is no loop for ever then.
		c.read = len(events)
	}
	c.hear()
	c.tell()
	if verdict := events[len(events)-1].Result.Verdict; verdict == timeline.Settled || verdict == timeline.IsStuck {
		c.resync()
	}
}

// resync lets the controller look at a world at rest once more, and judges that it writes nothing.
func (c *course) resync() {
	before := len(c.world.Events())
	stuck := c.world.Events()[before-1].Result.Stuck
	c.world.Resync()
	written := func(e timeline.Event) bool {
		return e.Kind != timeline.KindSync && e.Kind != timeline.KindK8sEvent && e.Kind != timeline.KindWait
	}
	after := c.world.Events()[before:]
	if at := slices.IndexFunc(after, written); at >= 0 {
		found := promise.Resync{Wrote: after[at].Why.Code}
		for _, s := range stuck {
			if s.Set == after[at].Set {
				found.Stuck = s.Why.Code
			}
		}
		c.judge.Resynced(after[at].Set, c.world.Now(), found)
		c.tell()
	}
}
