package sim

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kubelet"
	"github.com/statefulsim/statefulsim/sim/queue"
)

// The words that kubectl shows for containers that do not run.
const (
	shownError            = "Error"
	shownCrashLoopBackOff = "CrashLoopBackOff"
)

// container is what the kubelet remembers of a container of a pod.
type container struct {
	name     string
	restarts kubelet.Restarts
	// ended counts how often the container has ended, started how often it was started again.
	ended, started int
	// down is true while the container waits for its restart.
	down bool
	// idle is true once a crash loop without an end can change nothing that it has not changed before: its events do not
	// keep the run open.
	idle   bool
	timers [containerEvents]*queue.Entry[event]
}

// app returns what is remembered of the pod's first container, which stands for all of them where the scenario does not
// tell them apart.
func (l *life) app(pod *model.Pod) *container {
	if l.main == nil {
		l.main = &container{name: "app"}
		if pod.Template != nil && len(pod.Template.Containers) > 0 {
			l.main.name = pod.Template.Containers[0].Name
		}
	}
	return l.main
}

// started sets the timers of a pod whose container has just been started, for the first time or again.
func (w *World) started(l *life, pod *model.Pod) {
	w.after(l, ready, l.times.Ready)
	if l.times.Crash == nil && l.times.GiveUp == nil {
		return
	}
	c := l.app(pod)
	if l.times.Crashes == 0 || c.ended < l.times.Crashes {
		w.afterIn(l, c, crash, l.times.Crash)
	}
	w.afterIn(l, c, giveUp, l.times.GiveUp)
}

// afterIn sets a timer of a container.
func (w *World) afterIn(l *life, c *container, kind eventKind, delay kubelet.Delay) {
	if delay == nil {
		return
	}
	if ns, never := delay.Draw(w.chooser); !never {
		w.scheduleIn(l, c, kind, time.Duration(ns))
	}
}

func (w *World) scheduleIn(l *life, c *container, kind eventKind, d time.Duration) {
	w.setOn(l, &c.timers[kind-firstContainerEvent], model.Time(d), c.idle, event{kind: kind, pod: l, container: c})
}

// happenIn lets something happen to a container.
func (w *World) happenIn(e *event) {
	switch e.kind {
	case crash:
		w.crashed(e.pod, e.container, e.pod.times.ErrorWord(), "container "+e.container.name+" ended with an error")
	case giveUp:
		w.crashed(e.pod, e.container, shownError, "container "+e.container.name+" gave up: the pod did not become Ready")
	case restart:
		w.restarted(e.pod, e.container)
	}
}

// crashed ends a pod's container: the phase stays Running, and the kubelet starts it again, the first time at once, then
// after waits that double. The word is what kubectl shows of its end.
func (w *World) crashed(l *life, c *container, word, message string) {
	w.cancel(l, ready, heal)
	w.cancelIn(c)
	c.ended++
	c.down = true
	wait := c.restarts.Ended(w.config.Kubelet.CrashLoop(), w.Now())
	c.idle = l.times.Endless() && (l.times.Hopeless() && c.ended > 1 || c.restarts.Steady())
	w.show(l, c, word, message)
	if wait > 0 {
		w.show(l, c, shownCrashLoopBackOff, fmt.Sprintf("back-off %s restarting failed container %s", wait, c.name))
	}
	w.scheduleIn(l, c, restart, wait)
}

// restarted starts a pod's container again.
func (w *World) restarted(l *life, c *container) {
	c.down = false
	c.started++
	c.restarts.Restarted(w.Now())
	w.show(l, c, "", fmt.Sprintf("container %s is started again", c.name))
	if pod := w.store.Pod(l.key); pod != nil && pod.UID == l.uid {
		w.started(l, pod)
	}
}

// show writes the state of a pod's containers into its status. A pod with a container that does not run is not Ready.
func (w *World) show(l *life, c *container, word, message string) {
	w.store.ChangePod(l.key, func(p *model.Pod) {
		p.Containers = &model.Containers{Name: c.name, Shown: word, Message: message, Restarts: c.started}
		if word != "" && p.Ready {
			p.Ready, p.ReadySince = false, w.Now()
		}
	})
}

func (w *World) cancelIn(c *container) {
	if c == nil {
		return
	}
	for _, timer := range c.timers {
		w.queue.Cancel(timer)
	}
}
