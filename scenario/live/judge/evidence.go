package judge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// evidence is what is known of a set: what the dump shows, and what happens to it in the run.
type evidence struct {
	*dump.Index
	lab *play.Lab
	run *Run
	// still returns the first instant of a run in which no kubelet does anything. It is played once for all sets.
	still func() *Run
	// seen are the times that the pods of the dump took.
	seen dump.Took
	// losses are when pods of the dump stopped being Ready.
	losses []loss
	key    model.Key
	// now is the set as the dump has it, and spec its object.
	now  *timeline.Set
	spec *model.StatefulSet
	// stuck is what it is stuck for at the end of the run, later what happens to it behind the dump.
	stuck []timeline.Stuck
	later []timeline.Event
}

// pod returns a pod of the set's namespace by its name; nil if there is none.
func (e *evidence) pod(name string) *dump.Pod {
	return e.Pod(model.Key{Namespace: e.key.Namespace, Name: name})
}

// facts returns what the dump shows of a pod of the set's namespace; nil if there is no such pod.
func (e *evidence) facts(name string) *dump.Facts {
	return e.Facts[model.Key{Namespace: e.key.Namespace, Name: name}]
}

// podOf returns the pod that a set is stuck on, from the reason's object, a claim of the pod, or the error; "" if it
// is not stuck on a pod.
func (e *evidence) podOf(stuck *timeline.Stuck) string {
	if parent, ordinal := model.SplitPodName(stuck.Why.Object); ordinal >= 0 && parent == e.key.Name {
		return stuck.Why.Object
	}
	for _, key := range e.spec.PodKeys() {
		name := key.Name
		claim := strings.HasSuffix(stuck.Why.Object, "-"+name)
		if claim || strings.Contains(stuck.Error, strconv.Quote(name)) ||
			strings.HasPrefix(stuck.Error, "create Pod "+name+" ") ||
			strings.Contains(stuck.Error, " for Pod "+name+" in StatefulSet "+e.key.Name+" ") {
			return name
		}
	}
	return ""
}

// waits returns what the controller waits for after the instant of the dump, the oldest first. The end of a pod that
// the dump does not show as being deleted is left out: the controller would delete it in this very instant. So is a pod
// that it would create in this very instant.
func (e *evidence) waits() []Wait {
	var open []Wait
	for _, event := range e.run.AtOnce(e.key) {
		if event.Wait == nil || event.Set != e.key {
			continue
		}
		open = slices.DeleteFunc(open, func(w Wait) bool {
			return w.Why.Code == event.Why.Code && w.Why.Object == event.Why.Object && w.Why.Rule == event.Why.Rule
		})
		if !event.Wait.Ended {
			open = append(open, Wait{event.Why, event.Wait.Since})
		}
	}
	return slices.DeleteFunc(open, func(w Wait) bool {
		if w.Why.Code == model.WaitingForReady && e.pod(w.Why.Object) == nil {
			return true
		}
		return w.Why.Code == model.WaitingForTermination && e.now.Pods.Any(func(p *timeline.Pod) bool {
			return p.Name == w.Why.Object && !p.Terminating
		})
	})
}

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
