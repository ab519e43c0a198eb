package whatif

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Use says who asks a case.
type Use uint8

// The uses.
const (
	// OfChange: a plan asks it of the change that is to come.
	OfChange Use = 1 << iota
	// OfVersions: an upgrade asks it of each set, under both versions.
	OfVersions
)

// Case is something that may happen to a set, or to a change of it. Cases do not change; what is special to a set is
// in the Subject that their functions get.
type Case struct {
	// Name is the case's word, by which flags, annotations and reports refer to it. Does says in general what happens;
	// Asks says it of one set, and is nil if Does says all.
	Name, Does string
	Asks       func(*Subject) string
	// Use says who asks it.
	Use Use
	// Fits says whether it can happen to a set; nil is always. Script and Behaves are only called if it can.
	Fits func(*Subject) bool
	// Behaves returns rules for pods that do not behave as the set's times say, or nil. They come before those of the set.
	Behaves func(*Subject) []behaviour.Rule
	// Script returns what happens from the time when the set is at rest.
	Script func(*Subject) play.Script
	// Across says that the set is created under the earlier version, whose control plane then becomes that of the version
	// that is tried. First says that the set begins with an image that never becomes Ready.
	Across, First bool
	// Lost is the number of pods that do not serve for other reasons than the change. Judges add them again.
	Lost int
	// Node says that it is about a node: each pod must have one of its own, unless it is known which pods share one.
	Node bool
	// UnderWay says that the last rollout of the set has not ended when the change comes.
	UnderWay bool
}

// Of says in words what happens to a set.
func (c *Case) Of(s *Subject) string {
	if c.Asks == nil {
		return c.Does
	}
	return c.Asks(s)
}

// Times in which something happens.
const (
	// Soon is a moment in which an update is under way, but has not got far.
	Soon = 1 * time.Second
	// Slowness is the additional time that a slow pod takes.
	Slowness = time.Hour
	// crash is the time that a container that crashes runs, beyond the time that the next pod takes to be replaced.
	crash = 5 * time.Second
	// fixed is the time for which a broken set stays broken before somebody fixes it.
	fixed = time.Minute
)

// aliases are the names that cases once had.
var aliases = map[string]string{"unready-pod": "unready", "unready-image": "broken"}

// Name returns the name of a case, which may be given by one that it once had; an unknown name is returned as it is.
func Name(name string) string {
	if now, found := aliases[name]; found {
		return now
	}
	return name
}

// Names lists the cases of a use.
func Names(use Use) []string {
	var names []string
	for _, c := range For(use) {
		names = append(names, c.Name)
	}
	return names
}

// For lists the cases of a use, in their order. The list is the caller's, the cases are shared.
func For(use Use) []*Case {
	return slices.DeleteFunc(slices.Clone(Cases), func(c *Case) bool { return c.Use&use == 0 })
}

// change returns the change alone.
func change(s *Subject) play.Script { return play.Script{s.Change} }

// several says whether the set has more than one replica, some whether it has any.
func several(s *Subject) bool { return s.Wanted.Spec.Replicas > 1 }

func some(s *Subject) bool { return s.Wanted.Spec.Replicas > 0 }

// waits says whether a pod of the set has to be Ready for some time before it counts as available.
func waits(s *Subject) bool { return s.Wanted.Spec.MinReadySeconds > 0 && several(s) }

// NeverReady is the behaviour of a pod that runs, and whose containers do not become ready.
func NeverReady(t *behaviour.Times) { t.Ready, t.Reason = behaviour.Never, "CrashLoopBackOff" }

// crashes lets the container end again and again, each time when the next pod has just been replaced: if nothing but
// the process itself is probed, that is when most goes wrong.
func crashes(t *behaviour.Times) {
	var takes behaviour.Constant
	for _, d := range []behaviour.Delay{t.Stop, t.Start, t.Ready} {
		stage, _ := d.(behaviour.Constant)
		takes += stage
	}
	t.Crash, t.Reason = takes+behaviour.Constant(crash), ""
}

// young deletes all pods at once, until all serve again: all are Ready for less than minReadySeconds then.
func young(s *Subject) play.Deed {
	d := play.DeleteAll(s.Key)
	d.Returns = func(before *play.Moment) func(*play.Moment) bool {
		old := map[model.UID]bool{}
		for pod := range before.Set(s.Key).Pods.All {
			old[pod.UID] = true
		}
		return func(now *play.Moment) bool {
			set := now.Set(s.Key)
			return set != nil && set.Serving() == int(set.Spec.Spec.Replicas) &&
				!set.Pods.Any(func(p *timeline.Pod) bool { return old[p.UID] })
		}
	}
	return d
}

// Each calls work for 0 to n-1, in any order, and several at once if it likes. What is found does not depend on it: the
// work is cut by index, and each part of it writes to a place of its own. Nil does one after the other.
type Each func(n int, work func(i int))

// Do does the work.
func (e Each) Do(n int, work func(i int)) {
	if e != nil {
		e(n, work)
		return
	}
	for i := range n {
		work(i)
	}
}
