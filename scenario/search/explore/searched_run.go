package explore

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/search"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// course is one run of a scenario in which the search decides what happens. It drives the world from fixed point to
// fixed point and asks the search at each of them. The fields of the Explorer are shared by all courses and are only
// read.
//
// A course is one of two kinds. A run of the search (place is set) only reports its breaches and leaves its memory to
// the next one. A run that is kept (place is nil) also notes what a story needs: odd, and sights.
type course struct {
	*Explorer
	// run answers the choices; nil if the course is the plain run, or plays a plain scenario: then each answer is 0.
	run   *search.Run
	world *sim.World
	// judge has seen the events of the world up to progress.read. Its fold is the state that acts are compared with.
	judge *promise.Judge
	progress
	// wanted is the class of breach that a plain scenario is only played for, so that it ends there; "" plays all of it.
	wanted string
	// resumed is true if the run continues from a fixed point of another run, which has judged that point already.
	resumed bool
	// marks is true if the timeline marks deviations, for a page. Set it before play. The text of a step is no part of
	// the fingerprint, so marks change nothing else.
	marks bool
	// odd are the deviations that are neither steps nor faults, if the run is kept. A scenario cannot write them.
	odd []oddity
	// sights are what the syncs of the run saw, in their order, if the run is kept.
	sights []sight
	// place is where a run of the search is played, one course at a time; nil for a run that is kept.
	place *workplace
	// states are the states of this run since its last deviation, so that it goes on through a loop of its own; nil
	// before the first. packed is a buffer that each state is packed into.
	states map[uint64]bool
	packed []byte
	// opened is a buffer for the lists of acts that open returns: no list outlives the next fixed point.
	opened []*act
}

// progress says how far a run has got, besides the state of its world and of its judge. It is saved at each mark, so
// all that a course must remember from one fixed point to the next stands here. What decides the future of the run is
// in course.state too: regime, next and from (as the time left), used and happened. The rest only serves reports.
type progress struct {
	// instants counts the fixed points, up to Explorer.Instants. It is not in the state, so a run may stop at a state
	// from which another run has continued with fewer instants left. The bound only meets runs that do not end.
	instants int
	// read is the number of events that the judge has seen, reported the number of breaches that the search knows. Both
	// only grow.
	read, reported int
	// next is the index of the scenario's next step, len(Steps) after the last. from is the instant at which the step
	// before it acted, from which `after` is counted.
	next int
	from model.Time
	// used counts the acts that have happened by their kind, and is at most Explorer.times. happened counts all acts and
	// failed writes, and is at most Explorer.Acts; early steps are free.
	used     []int
	happened int
	// done are the steps and acts so far, in their order. The number of a step in the timeline is its index here plus 1.
	done []deed
	// regime is the number of the run's regime, from 1; 0 means the scenario's own settings.
	regime int
	// matched counts, for each write that may fail, how often it was made. struck are those that have failed, in order.
	matched []int
	struck  []strike
}

// deed is a step of the scenario or, if act is not nil, an act.
type deed struct {
	// step is the index of the step in the scenario; it means nothing if act is set.
	step int
	act  *act
	// at is the instant at which it acted; deviates is one of added and early; "" if the plain run does the same.
	at       model.Time
	deviates string
}

// newCourse begins a run that is kept, or goes on from where the search wants it to. A nil run answers all questions
// as the plain run does. The caller plays it.
func (x *Explorer) newCourse(run *search.Run) *course { return x.courseAt(run, nil) }

// courseAt is newCourse at a workplace; nil keeps the run. The caller owns the workplace until the course has ended
// and its world is left, and then takes back the buffers of the course.
//
// The regime is the first choice of a run, before its world exists, because the world is made with its settings. If
// there are no regimes it has one answer, and is no choice.
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
		Names: x.Promises, MaxUnavailable: x.scenario.Profile.Gate("MaxUnavailableStatefulSet"), Once: place != nil,
	})
	return c
}

// config returns the configuration of the world under the run's regime. A workplace keeps it for its next runs: only
// the Chooser differs between them. It is made each time for a controller from outside, which may remember the world
// that it was made for, and for a run that is kept, whose controller is watched.
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

