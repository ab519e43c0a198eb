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

// Facts has what a dump shows of a pod in addition to the model's pod, by what it is about.
type Facts struct {
	// Since when the pod is as it is, and how it has ended.

	// Since is the time at which it entered its current state: its deletion, the last change of its readiness, its
	// binding, or its creation; the latest of them, at or before 0.
	Since model.Time
	// Deadline is the end of its grace period, if it is deleted. evicted is true if the taint manager has deleted it.
	Deadline model.Time
	evicted  bool
	// Status is what the status of an ended pod says: "Evicted: The node was low on resource: memory."; else "".
	Status string
	// Recreated is how often the controller has created the failed pod again, in Within; 0 if no event says so.
	Recreated int
	Within    time.Duration
	// Over is true if it is being deleted, and none of its containers runs.
	Over bool
	// Unreported is true if its phase is Unknown: its kubelet does not report it.
	Unreported bool
	// Unbegun is true if the kubelet of its node has not begun with it.
	Unbegun bool

	// Which container does not run, and why.

	// Waiting is the reason why a container does not run (ImagePullBackOff), "" if all run or have not started yet;
	// Message is its message, Container and Image are that container's, the image as the spec names it. Restarts counts
	// those of all containers.
	Waiting, Message, Container, Image string
	Restarts                           int
	// Added is true if the template of the pod has no such container: admission has added it. Replaced is the image
	// that the template names for it, if admission has replaced that; else "".
	Added    bool
	Replaced string
	// Runs is the image of a container of a Ready pod whose template names another one, Instead, for it; else "". Resized
	// is true if it has other resources than its template, and Resize says which resize of it is pending.
	Runs, Instead string
	Resized       bool
	Resize        string
	// RestartsAll is true if the kubelet starts all its containers again, in the same pod.
	RestartsAll bool
	// OfInit is true if that container is an init container, OfSidecar if it goes on running beside the others.
	OfInit, OfSidecar bool
	// Crashed is true if that container runs, between two crashes, and Waiting is why it has ended the last time.
	Crashed bool
	// Ended says how its last run has ended, if it waits for the next one: "OOMKilled, exit code 137". ExitReason,
	// ExitMessage and Exit are the reason, the message and the exit code of its last end; "" if it has not ended.
	Ended, ExitReason, ExitMessage string
	Exit                           int
	// Last is the last run of that container, if it is not an init container and has been restarted before.
	Last *LastRun
	// Fell is how a container that runs well now ended the last time, if one did.
	Fell corev1.ContainerStateTerminated

	// Stopped is the probe for which the kubelet stops a container, "liveness" or "startup", and Times how often; "" and 0
	// if no event says so. Unanswered is the last warning about such a probe.
	Stopped, Unanswered string
	Times               int

	// For what a pod waits whose containers run.

	// Lost is true if the pod was Ready before and is not Ready now.
	Lost bool
	// Init is the init container that runs and for which the others wait, "" for none. Sidecar is true if it has
	// restartPolicy: Always, so that the others wait only until it has started.
	Init    string
	Sidecar bool
	// Unstarted is the container that runs and whose startupProbe has not succeeded yet, "" for none. Unready are the
	// containers that run and are not ready, of a pod with several.
	Unstarted string
	Unready   []string
	// Gate is the message of the condition Ready if only a readiness gate keeps the pod from being Ready, else "".
	Gate string
	// GateSays are the reasons and messages of the conditions of its readiness gates that are not True.
	GateSays []string

	// How it stands with the scheduler.

	// Unschedulable is the scheduler's message, "" if the pod has none.
	Unschedulable string
	// Scheduler is the name of the scheduler that the pod asks for, Scheduled is true if one has looked at the pod.
	Scheduler string
	Scheduled bool
	// Recommended is true if a VerticalPodAutoscaler has given the pod its requests.
	Recommended bool
	// Asked is when an autoscaler first asked for a node for the pod; 0 if no event says so, or Unasked says why it does not.
	Asked   model.Time
	Unasked string
	// Nominated is the node on which the scheduler has made room for the pod, "" if there is none.
	Nominated string

	// What others say of it.

	// Event is the last warning event about the pod, "" if the dump has none.
	Event string
	// Pulls is what the kubelet says of the image that it is pulling: "Pulling image …"; "" if it has said something else
	// of the pod since. Pulling is when it began.
	Pulls   string
	Pulling model.Time
	// PullSecret is the Secret for images that does not exist, in parentheses; "" if no event names one.
	PullSecret string
	// Preempted is when the pod that had this name before it was preempted; 0 if no event says so.
	Preempted model.Time
	// Cured is true if a change brings what it lacks; see Given.
	Cured bool
	// Owner is its controller if that is no StatefulSet, nil if it has none.
	Owner *Owner
}

