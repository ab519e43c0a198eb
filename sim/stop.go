package sim

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// stop sets the timer at which a pod that is being deleted is gone.
func (w *World) stop(l *life, pod *model.Pod) {
	switch {
	case l.boxes != nil:
		w.stopBoxes(l, pod)
	case w.config.Kubelet.SigKill:
		w.goneAfter(l, w.ends(l, pod, nil, 0))
	case l.times.PreStop != nil:
		hook, process := w.drawn(l.times.PreStop), w.drawn(l.times.Stop)
		if hook >= 0 && process >= 0 {
			w.goneAfter(l, hook+process)
		}
	default:
		w.after(l, gone, l.times.Stop)
	}
}

func (w *World) goneAfter(l *life, d time.Duration) {
	w.setOn(l, &l.timers[gone], model.Time(d), false, event{kind: gone, pod: l})
}

// drawn is a delay that was drawn, negative where it has no end.
func (w *World) drawn(d behaviour.Delay) time.Duration {
	wait, never := w.draw(d)
	return behaviour.Infinite(int64(wait), never)
}

// ends returns how long after its deletion the process of a container has ended, which may not begin to stop before its
// turn. One that has to be killed for it is noted.
func (w *World) ends(l *life, pod *model.Pod, c *container, turn time.Duration) time.Duration {
	times, hook := &l.times, &model.PreStop{}
	if c != nil {
		times, hook = &c.times, c.probed.spec.PreStop
	}
	after, killed := behaviour.Stop{
		Grace: pod.Deletion.Grace, PreStop: behaviour.PreStopOf(hook, w.drawn(times.PreStop)), Takes: w.drawn(times.Stop),
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

// stopBoxes stops all containers that run, at once but for the sidecars: these wait for all others, and then for those
// that were started after them.
func (w *World) stopBoxes(l *life, pod *model.Pod) {
	last := time.Duration(0)
	for _, c := range l.boxes.main {
		if c.state == isRunning {
			last = max(last, w.ends(l, pod, c, 0))
		}
	}
	for i := len(l.boxes.init) - 1; i >= 0; i-- {
		if c := l.boxes.init[i]; c.state == isRunning {
			last = max(last, w.ends(l, pod, c, last))
		}
	}
	w.goneAfter(l, last)
}

// tellKilled tells which containers of a pod that goes now had to be killed.
func (w *World) tellKilled(l *life) {
	pod := w.store.Pod(l.key)
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
		w.recordContainers(l, pod, &status)
	}
}

// killContainer stops a container that a probe has failed for; when it has ended it is started again.
func (w *World) killContainer(l *life, c *container, name string, probe *model.Probe) {
	pod := w.store.Pod(l.key)
	w.cancelIn(l, c)
	c.probed.killer = name
	grace := pod.Template.Grace
	if probe.Grace != nil {
		grace = *probe.Grace
	}
	after, _ := behaviour.Stop{
		Grace: grace, PreStop: behaviour.PreStopOf(c.probed.spec.PreStop, w.drawn(c.times.PreStop)),
		Takes: w.drawn(c.times.Stop),
	}.Ends(0)
	w.tell(l, c, fmt.Sprintf("container %s failed its %s probe %d times in a row, and is killed",
		c.name, name, probe.Failures))
	w.scheduleIn(l, c, killed, w.Now().Add(after))
}
