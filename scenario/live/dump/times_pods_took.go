package dump

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// The times of pods that are assumed if nothing gives them.
const (
	DefaultStart = time.Second
	DefaultReady = 2 * time.Second
	DefaultStop  = 2 * time.Second
)

// Took are the times that pods took, sorted: from their nodes until they ran, and from then on until they were Ready.
type Took struct{ Start, Ready []time.Duration }

// Took returns the times of those of some pods of the dump that have been Ready since they started.
func (d *Dump) Took(pods []*Pod) Took {
	var took Took
	for _, p := range pods {
		f := d.Facts[p.Key()]
		if !p.Ready || f == nil || f.Lost || f.Restarts > 0 {
			continue
		}
		took.Start = append(took.Start, max(0, p.Started.Sub(p.Bound)))
		if ready := max(0, p.ReadySince.Sub(p.Started)); ready <= recording.LongestReady {
			took.Ready = append(took.Ready, ready)
		}
	}
	slices.Sort(took.Start)
	slices.Sort(took.Ready)
	return took
}

// TookAll returns the times of all pods of the dump.
func (d *Dump) TookAll() Took {
	pods := make([]*Pod, len(d.State.Pods))
	for i := range d.State.Pods {
		pods[i] = &d.State.Pods[i]
	}
	return d.Took(pods)
}

// Fill fills in the times that are not given: the median of the times of the pods in the dump.
func (d *Dump) Fill(times *behaviour.Times) {
	took := d.TookAll()
	if times.Schedule == nil {
		times.Schedule = behaviour.Constant(0)
	}
	if times.Start == nil {
		times.Start = behaviour.Constant(median(took.Start, DefaultStart))
	}
	if times.Ready == nil {
		times.Ready = behaviour.Constant(median(took.Ready, DefaultReady))
	}
	if times.Stop == nil {
		times.Stop = behaviour.Constant(DefaultStop)
	}
}

// median returns the median of sorted times, or another time if there are none.
func median(seen []time.Duration, otherwise time.Duration) time.Duration {
	if len(seen) == 0 {
		return otherwise
	}
	return Median(seen)
}

// Median returns the time in the middle of some sorted ones, of which there must be one.
func Median(seen []time.Duration) time.Duration { return seen[len(seen)/2] }

// SlackOf is how much longer than assumed each pod of a set may take to stop: all of its grace period.
func SlackOf(set *model.StatefulSet) time.Duration {
	return max(0, set.Spec.Template.Grace-DefaultStop)
}
