package behaviour

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// leastGrace is the time that a container always gets between SIGTERM and SIGKILL (minimumGracePeriodInSeconds of the
// kubelet). A preStop hook that uses up the grace period extends it by these two seconds.
const leastGrace = 2 * time.Second

// Stop says how a container is stopped.
type Stop struct {
	// Grace is the grace period, PreStop the time that the container's hook runs, and Takes the time that the process
	// needs after SIGTERM. A negative time means without an end.
	Grace, PreStop, Takes time.Duration
}

// Ends returns the time from the beginning of the termination to the end of the process, and whether it was killed.
// The process gets SIGTERM when its hook is done and its turn has come: a sidecar waits for the other containers, for
// a part of its grace period.
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

// Infinite returns a delay that was drawn: a negative time is one without an end.
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

// Pull says how a pod's image is pulled. The pull begins when the pod is bound, and ends before its start.
type Pull struct {
	// Takes is the time that an attempt takes, whether it succeeds or not; nil means no time.
	Takes Delay
	// Fails is the number of attempts of a pod that fail; a negative number means all of them.
	Fails int
	// Until is the instant up to which attempts fail, as while a registry is down; 0 is none.
	Until time.Duration
}

// FailsAt says whether an attempt that ends at that instant fails, after so many that have failed.
func (p *Pull) FailsAt(failed int, now model.Time) bool {
	return p.Never() || failed < p.Fails || now < model.Time(p.Until)
}

// Never says whether no attempt ever succeeds.
func (p *Pull) Never() bool { return p.Fails < 0 || p.Takes == Never }
