package judge

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
)

// A container that has ended once, or an image that could not be pulled at first, shows little: the kubelet tries again
// by itself, and pods of a healthy rollout begin like that, for example while the database that they look for starts.

// scaleUp is the time within which a node is expected that an autoscaler has asked for.
const scaleUp = 10 * time.Minute

// failure is what has gone wrong in a pod so far, as a clause about it, and the time within which that says little.
type failure struct {
	what string
	time time.Duration
}

// failedFirst returns what has failed in a pod only for the first time, and what its kubelet, or the scheduler with the
// node that comes, tries again by itself; nil if there is nothing like that.
func failedFirst(e *evidence, p *sim.PodState) *failure {
	f, n := e.Facts[p.Key()], e.node(p.Node)
	if p.Node == "" && f.Asked < 0 && f.Unschedulable != "" {
		asked := "an autoscaler asked for a node for it " + dump.Age(f.Asked) + " ago"
		return &failure{asked + ", and the scheduler gives it one", scaleUp + time.Duration(f.Asked-f.Since)}
	}
	if p.Node == "" || p.Ready || p.Terminating() || p.Finished() || p.Silenced || n != nil && n.Down || f.Added {
		return nil
	}
	switch image, row := f.NoImage(), f.NotRun(); {
	case image != nil && image.Within > 0:
		return &failure{"the image " + f.Image + " could not be pulled at first, and the kubelet tries again", image.Within}
	case row != nil && row.Within > 0:
		return &failure{"its container " + f.Container + " could not be created at first, and the kubelet tries again",
			row.Within}
	case f.Restarts <= 1 && endsByItself(f) && !endsOften(e, p):
		times := "once"
		if f.Restarts == 1 && !f.Crashed {
			times = "twice"
		}
		return &failure{fmt.Sprintf("its container %s has ended only %s, and the kubelet starts it again", f.Container,
			times), patience}
	}
	return nil
}

// endsByItself says whether a container has run and ended: one that the kubelet cannot start at all fails again.
func endsByItself(f *dump.Facts) bool {
	row := f.NotRun()
	return (f.Crashed || symptom.Ends(f.Waiting)) && !symptom.NotMade(f.ExitReason) && !symptom.NotMade(f.Waiting) &&
		(row == nil || !row.OfNode)
}

// endsOften says whether another pod of the same template shows that its container ends again and again.
func endsOften(e *evidence, p *sim.PodState) bool {
	return slices.ContainsFunc(e.PodsOf(e.spec), func(other *dump.Pod) bool {
		f := e.Facts[other.Key()]
		return other.Template == p.Template && !other.Ready && f.Restarts > 1 && f.Waiting != ""
	})
}
