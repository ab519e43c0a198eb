package judge

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// TimesOf returns the times of the pods of a set: those of a recording of the set, or else those of all sets.
func TimesOf(lab *play.Lab, set model.Key) behaviour.Times {
	return lab.World.Kubelet.Sets[set].Filled(lab.World.Kubelet.Default)
}

// The sources of a time.
const (
	Shown   = "as in the dump"
	Assumed = "assumed"
	Given   = "as given"
)

// Source says where a time comes from: the median of what pods of the dump took, what is assumed for want of such pods,
// or else the user.
func Source(delay behaviour.Delay, seen []time.Duration, otherwise time.Duration) string {
	switch constant, is := delay.(behaviour.Constant); {
	case is && len(seen) > 0 && time.Duration(constant) == dump.Median(seen):
		return Shown
	case is && len(seen) == 0 && time.Duration(constant) == otherwise:
		return Assumed
	}
	return Given
}

// pending says whether a pod waits for a node.
func pending(p *sim.PodState) bool { return p.Node == "" && !p.Finished() }
