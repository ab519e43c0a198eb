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
	// read is how many events the judge has seen, told how many breaches the search has heard of.
	read, told int
	// next is the scenario's next step, from when the instant of the step before.
	next int
	from model.Time
	// used counts the acts of each kind that have happened, all of them in happened.
	used     []int
	happened int
	// done are the steps and acts that have acted, in their order.
	done []deed
}

// deed is a step, or an act where act is not nil, and when it acted.
type deed struct {
	step int
	act  *act
	at   model.Time
}

// newCourse begins a run. A nil run answers all questions dully.
func (x *Explorer) newCourse(run *search.Run) *course {
	c := &course{Explorer: x, run: run, used: make([]int, x.kinds)}
	var chooser choose.Chooser = choose.Dull
	if run != nil {
		chooser = run
	}
	config := x.scenario.Config(scenario.RunOptions{Sim: x.Sim, Chooser: chooser, Interrupted: x.Interrupted})
	config.MaxEvents = x.MaxEvents
	c.world = sim.New(config)
	c.judge = promise.NewJudge(promise.Options{
		Names: x.Promises, MaxUnavailable: x.scenario.Profile.Gate("MaxUnavailableStatefulSet"),
	})
	return c
}

// play plays the run.
func (c *course) play() {
	c.world.Begin()
	for instants := 0; !c.world.Over() && instants < c.Instants; instants++ {
		c.hear()
		if !c.goOn() {
			break
		}
	}
	c.end()
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
		c.step()
	case waits:
		c.world.Move(model.Time(c.when()))
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
		return !moves || c.next == 0, false
	}
	when := c.when()
	return when <= c.world.Now(), !moves || when < next
}

// when is the instant of the scenario's next step, which has a time.
func (c *course) when() model.Time {
	step := &c.scenario.Steps[c.next]
	if step.When.Trigger == sim.After {
		return max(c.from.Add(step.When.D), c.world.Now())
	}
	return max(model.Time(step.When.D), c.world.Now())
}

// open are the acts that may happen now. The scenario's own next step is the first of them, as nil, where it would come
// by itself only later.
func (c *course) open(due bool) []*act {
	if c.next == 0 {
		return nil
	}
	var open []*act
	if c.next < len(c.scenario.Steps) && !due && untimed(&c.scenario.Steps[c.next]) {
		open = append(open, nil)
	}
	for i := range c.acts {
		if a := &c.acts[i]; c.used[a.kind] == 0 && a.met(c.judge.State()) {
			open = append(open, a)
		}
	}
	return open
}

// do lets an act happen, or the scenario's next step where it is nil.
func (c *course) do(a *act) {
	if a == nil {
		c.step()
		return
	}
	c.used[a.kind]++
	c.happened++
	step := a.step
	step.Number = len(c.done) + 1
	c.done = append(c.done, deed{act: a, at: c.world.Now()})
	c.world.Act(&step)
}

// step lets the scenario's next step act.
func (c *course) step() {
	step := c.scenario.Steps[c.next]
	step.Number = len(c.done) + 1
	c.done = append(c.done, deed{step: c.next, at: c.world.Now()})
	c.next++
	c.from = c.world.Now()
	c.world.Act(&step)
}

// hear lets the judge see what has happened, and the search hear of what it finds.
func (c *course) hear() {
	events := c.world.Events()
	for ; c.read < len(events); c.read++ {
		c.judge.See(&events[c.read])
	}
	c.hearBreaches()
}

func (c *course) hearBreaches() {
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
		return
	}
	events := c.world.End()
	c.hear()
	if verdict := events[len(events)-1].Result.Verdict; verdict == timeline.Settled || verdict == timeline.IsStuck {
		c.resync()
	}
}

// resync lets the controller look at a world at rest once more, and judges that it writes nothing.
func (c *course) resync() {
	before := len(c.world.Events())
	c.world.Resync()
	written := func(e timeline.Event) bool {
		return e.Kind != timeline.KindSync && e.Kind != timeline.KindK8sEvent && e.Kind != timeline.KindWait
	}
	after := c.world.Events()[before:]
	if at := slices.IndexFunc(after, written); at >= 0 {
		c.judge.Resynced(after[at].Set, c.world.Now(), string(after[at].Why.Code))
		c.hearBreaches()
	}
}
