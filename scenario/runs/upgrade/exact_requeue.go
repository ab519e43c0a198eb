package upgrade

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/whatif"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// A version with exact-requeue syncs a set at other instants than one without, though nothing has happened to the set
// at these instants. A sync that finds what the last one has left does nothing. So the versions can only differ where
// something has come by time alone, and the world has no event for it: a pod becomes available while it is terminating
// or after it has ended, or a sync has failed and is tried again. If a run has nothing of that kind, it is the run with
// exact-requeue and without.

// timely says whether a run of a case, which must be whole, is the same with exact-requeue and without, although these
// may sync the set at different times in it. In doubt it says no. It costs O(events).
func (p *player) timely(c *whatif.Case, run []timeline.Event) bool {
	if p.options.everything || !(asked{StatefulSet: p.set, of: c}).waits() {
		return false
	}
	y := youth{lasts: []time.Duration{seconds(p.set.Spec.MinReadySeconds)}, pods: map[string]youngPod{}}
	if (asked{of: c}).is("together") {
		y.lasts = append(y.lasts, seconds(p.raised()))
	}
	for i := range run {
		if e := &run[i]; e.Kind == timeline.KindSync || e.Kind == timeline.KindPod && y.ripensUnseen(e) {
			return false
		}
	}
	return y.ending == 0
}

// seconds is a number of seconds of a spec as a duration.
func seconds(n int32) time.Duration { return time.Duration(n) * time.Second }

// youth follows the pods of one set.
type youth struct {
	// lasts are the values that minReadySeconds has in the run.
	lasts []time.Duration
	pods  map[string]youngPod
	// ending counts the pods that are terminating or have ended, and are not gone.
	ending int
}

// youngPod is what is known of a pod: when it became Ready last, and when it began to terminate or ended.
type youngPod struct {
	ready, ended     model.Time
	isReady, isEnded bool
}

// ripensUnseen takes in what happens to a pod. It says whether the pod is gone now, and has become available after it
// began to terminate or ended. At that very instant it may have become so: its end is a change, and so the set is
// synced.
func (y *youth) ripensUnseen(e *timeline.Event) bool {
	pod := y.pods[e.Pod]
	switch e.State {
	case timeline.Ready:
		pod.ready, pod.isReady = e.T, true
	case timeline.Failed, timeline.Succeeded, timeline.Terminating:
		if !pod.isEnded {
			pod.ended, pod.isEnded = e.T, true
			y.ending++
		}
	case timeline.Gone:
		delete(y.pods, e.Pod)
		if !pod.isEnded {
			return false
		}
		y.ending--
		for _, d := range y.lasts {
			if at := pod.ready.Add(d); pod.isReady && pod.ended < at && at <= e.T {
				return true
			}
		}
		return false
	default:
		return false
	}
	y.pods[e.Pod] = pod
	return false
}
