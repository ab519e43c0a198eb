package behaviour

import (
	"math"
	"time"

	"github.com/statefulsim/statefulsim/model"
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