// facts reads why a pod does not run, and since when it has been in its current state.
func (c *converter) facts(pod *model.Pod, object *corev1.Pod) *Facts {
	f := &Facts{
		Since: pod.Created, Nominated: object.Status.NominatedNodeName, Status: ofStatus(object),
		Owner: ownedBy(&object.ObjectMeta), Scheduler: object.Spec.SchedulerName,
		Recommended: object.Annotations["vpaUpdates"] != "",
		Unbegun:     object.Status.StartTime == nil && len(object.Status.ContainerStatuses) == 0,
	}
	for i := range object.Status.InitContainerStatuses {
		f.container(&object.Status.InitContainerStatuses[i])
	}
	f.OfInit = f.Container != ""
	f.OfSidecar = isSidecar(object, f.Container)
	for i := range object.Status.ContainerStatuses {
		f.container(&object.Status.ContainerStatuses[i])
	}
	f.Image = specImage(object, f.Container, f.Image)
	f.admitted(pod, object)
	f.waits(object)
	if scheduled := condition(object, corev1.PodScheduled); scheduled != nil {
		f.Scheduled = true
		if scheduled.Status == corev1.ConditionFalse {
			f.Unschedulable = scheduled.Message
		}
		f.Since = max(f.Since, c.instant(scheduled.LastTransitionTime.Time))
	}
	if ready := condition(object, corev1.PodReady); ready != nil {
		f.Since = max(f.Since, c.instant(ready.LastTransitionTime.Time))
	}
	if pod.Terminating() {
		f.Over = over(object)
		f.Since, f.Deadline = pod.Deletion.At, pod.Deletion.At.Add(pod.Deletion.Grace)
	}
	if f.Waiting != "" || f.Restarts > 0 {
		pod.Containers = &model.Containers{
			Name: f.Container, Shown: f.Waiting, Message: f.Message, Restarts: f.Restarts,
		}
		if f.Ended != "" {
			pod.Containers.Message += "; its last run has ended: " + f.Ended
		}
		if killed := f.Exit == 137 || f.Exit == 143; f.Crashed && killed && f.Unstarted == f.Container {
			pod.Containers.Message = "its startupProbe has not succeeded"
		}
	}
	return f
}

// over reports whether the kubelet says of each container of a pod that it does not run.
func over(object *corev1.Pod) bool {
	all := slices.Concat(object.Status.InitContainerStatuses, object.Status.ContainerStatuses)
	return len(all) > 0 && !slices.ContainsFunc(all, func(s corev1.ContainerStatus) bool { return s.State.Running != nil })
}

// waits notes the containers that run and that others, or the kubelet, wait for. Where a pod has none that has been
// created, the status of a container says started: false too.
func (f *Facts) waits(object *corev1.Pod) {
	several := len(object.Status.ContainerStatuses) > 1 || slices.ContainsFunc(object.Spec.InitContainers,
		func(container corev1.Container) bool { return restartsAlways(&container) })
	for i := range object.Status.ContainerStatuses {
		status := &object.Status.ContainerStatuses[i]
		if status.State.Running != nil && status.Started != nil && !*status.Started && f.Unstarted == "" {
			f.Unstarted = status.Name
		}
		if status.State.Running != nil && !status.Ready && several {
			f.Unready = append(f.Unready, status.Name)
		}
	}
	initialized := condition(object, corev1.PodInitialized)
	waits := initialized != nil && initialized.Status == corev1.ConditionFalse
	for i := range object.Status.InitContainerStatuses {
		switch status := &object.Status.InitContainerStatuses[i]; {
		case status.State.Running == nil || status.Ready:
		case waits && f.Init == "":
			f.Init, f.Sidecar = status.Name, isSidecar(object, status.Name)
		case !waits && isSidecar(object, status.Name):
			f.Unready = append(f.Unready, status.Name)
		}
	}
}

