package kubelet

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// stop sets the timer for the end of a pod that is being deleted. It is called once, at the start of the deletion.
// Its precision depends on the scenario: with a manifest each container stops on its own (stopAll); with SigKill
// the grace period counts for the pod as one container; otherwise the pod takes the times PreStop and Stop, and
// Never means that it stays.
func (k *Kubelets) stop(l *life, pod *model.Pod) {
	switch {
	case l.manifest != nil:
		k.stopAll(l, pod)
	case k.behaviour.SigKill:
		k.goneAfter(l, k.ends(l, pod, nil, 0))
	case l.times.PreStop != nil:
		hook, process := k.drawn(l.times.PreStop), k.drawn(l.times.Stop)
		if hook >= 0 && process >= 0 {
			k.goneAfter(l, hook+process)
		}
	default:
		k.after(l, gone, l.times.Stop)
	}
}

// goneAfter sets the timer for the end of a pod, d after now. Now is the instant of its deletion, when stop is
// called.
func (k *Kubelets) goneAfter(l *life, d time.Duration) {
	k.setTimer(l, gone, model.Time(d))
}

// drawn draws a delay, and returns a negative one if it has no end; that is the convention of behaviour.Stop.
func (k *Kubelets) drawn(d behaviour.Delay) time.Duration {
	wait, never := k.kernel.Draw(d)
	return behaviour.Infinite(int64(wait), never)
}

// ends returns how long after the pod's deletion the process of a container ends; a nil container is the pod as a
// whole. turn is the time after the deletion before which the container does not start to stop. It notes whether
// the process has to be killed.
func (k *Kubelets) ends(l *life, pod *model.Pod, c *container, turn time.Duration) time.Duration {
	times, hook := l.times, &model.PreStop{}
	if c != nil {
		times, hook = &c.times, c.probed.spec.PreStop
	}
	after, killed := behaviour.Stop{
		Grace: pod.Deletion.Grace, PreStop: behaviour.PreStopOf(hook, k.drawn(times.PreStop)), Takes: k.drawn(times.Stop),
	}.Ends(turn)
	if killed {
		l.killed = append(l.killed, nameOf(c, pod))
	}
	return after
}

// nameOf returns the name of a container in the timeline; for the pod as a whole, the name of its first container,
// and "app" if nothing is known about the template.
func nameOf(c *container, pod *model.Pod) string {
	switch {
	case c != nil:
		return c.name
	case pod.Template != nil && len(pod.Template.Containers) > 0:
		return pod.Template.Containers[0].Name
	}
	return "app"
}

// stopAll stops all running containers at once, except the sidecars: these stop in the reverse order of their
// starts, each after all containers that started later. The pod is gone with the last of them. Restarts that are
// pending do not happen: cancelAll has dropped them.
func (k *Kubelets) stopAll(l *life, pod *model.Pod) {
	last := time.Duration(0)
	for _, c := range l.manifest.main {
		if c.state == isRunning {
			last = max(last, k.ends(l, pod, c, 0))
		}
	}
	for i := len(l.manifest.init) - 1; i >= 0; i-- {
		if c := l.manifest.init[i]; c.state == isRunning {
			last = max(last, k.ends(l, pod, c, last))
		}
	}
	k.goneAfter(l, last)
}

// recordKilled records which containers of a pod that is about to be removed had to be killed. It must be called
// before the removal, and only for an end that the kubelet has seen.
func (k *Kubelets) recordKilled(l *life) {
	pod := k.store.Pod(l.Key)
	if len(l.killed) == 0 || pod == nil {
		return
	}
	for _, name := range l.killed {
		status := model.Containers{Name: name}
		if pod.Containers != nil {
			status = *pod.Containers
			status.Name = name
		}
		status.Message = fmt.Sprintf("container %s is killed (SIGKILL): it has not stopped within its grace period of %s",
			name, pod.Deletion.Grace)
		k.log.Containers(&byKubelet, pod, &status)
	}
}

// killContainer stops a container because one of its probes has failed, within the grace period of the probe or of
// the pod; when it has ended, it is started again. Until then it counts as running, and its own end by a crash is
// cancelled.
func (k *Kubelets) killContainer(l *life, c *container, name string, probe *model.Probe) {
	pod := k.store.Pod(l.Key)
	k.cancelIn(l, c)
	c.probed.killer = name
	grace := pod.Template.Grace
	if probe.Grace != nil {
		grace = *probe.Grace
	}
	after, _ := behaviour.Stop{
		Grace: grace, PreStop: behaviour.PreStopOf(c.probed.spec.PreStop, k.drawn(c.times.PreStop)),
		Takes: k.drawn(c.times.Stop),
	}.Ends(0)
	k.report(l, c, fmt.Sprintf("container %s failed its %s probe %d times in a row, and is killed",
		c.name, name, probe.Failures))
	k.scheduleIn(l, c, killed, k.kernel.Now().Add(after))
}

// Shorten makes a pod that is being deleted stop within its grace period from now on, after a client has shortened
// the period: the kubelet starts killing it again then (podWorkers, gracePeriodShortened). A pod that stops sooner,
// or whose node is silent, is left as it is.
func (k *Kubelets) Shorten(key model.Key) {
	pod := k.store.Pod(key)
	if pod == nil || !pod.Terminating() {
		return
	}
	l := k.lives[pod.UID]
	if l == nil || l.unattended() {
		return
	}
	if at, stops := k.stopsIn(l); stops && at <= model.Time(pod.Deletion.Grace) {
		return
	}
	k.cancel(l, gone)
	l.killed = append(l.killed[:0:0], nameOf(nil, pod))
	k.goneAfter(l, pod.Deletion.Grace)
}