// newConfig makes the configuration. Behind is raised to what the acts may ask for, so that the API server keeps a
// history that is long enough, in runs without such an act too: otherwise their states would differ.
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
	if c.place == nil {
		config.Controller = watched{config.Controller, c}
	}
	config.MaxEvents, config.EarlySyncs = c.MaxEvents, c.Open(choose.Sync)
	if c.place != nil {
		config.Spare, config.Hasty = &c.place.spare, true
	}
	config.Faults = slices.Concat(config.Faults, c.faults(len(config.Faults)))
	return config
}

// firstWrite marks the choices that are about writes: a choice of kind Fault among firstWrite+i answers asks whether
// the i-th of the writes that may fail does so now. It is far above the Among of any fault that a scenario can write,
// so no other choice of the kind has so many answers.
const firstWrite = 1 << 20

// faults returns the writes that may fail as faults. They are numbered after the scenario's own faults, of which there
// are before: a story tells them apart by that. The chance of one among firstWrite+i makes the world ask at each write
// that matches.
func (x *Explorer) faults(before int) []sim.Fault {
	var faults []sim.Fault
	for i := range x.writes {
		f := *x.writes[i].Fault
		f.Number, f.Chance = before+i+1, sim.Chance{Of: 1, Among: firstWrite + i}
		faults = append(faults, f)
	}
	return faults
}

// Choose answers the questions of the world, which knows nothing of the search. A question about a write has two
// answers here: n-1 is the one that makes the write fail.
func (c *course) Choose(kind choose.Kind, n int) int {
	if kind == choose.Fault && n >= firstWrite {
		return c.strikes(n-firstWrite) * (n - 1)
	}
	if c.run == nil {
		return 0
	}
	answer := c.run.Choose(kind, n)
	if says := unusual[kind]; answer > 0 && c.place == nil && says != "" {
		c.odd = append(c.odd, oddity{len(c.world.Events()), says})
	}
	return answer
}

// Asked counts the questions so far, with the writes that may fail: a run that has had all its acts is not asked about
// them, and counts them all the same.
func (c *course) Asked() int {
	n := 0
	if c.run != nil {
		n = c.run.Length()
	}
	for _, writes := range c.matched {
		n += writes
	}
	return n
}

// unusual says what a deviation of a kind means. Faults and acts are not in it: they have events of their own.
var unusual = map[choose.Kind]string{
	choose.Tie:    "of what is due at this instant, something else comes first",
	choose.Branch: "the batch is worked off in another order",
	choose.Timing: "something takes longer",
	choose.Sync:   "another StatefulSet is synced first, or a sync comes before what else is due",
}

// strikes decides whether a write that may fail does so: 1 if it fails, 0 if not. A run that has had all its acts does
// not ask, so that it has no choices that could deviate.
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

// play plays the run from the fixed point at which its world is to the end, or to where the search wants no more of
// it. A run that has been cut off by its number of instants is not ended as a world, but is judged up to there. The
// syncs that are suspended are released in each case: nothing else would collect their coroutines.
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

// arrive judges the fixed point that the run has reached, and returns true if the run ends there: it has found enough,
// or another run has been in this state. The counts of a status are judged only when the controller has seen all
// changes, because they may be wrong until then. A mark is set after the judgment, so a run that resumes does not
// judge again.
func (c *course) arrive() (ends bool) {
	c.watch()
	if c.judge.Miscounts() && c.world.Lag() == sim.CaughtUp {
		c.judge.Recount(c.world.Now())
	}
	c.report()
	if c.run == nil {
		return c.wanted != "" && c.breach(c.wanted) != nil
	}
	c.run.Mark(c.save)
	return c.run.Enough() || c.known()
}

// goOn lets the next thing happen: an act that the search chooses, or else whatever comes by itself. It returns false
// if nothing is left. Answer 0 is always what the plain run does here, and each other answer is a deviation.
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
		c.step("")
	case waits:
		c.world.Advance(c.when())
	case moves:
		c.world.Move(at)
	default:
		return false
	}
	return true
}

// choose asks the search which of n acts happens; the plain run answers 0.
func (c *course) choose(n int) int {
	if c.run == nil {
		return 0
	}
	return c.run.Choose(choose.Act, n)
}

// due returns whether the scenario's next step acts now, and whether the world waits for it: its time comes before
// anything else happens. A step without a time acts when nothing moves; the first step of an empty cluster acts at
// once. next is the instant of the world's next event, and means nothing unless the world moves.
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

