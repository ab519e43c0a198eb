package judge

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// Seen are the times that pods of a dump took, sorted: until they ran, and from then on until they were Ready.
type Seen struct{ Start, Ready []time.Duration }

// seenOf returns the times of all pods of a dump.
func seenOf(d *dump.Dump) *Seen {
	var pods []*dump.Pod
	for i := range d.State.Pods {
		pods = append(pods, &d.State.Pods[i])
	}
	return SeenOfPods(d, pods)
}

// SeenOfPods returns the times of those of some pods of a dump that are Ready, and whose containers have not been
// restarted.
func SeenOfPods(d *dump.Dump, pods []*dump.Pod) *Seen {
	seen := &Seen{}
	for _, p := range pods {
		if !p.Ready || d.Facts[p.Key()].Restarts > 0 {
			continue
		}
		seen.Start = append(seen.Start, max(0, p.Started.Sub(p.Bound)))
		if ready := max(0, p.ReadySince.Sub(p.Started)); ready <= dump.LongestReady {
			seen.Ready = append(seen.Ready, ready)
		}
	}
	slices.Sort(seen.Start)
	slices.Sort(seen.Ready)
	return seen
}

// SeenIn returns the times of all pods of the dump that a run begins with.
func SeenIn(run *Run) *Seen { return seenOf(run.Dump.Dump) }

// TimesOf returns the times of the pods of a set: those of a recording of the set, or else those of all sets.
func TimesOf(lab *play.Lab, set model.Key) *behaviour.Times {
	kubelet := &lab.World.Kubelet
	for i := range kubelet.Rules {
		m := &kubelet.Rules[i].Match
		if m.StatefulSet == set.Name && m.Namespace == set.Namespace && m.That == nil {
			return &kubelet.Rules[i].Times
		}
	}
	return &kubelet.Default
}

// The times that a world which begins with a dump takes if neither the dump nor the user gives them.
const (
	DefaultStart = time.Second
	DefaultReady = 2 * time.Second
	DefaultStop  = 2 * time.Second
)

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
	case is && len(seen) > 0 && time.Duration(constant) == seen[len(seen)/2]:
		return Shown
	case is && len(seen) == 0 && time.Duration(constant) == otherwise:
		return Assumed
	}
	return Given
}

// pending says whether a pod waits for a node.
func pending(p *sim.PodState) bool { return p.Node == "" && !p.Finished() }
