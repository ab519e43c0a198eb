package behaviour_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// at is an instant in seconds.
func at(seconds int) model.Time { return model.Time(seconds) * model.Time(time.Second) }

func probe(delay, period, successes, failures int) *model.Probe {
	return &model.Probe{
		InitialDelay: time.Duration(delay) * time.Second, Period: time.Duration(period) * time.Second,
		Successes: successes, Failures: failures,
	}
}

func TestStartupAndLiveness(t *testing.T) {
	for _, c := range []struct {
		name    string
		probe   *model.Probe
		base    int
		run     behaviour.Run
		want    int
		passing bool
	}{
		{"healthy at once", probe(0, 10, 1, 3), 0, behaviour.Run{Started: at(1), From: at(1), Healthy: at(1)}, 10, true},
		{"the tick of the start is too early", probe(0, 10, 1, 3), 0, behaviour.Run{Started: at(10), From: at(10), Healthy: at(10)}, 20, true},
		{"healthy before the third failure", probe(0, 10, 1, 3), 0, behaviour.Run{Started: at(1), From: at(1), Healthy: at(30)}, 30, true},
		{"healthy after it", probe(0, 10, 1, 3), 0, behaviour.Run{Started: at(1), From: at(1), Healthy: at(31)}, 30, false},
		{"never healthy", probe(0, 10, 1, 3), 0, behaviour.Run{Started: at(1), From: at(1), Healthy: behaviour.Forever}, 30, false},
		{"a delay", probe(15, 10, 1, 3), 0, behaviour.Run{Started: at(1), From: at(1), Healthy: at(2)}, 20, true},
		{"a phase", probe(0, 10, 1, 1), 4, behaviour.Run{Started: at(5), From: at(5), Healthy: at(6)}, 14, true},
		{"from the end of the startup", probe(0, 10, 1, 3), 0, behaviour.Run{Started: at(1), From: at(40), Healthy: at(35)}, 50, true},
	} {
		got, passes := behaviour.Startup(c.probe, behaviour.Ticker{Base: at(c.base), Period: c.probe.Period}, c.run)
		require.Equal(t, c.passing, passes, c.name)
		require.Equal(t, at(c.want), got, c.name)
	}
}

func TestReadiness(t *testing.T) {
	for _, c := range []struct {
		name    string
		probe   *model.Probe
		run     behaviour.Run
		unreset bool
		want    model.Time
	}{
		{"at once", probe(0, 10, 1, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: at(7)}, false, at(7)},
		{"at the next tick since the start", probe(0, 10, 1, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: at(9)}, false, at(17)},
		{"at the pod's tick before 1.32", probe(0, 10, 1, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: at(9)}, true, at(10)},
		{"at once before 1.32 too", probe(0, 10, 1, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: at(7)}, true, at(7)},
		{"after a delay", probe(30, 10, 1, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: at(7)}, false, at(37)},
		{"two successes", probe(0, 10, 2, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: at(7)}, false, at(17)},
		{"two successes by the pod's ticks", probe(0, 10, 2, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: at(7)}, true, at(10)},
		{"three", probe(0, 10, 3, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: at(8)}, false, at(37)},
		{"never", probe(0, 10, 3, 3), behaviour.Run{Started: at(7), From: at(7), Healthy: behaviour.Forever}, false, behaviour.Forever},
	} {
		ticker := behaviour.Ticker{Period: c.probe.Period}
		require.Equal(t, c.want, behaviour.Readiness(c.probe, ticker, c.run, c.unreset), c.name)
	}
}

// TestProbesAgainstTicks compares the formula of startup and liveness probes with a worker that ticks.
func TestProbesAgainstTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, from, to int) int { return rapid.IntRange(from, to).Draw(t, name) }
		p := probe(n("delay", 0, 20), n("period", 1, 10), 1, n("failures", 1, 4))
		started := at(n("started", 0, 20))
		run := behaviour.Run{Started: started, From: started, Healthy: started + at(n("healthy", 0, 60))}
		base := at(n("base", 0, 10))
		failures, tick := 0, base
		for ; ; tick = tick.Add(p.Period) {
			if tick <= run.From || tick.Sub(run.Started) < p.InitialDelay {
				continue
			}
			if tick >= run.Healthy {
				break
			}
			if failures++; failures == p.Failures {
				break
			}
		}
		got, passes := behaviour.Startup(p, behaviour.Ticker{Base: base, Period: p.Period}, run)
		require.Equal(t, tick, got)
		require.Equal(t, failures < p.Failures, passes)
	})
}

func TestStop(t *testing.T) {
	s := func(n int) time.Duration { return time.Duration(n) * time.Second }
	for _, c := range []struct {
		name   string
		stop   behaviour.Stop
		turn   time.Duration
		want   time.Duration
		killed bool
	}{
		{"in time", behaviour.Stop{Grace: s(30), Takes: s(5)}, 0, s(5), false},
		{"at the last moment", behaviour.Stop{Grace: s(30), Takes: s(30)}, 0, s(30), false},
		{"too slow", behaviour.Stop{Grace: s(30), Takes: s(31)}, 0, s(30), true},
		{"never", behaviour.Stop{Grace: s(30), Takes: -1}, 0, s(30), true},
		{"after the hook", behaviour.Stop{Grace: s(30), PreStop: s(10), Takes: s(5)}, 0, s(15), false},
		{"the hook counts", behaviour.Stop{Grace: s(30), PreStop: s(10), Takes: s(25)}, 0, s(30), true},
		{"the hook overruns", behaviour.Stop{Grace: s(30), PreStop: s(60), Takes: s(1)}, 0, s(31), false},
		{"two seconds after a hook that overruns", behaviour.Stop{Grace: s(30), PreStop: -1, Takes: s(9)}, 0, s(32), true},
		{"two seconds at least", behaviour.Stop{Grace: s(1), Takes: s(9)}, 0, s(2), true},
		{"a sidecar waits for its turn", behaviour.Stop{Grace: s(30), Takes: s(5)}, s(20), s(25), false},
		{"its wait counts", behaviour.Stop{Grace: s(30), Takes: s(15)}, s(20), s(30), true},
		{"it does not wait longer than that", behaviour.Stop{Grace: s(30), Takes: s(5)}, s(90), s(32), true},
	} {
		got, killed := c.stop.Ends(c.turn)
		require.Equal(t, c.want, got, c.name)
		require.Equal(t, c.killed, killed, c.name)
	}
}
