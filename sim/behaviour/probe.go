package behaviour

import (
	"math"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Probes says that the times of a pod come from its manifest.
type Probes struct {
	// Phase is the time from the binding of a pod until the tickers of its probes begin; nil means at once. They tick on
	// from there whatever the containers do, so a first probe may come up to a period late.
	Phase Delay
	// Unreset says that the readiness probe of a container's start leaves the ticker alone, as it does before 1.32.
	Unreset bool
}

// Forever is an instant that does not come.
const Forever model.Time = math.MaxInt64

// Ticker ticks each Period from Base on, Base included.
type Ticker struct {
	Base   model.Time
	Period time.Duration
}

// From returns the first tick at an instant or after it.
func (t Ticker) From(at model.Time) model.Time {
	if at <= t.Base {
		return t.Base
	}
	if at == Forever {
		return Forever
	}
	period := model.Time(max(t.Period, 1))
	return t.Base + (at-t.Base+period-1)/period*period
}

// Run is a container's run, as its probes see it: from Started until the container ends. One that answers goes on.
type Run struct {
	// Started is the time at which the container was started, Healthy when its application begins to answer, or Forever.
	Started, Healthy model.Time
	// From is the instant after which the probe counts: the container's start, or when its startup probe has passed.
	From model.Time
}

// Startup returns the result of a startup or liveness probe of a run: it passes at the instant of its first success,
// or has failed so often in a row that the container is killed. The status of a container that is started at the
// instant of a tick comes too late for that tick.
func Startup(p *model.Probe, t Ticker, run Run) (at model.Time, passes bool) {
	first := t.From(max(run.Started.Add(p.InitialDelay), run.From+1))
	success := t.From(max(first, run.Healthy))
	failures := max(p.Failures, 1)
	killed := first.Add(time.Duration(failures-1) * t.Period)
	if success == Forever || success > killed {
		return killed, false
	}
	return success, true
}

// Readiness returns when a readiness probe makes a run ready, or Forever. The container is probed as soon as it has
// started, and at the ticks after that: up to 1.31 those of the pod's ticker, since then those of a ticker that starts
// again (an extra probe while the container is not ready resets the ticker).
func Readiness(p *model.Probe, t Ticker, run Run, unreset bool) model.Time {
	asks := max(run.Started.Add(p.InitialDelay), run.Healthy)
	if run.Healthy == Forever {
		return Forever
	}
	if !unreset {
		t.Base = run.From
	}
	first := t.From(max(asks, run.From))
	if asks <= run.From {
		first = run.From
	}
	if p.Successes < 2 {
		return first
	}
	return t.From(first + 1).Add(time.Duration(p.Successes-2) * t.Period)
}

// Condition is readiness that depends on the other pods.
type Condition struct {
	// Text is the condition as the scenario has it.
	Text string
	// Holds says whether it holds for a pod of a set, in the world as it is, and pays for what it takes to find out. The
	// error says why nobody can tell, and then it counts as false.
	Holds func(world *timeline.Fold, set model.Key, pod string, pay Pay) (holds bool, err error)
	// Shared says that it holds for all pods of a set or for none, since it asks nothing of the pod itself.
	Shared bool
	// Lose is the time for which a Ready pod stays Ready after the condition has become false. nil is the time that its
	// readiness probe takes to fail; Never means that it stays Ready.
	Lose Delay
}

// Pay takes note of a cost, of which a unit is about one field that is read. It says why the evaluation that pays must
// end at once, or "".
type Pay func(cost int64) (ended string)

// DefaultLose is the time that a readiness probe with default values takes to fail: three times ten seconds.
const DefaultLose = 30 * time.Second

// Times returns so many periods.
func (t Ticker) Times(n int) time.Duration { return time.Duration(max(n, 0)) * t.Period }
