package behaviour

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// leastGrace is what a container always gets between SIGTERM and SIGKILL (minimumGracePeriodInSeconds of the kubelet):
// a preStop hook that uses up the grace period gets it by two seconds longer.
const leastGrace = 2 * time.Second

// Stop is how a container is stopped.
type Stop struct {
	// Grace is the grace period, PreStop how long the container's hook runs, Takes how long the process needs to end when
	// it is told to. A negative time is one without an end.
	Grace, PreStop, Takes time.Duration
}

// Ends returns how long after the beginning of the termination the process has ended, and whether it was killed. It is
// told to stop when its hook is done and its turn has come: a sidecar waits for others, for a part of its grace.
func (s Stop) Ends(turn time.Duration) (after time.Duration, killed bool) {
	hook := s.PreStop
	if hook < 0 || hook > s.Grace {
		hook = s.Grace
	}
	told := max(hook, min(turn, s.Grace))
	// The kubelet counts the grace that is left in whole seconds.
	waited := (told - hook).Truncate(time.Second)
	left := max(s.Grace-hook-waited, leastGrace)
	if s.Takes < 0 || s.Takes > left {
		return told + left, true
	}
	return told + s.Takes, false
}

// Infinite is a delay that was drawn: a negative time is one without an end.
func Infinite(ns int64, never bool) time.Duration {
	if never {
		return -1
	}
	return time.Duration(ns)
}

// PreStopOf returns how long a hook takes: as the manifest says, else as the scenario does.
func PreStopOf(hook *model.PreStop, otherwise time.Duration) time.Duration {
	switch {
	case hook == nil:
		return 0
	case hook.Known:
		return hook.Takes
	}
	return otherwise
}
