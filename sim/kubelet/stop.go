package kubelet

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// stop sets the timer at which a pod that is being deleted is gone.
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

func (k *Kubelets) goneAfter(l *life, d time.Duration) {
	k.setTimer(l, gone, model.Time(d))
}

// drawn returns a delay that was drawn, negative if it has no end.
func (k *Kubelets) drawn(d behaviour.Delay) time.Duration {
	wait, never := k.kernel.Draw(d)
	return behaviour.Infinite(int64(wait), never)
}

// ends returns how long after the pod's deletion the process of a container has ended. The container may not begin to
// stop before its turn. If it has to be killed, that is noted.
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

func nameOf(c *container, pod *model.Pod) string {
	switch {
	case c != nil:
		return c.name
	case pod.Template != nil && len(pod.Template.Containers) > 0:
		return pod.Template.Containers[0].Name
	}
	return "app"
}

// stopAll stops all running containers at once, except the sidecars: these wait for all others, and then for those that
// were started after them.
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

// recordKilled records which containers of a pod that is removed now had to be killed.
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

// killContainer stops a container because one of its probes has failed; when it has ended, it is started again.
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
