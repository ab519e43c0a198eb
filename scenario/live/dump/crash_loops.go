package dump

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// LastRun is the last run of a container that ends again and again.
type LastRun struct {
	// Took is how long it ran. Ready is how long the pod was Ready in it, at most; 0 if it was not.
	Took, Ready time.Duration
	// Again is the instant at which the kubelet starts the container again, at the latest; at or before 0 if it is due,
	// or runs already.
	Again model.Time
}

// lastRun reads the last run of the container that a pod waits for. The time of the condition Ready shows whether the
// pod was Ready in it: a pod is not Ready when a container starts, so what changed to not Ready after that was Ready
// before.
func (c *converter) lastRun(object *corev1.Pod, f *Facts) {
	at := slices.IndexFunc(object.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool {
		return s.Name == f.Container && !f.OfInit
	})
	ready := condition(object, corev1.PodReady)
	if f.Waiting == "" || at < 0 || ready == nil || !f.NoImage().None() || symptom.NotMade(f.Waiting) {
		// A container that cannot be made does not run again, however well it ran before.
		return
	}
	status := &object.Status.ContainerStatuses[at]
	last := status.LastTerminationState.Terminated
	// A command that cannot be started has the beginning of the epoch.
	if last == nil || status.RestartCount == 0 || last.StartedAt.IsZero() ||
		last.FinishedAt.Time.Before(last.StartedAt.Time) || last.StartedAt.Time.Before(object.CreationTimestamp.Time) {
		return
	}
	f.Last = &LastRun{Took: last.FinishedAt.Sub(last.StartedAt.Time), Again: c.instant(last.FinishedAt.Time)}
	if wait, said := symptom.BackOff(f.Message); said {
		f.Last.Again = f.Last.Again.Add(wait)
	}
	lost := c.instant(ready.LastTransitionTime.Time)
	if ready.Status == corev1.ConditionFalse && !ready.LastTransitionTime.Time.Before(last.StartedAt.Time) &&
		!neverReady(object, f.Container) {
		// Times have whole seconds: a pod that is Ready at once, and crashes at once, was Ready for a moment.
		f.Last.Ready = max(time.Second, lost.Sub(c.instant(last.StartedAt.Time)))
	}
}

// neverReady says whether a pod has most likely not been Ready since the kubelet took it: its condition Ready has not
// changed since that second, in which a container with a readinessProbe hardly becomes ready and loses it again.
func neverReady(object *corev1.Pod, container string) bool {
	ready, started := condition(object, corev1.PodReady), object.Status.StartTime
	return started != nil && ready.LastTransitionTime.Time.Equal(started.Time) &&
		slices.ContainsFunc(object.Spec.Containers, func(c corev1.Container) bool {
			return c.Name == container && c.ReadinessProbe != nil
		})
}

// Comes says whether a pod is not Ready now, but was in the last of the runs of a container that crashes: it will be
// again when the container starts again, for as long as that lasts.
func (f *Facts) Comes() bool { return f.Last != nil && f.Last.Ready > 0 }

// ComesBack says whether a pod of the dump is not Ready, and will be when its container starts again.
func (d *Dump) ComesBack(p *Pod) bool {
	f := d.Facts[p.Key()]
	return f != nil && f.Comes() && !p.Ready && !p.Terminating()
}

// ReadyAgain returns the pod on which a set is stuck, if it comes back; "" for any other pod, and for nil.
func (d *Dump) ReadyAgain(stuck *timeline.Stuck) string {
	if stuck == nil || stuck.Why.Code != model.WaitingForReady && stuck.Why.Code != model.BudgetSpent {
		return ""
	}
	p := d.Pod(model.Key{Namespace: stuck.Set.Namespace, Name: stuck.Why.Object})
	if p == nil || !d.ComesBack(p) {
		return ""
	}
	return p.Name
}

// CrashAgain says which pods BetweenCrashes assumes to be Ready again and again, between their crashes.
func (d *Dump) CrashAgain() []string {
	var list []string
	for i := range d.State.Pods {
		if p := &d.State.Pods[i]; d.ComesBack(p) {
			list = append(list, fmt.Sprintf("Assumed: %s becomes Ready when its container starts again, and crashes again, as "+
				"in the last run of the container.", p.Name))
		}
	}
	return list
}

// BetweenCrashes returns a configuration that begins with the dump, in which the pods of a namespace, or of all if it
// is "", that were Ready in the last run of a container that crashes become so again, and crash again; false if there
// are none. Begin assumes that they are never Ready.
func (d *Dump) BetweenCrashes(config sim.Config, namespace string) (sim.Config, bool) {
	s := stays{Dump: d}
	state := *config.Start
	state.Pods = slices.Clone(state.Pods)
	usual := DefaultReady
	if ready, constant := config.Kubelet.Default.Ready.(behaviour.Constant); constant {
		usual = time.Duration(ready)
	}
	var rules []behaviour.Rule
	for i := range state.Pods {
		p := &state.Pods[i]
		f := d.Facts[p.Key()]
		if namespace != "" && p.Namespace != namespace || !d.ComesBack(p) {
			continue
		}
		took := usual
		runs := max(f.Last.Took, took+time.Second)
		var this, others behaviour.Rule
		this.Match.That, others.Match.That = only(p.Pod), s.alike(p)
		this.Of, others.Of = ofSet(p), ofSet(p)
		others.Times.Ready, others.Times.Crash = behaviour.Constant(took), behaviour.Constant(runs)
		if !f.Crashed {
			p.Started, took, runs = 0, took+max(0, time.Duration(f.Last.Again)), runs+max(0, time.Duration(f.Last.Again))
		}
		this.Times.Ready, this.Times.Crash = behaviour.Constant(took), behaviour.Constant(runs)
		rules = append(rules, this, others)
	}
	config.Start = &state
	config.Kubelet.Rules = slices.Concat(rules, config.Kubelet.Rules)
	return config, len(rules) > 0
}

// BetweenTwo says when a set continues that is stuck on a pod whose container crashes, and which is Ready at times.
func BetweenTwo(pod string) string { return "only while " + pod + " is Ready, between two crashes" }
