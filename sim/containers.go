package sim

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/queue"
)

// The words that kubectl shows for containers that do not run.
const (
	shownError            = "Error"
	shownCrashLoopBackOff = "CrashLoopBackOff"
)

// container is what the kubelet remembers of a container of a pod.
type container struct {
	name  string
	times behaviour.Times
	state containerState
	// word is what kubectl shows of a container that does not run, Error say.
	word     string
	restarts behaviour.Restarts
	pulls    behaviour.Attempts
	// ended counts how often the container has ended, started how often it was started again.
	ended, started int
	// idle is true once a crash loop without an end can change nothing that it has not changed before: its events do not
	// keep the run open.
	idle   bool
	probed probed
	timers [containerEvents]*queue.Entry[event]
}

type containerState uint8

// The states of a container. One that is down has ended with an error and waits for its restart; one that is done has
// ended for good, as an init container does.
const (
	notStarted containerState = iota
	isRunning
	isDown
	isDone
)

// app returns what is remembered of the pod's first container, which stands for all of them where the kubelet does not
// tell them apart.
func (l *life) app(pod *model.Pod) *container {
	if l.boxes != nil {
		return l.boxes.main[0]
	}
	if l.main == nil {
		l.main = &container{name: "app", times: l.times}
		if pod.Template != nil && len(pod.Template.Containers) > 0 {
			l.main.name = pod.Template.Containers[0].Name
		}
		if pod.Phase == model.Running {
			l.main.state = isRunning
		}
	}
	return l.main
}

// named returns the container of that name, nil where the kubelet knows none.
func (l *life) named(name string) *container {
	if l.boxes == nil {
		if l.main != nil && l.main.name == name {
			return l.main
		}
		return nil
	}
	for c := range l.boxes.all {
		if c.name == name {
			return c
		}
	}
	return nil
}

// containers yields all containers of which something is remembered.
func (l *life) containers(yield func(*container) bool) {
	if l.main != nil && !yield(l.main) {
		return
	}
	if l.boxes != nil {
		l.boxes.all(yield)
	}
}

// started sets the timers of a pod whose container has just been started, for the first time or again.
func (w *World) started(l *life, pod *model.Pod) {
	w.after(l, ready, l.times.Ready)
	if l.main == nil && l.times.Crash == nil && l.times.GiveUp == nil {
		return
	}
	c := l.app(pod)
	c.state = isRunning
	w.mayEnd(l, c)
}

// mayEnd sets the timers at which a container that runs ends with an error.
func (w *World) mayEnd(l *life, c *container) {
	if c.crashes() {
		w.afterIn(l, c, crash, c.times.Crash)
	}
	w.afterIn(l, c, giveUp, c.times.GiveUp)
}

// crashes says whether the container crashes in this run of it.
func (c *container) crashes() bool {
	return c.times.Crash != nil && (c.times.Crashes == 0 || c.ended < c.times.Crashes)
}

// afterIn sets a timer of a container.
func (w *World) afterIn(l *life, c *container, kind eventKind, delay behaviour.Delay) {
	if delay == nil {
		return
	}
	if ns, never := delay.Draw(w.chooser); !never {
		w.scheduleIn(l, c, kind, w.Now().Add(time.Duration(ns)))
	}
}

func (w *World) scheduleIn(l *life, c *container, kind eventKind, at model.Time) {
	w.setOn(l, &c.timers[kind-firstContainerEvent], at-w.Now(), c.idle, event{kind: kind, pod: l, container: c})
}

// happenIn lets something happen to a container.
func (w *World) happenIn(e *event) {
	l, c := e.pod, e.container
	switch e.kind {
	case crash:
		w.crashed(l, c, c.times.ErrorWord(), "container "+c.name+" ended with an error")
	case giveUp:
		w.crashed(l, c, shownError, "container "+c.name+" gave up: the pod did not become Ready")
	case restart:
		w.restarted(l, c)
	case pulled:
		w.pulled(l, c)
	case pullAgain:
		w.pull(l, c)
	default:
		w.happenInBox(l, c, e.kind)
	}
}

// crashed ends a pod's container: the phase stays as it is, and the kubelet starts the container again, the first time
// at once, then after waits that double. The word is what kubectl shows of its end.
func (w *World) crashed(l *life, c *container, word, message string) {
	w.cancel(l, ready, heal)
	if l.gate != nil {
		l.gate.warm = false
	}
	w.cancelIn(l, c)
	c.ended++
	c.state = isDown
	wait := c.restarts.Ended(w.config.Kubelet.CrashLoop(), w.Now())
	c.idle = c.endless() && (c.hopeless() && c.ended > 1 || c.restarts.Steady())
	c.probed.reset()
	w.show(l, c, word, message)
	if wait > 0 {
		w.show(l, c, shownCrashLoopBackOff, fmt.Sprintf("back-off %s restarting failed container %s", wait, c.name))
	}
	w.scheduleIn(l, c, restart, w.Now().Add(wait))
}

// endless says whether the container will end again and again for ever.
func (c *container) endless() bool { return c.times.Endless() || c.probed.killer != "" }

// hopeless says whether the container surely never lives long enough to be ready.
func (c *container) hopeless() bool {
	if c.probed.spec == nil {
		return c.times.Hopeless()
	}
	return !c.probed.wasReady && c.probed.certain(&c.times)
}

// restarted starts a pod's container again.
func (w *World) restarted(l *life, c *container) {
	c.started++
	c.restarts.Restarted(w.Now())
	message := fmt.Sprintf("container %s is started again", c.name)
	if l.boxes != nil {
		w.restartedBox(l, c, message)
		return
	}
	w.show(l, c, "", message)
	if pod := w.store.Pod(l.key); pod != nil && pod.UID == l.uid {
		w.started(l, pod)
	}
}

// show writes the state of a pod's containers into its status. A pod with a container that does not run is not Ready.
func (w *World) show(l *life, c *container, word, message string) {
	c.word = word
	if l.boxes != nil {
		w.tell(l, c, message)
		return
	}
	w.store.ChangePod(l.key, func(p *model.Pod) {
		p.Containers = &model.Containers{Name: c.name, Shown: word, Message: message, Restarts: c.started}
		if word != "" && p.Ready {
			p.Ready, p.ReadySince = false, w.Now()
		}
	})
}

func (w *World) cancelIn(l *life, c *container) {
	for i := range c.timers {
		w.disarm(l, &c.timers[i])
	}
}