// empty says whether the cluster is still empty: nothing exists before the first step.
func (c *course) empty() bool { return c.next == 0 && c.scenario.Start == nil }

// when returns the instant of the scenario's next step, which must have a time, and is never before now: a step whose
// time has passed while an earlier one waited acts at once.
func (c *course) when() model.Time {
	step := &c.scenario.Steps[c.next]
	if step.When.Trigger == sim.After {
		return max(c.from.Add(step.When.D), c.world.Now())
	}
	return max(model.Time(step.When.D), c.world.Now())
}

// open returns the acts that may happen now; the list is valid until the next call. Its first element is nil if the
// scenario's own next step may come early. There are none in an empty cluster. A step with a time is never early.
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

// do lets an act happen or, if it is nil, the scenario's next step, before its time. The step is a copy, because the
// act is shared.
func (c *course) do(a *act) {
	if a == nil {
		c.step(early)
		return
	}
	c.used[a.kind]++
	c.happened++
	c.act(a.step, deed{act: a, deviates: added})
}

// step lets the scenario's next step act. deviates is early, or "" if it acts as in the plain run.
func (c *course) step(deviates string) {
	d := deed{step: c.next, deviates: deviates}
	c.next++
	c.from = c.world.Now()
	c.act(c.scenario.Steps[d.step], d)
}

// act lets a step act and notes it. Where the timeline is for a page, a deviation is marked for it.
func (c *course) act(step sim.Step, d deed) {
	if c.marks && d.deviates != "" {
		step.Does = "DEVIATION: " + step.Does
	}
	step.Number = len(c.done) + 1
	d.at = c.world.Now()
	c.done = append(c.done, d)
	c.world.Act(&step)
}

// watch shows the judge the events since the last time, each once and in order.
func (c *course) watch() {
	events := c.world.Events()
	for ; c.read < len(events); c.read++ {
		c.judge.See(&events[c.read])
	}
}

// report reports to the search what the judge has found since the last time. The plain run and played scenarios have
// no search that could be told: their callers ask the judge.
func (c *course) report() {
	if c.run == nil {
		return
	}
	for _, b := range c.judge.Breaches()[c.reported:] {
		c.run.Found(search.Finding{Class: b.Class(), Detail: b.Says})
	}
	c.reported = len(c.judge.Breaches())
}

// end ends the run and judges its end. A run that was interrupted, or had too many instants, has no end to judge. A
// loop within one instant is judged only if no change is on its way to the controller, because a real instant takes
// time, and the change comes in it. A run that has come to rest, complete or stuck, is synced once more.
func (c *course) end() {
	if _, moves := c.world.Next(); moves {
		c.watch()
		c.report()
		return
	}
	coming := c.world.Lag() == sim.Unseen
	events := c.world.End()
	if c.cut() {
		return
	}
	if coming && events[len(events)-1].Result.Verdict == timeline.Livelock {
		// A change that ends the loop may be on its way, so a loop within this instant need not last for ever.
		c.read = len(events)
	}
	c.watch()
	c.report()
	if verdict := events[len(events)-1].Result.Verdict; verdict == timeline.Settled || verdict == timeline.IsStuck {
		c.resync()
	}
}

// cut says that the run was interrupted, so that it has neither an end nor all its choices.
func (c *course) cut() bool {
	events := c.world.Events()
	result := events[len(events)-1].Result
	return result != nil && result.Verdict == timeline.Interrupted
}

// resync syncs all sets of a world at rest once more, as an informer's resync does, and reports a breach if the
// controller writes anything: it should have done so before. The result event must be the last one. Syncs, Kubernetes
// events and waits are no writes to the API that change the cluster.
func (c *course) resync() {
	before := len(c.world.Events())
	stuck := c.world.Events()[before-1].Result.Stuck
	c.world.Resync()
	written := func(e timeline.Event) bool {
		return e.Kind != timeline.KindSync && e.Kind != timeline.KindK8sEvent && e.Kind != timeline.KindWait
	}
	after := c.world.Events()[before:]
	if at := slices.IndexFunc(after, written); at >= 0 {
		found := promise.Resync{Wrote: &after[at]}
		for _, s := range stuck {
			if s.Set == after[at].Set {
				found.Stuck = s.Why.Code
			}
		}
		c.judge.Resynced(c.world.Now(), found)
		c.report()
	}
}