// specImage returns the image of a container as the spec names it. A kubelet may write another name of it into the
// status, such as docker.io/library/app:v1. It returns the other one if the spec has no such container.
func specImage(object *corev1.Pod, container, otherwise string) string {
	for _, one := range slices.Concat(object.Spec.InitContainers, object.Spec.Containers) {
		if one.Name == container {
			return one.Image
		}
	}
	return otherwise
}

// isSidecar says whether an init container goes on running beside the others.
func isSidecar(object *corev1.Pod, name string) bool {
	return slices.ContainsFunc(object.Spec.InitContainers, func(container corev1.Container) bool {
		return container.Name == name && restartsAlways(&container)
	})
}

// restartsAlways says whether a container of the list of init containers is a sidecar.
func restartsAlways(container *corev1.Container) bool {
	return container.RestartPolicy != nil && *container.RestartPolicy == corev1.ContainerRestartPolicyAlways
}

// container counts the restarts of a container, and notes the first that does not run, or runs between two crashes.
func (f *Facts) container(status *corev1.ContainerStatus) {
	f.Restarts += int(status.RestartCount)
	if last := status.LastTerminationState.Terminated; status.Ready && last != nil && last.ExitCode != 0 &&
		f.Fell.FinishedAt.Before(&last.FinishedAt) {
		f.Fell = *last
	}
	reason, message := "", ""
	switch state := &status.State; {
	case state.Waiting != nil:
		reason, message = state.Waiting.Reason, state.Waiting.Message
	case state.Terminated != nil && state.Terminated.ExitCode != 0:
		reason, message = state.Terminated.Reason, state.Terminated.Message
	case state.Running != nil && !status.Ready && status.LastTerminationState.Terminated != nil:
		// The container runs between two crashes.
		last := status.LastTerminationState.Terminated
		reason, message = last.Reason, last.Message
	}
	if reason == "" || f.Waiting != "" || symptom.Begins.Has(reason) {
		return
	}
	last := status.LastTerminationState.Terminated
	if last != nil {
		f.ExitReason, f.ExitMessage, f.Exit = last.Reason, last.Message, int(last.ExitCode)
	}
	if last != nil && status.State.Running != nil {
		f.Crashed = true
	} else if last != nil {
		f.Ended = fmt.Sprintf("%s, exit code %d", last.Reason, last.ExitCode)
		if ran := last.FinishedAt.Sub(last.StartedAt.Time); ran > 0 && ran < 24*time.Hour {
			f.Ended += ", after " + ran.String()
		}
	}
	f.Waiting, f.Message, f.Container, f.Image = reason, message, status.Name, status.Image
}

// Falls says of a pod that is Ready how often its containers have ended, if the last time is not longer ago than twice the
// time between two ends; "" for any other pod.
func (d *Dump) Falls(p *Pod) string {
	f := d.Facts[p.Key()]
	at := model.Time(f.Fell.FinishedAt.Sub(d.At))
	if !p.Ready || f.Restarts < often || at < max(-hour, 2*p.Created/model.Time(f.Restarts)) {
		return ""
	}
	return fmt.Sprintf("its containers have ended %d times, the last time %s ago (%s, exit code %d)", f.Restarts, Age(at),
		f.Fell.Reason, f.Fell.ExitCode)
}

// LastRun is the last run of a container that ends again and again.
type LastRun struct {
	// Took is how long it ran. Ready is how long the pod was Ready in it, at most; 0 if it was not.
	Took, Ready time.Duration
	// Again is when the kubelet starts the container again, at the latest; at or before 0 if it is due, or runs already.
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
