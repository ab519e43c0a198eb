package kubelet

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// These are the words that kubectl shows for containers that do not run.
const (
	shownError            = "Error"
	shownCrashLoopBackOff = "CrashLoopBackOff"
)

// container is what the kubelet remembers of one container of a pod. It belongs to one life and is never shared; its
// timers die with it. A container without a manifest uses no field of probed.
type container struct {
	// n is its place among the containers of its pod, init containers first. Events name the container by it.
	n    int
	name string
	// times are the delays of this container's rule. They are a copy, because a fault may change them (Crash).
	times behaviour.Times
	state containerState
	// word is the status that kubectl shows for a container that does not run, for example Error; "" while it runs.
	word string
	// restarts is the memory of CrashLoopBackOff, pulls the memory of ImagePullBackOff.
	restarts behaviour.Restarts
	pulls    behaviour.Attempts
	// ended counts the container's ends with an error, started its restarts (RESTARTS). ended is equal to started
	// or one ahead, except after a reboot, which counts a restart without an end.
	ended, started int
	// idle is true once a crash loop without an end can change nothing new: its timers are then background events
	// and do not keep the run open. paused is true for such a loop if its pod is Ready at times: when the world
	// changes, its next rounds may end differently (wake).
	idle   bool
	paused bool
	probed probed
	// timers are indexed by the kind of event, counted from firstContainerEvent; nil or expired if none is set.
	timers [containerEvents]*kernel.Timer
}

// containerState is what a container does as far as its kubelet has seen it.
type containerState uint8

// The states of a container. A container that is down has ended and waits for its restart. One that is done has
// ended and will not be restarted: an init container, or a container whose restart policy says so. An unmodelled
// container (no manifest) is notStarted until app finds its pod Running.
const (
	notStarted containerState = iota
	isRunning
	isDown
	isDone
)

// app returns the memory of the pod's first container, which represents all of them if the kubelet does not model
// them one by one. It creates that memory on the first call: most pods never need it.
func (l *life) app(pod *model.Pod) *container {
	if l.manifest != nil {
		return l.manifest.main[0]
	}
	if l.main == nil {
		l.main = &container{name: "app", times: *l.times}
		if pod.Template != nil && len(pod.Template.Containers) > 0 {
			l.main.name = pod.Template.Containers[0].Name
		}
		if pod.Phase == model.Running {
			l.main.state = isRunning
		}
	}
	return l.main
}

// named returns the container of that name, or nil if the kubelet knows none. Without a manifest it knows the first.
func (l *life) named(name string) *container {
	for c := range l.containers {
		if c.name == name {
			return c
		}
	}
	return nil
}

// container returns the pod's container at an index, which must exist: only events of the pod ask.
func (l *life) container(n int) *container {
	if l.manifest == nil {
		return l.main
	}
	if first := len(l.manifest.init); n >= first {
		return l.manifest.main[n-first]
	}
	return l.manifest.init[n]
}

// containers yields all containers that have any memory.
func (l *life) containers(yield func(*container) bool) {
	if l.main != nil && !yield(l.main) {
		return
	}
	if l.manifest != nil {
		l.manifest.all(yield)
	}
}

// started sets the timers of a pod without a manifest whose container has just been started, for the first time or
// again: when it is Ready, and when it ends by itself.
func (k *Kubelets) started(l *life, pod *model.Pod) {
	k.after(l, ready, l.times.Ready)
	if l.main == nil && l.times.Crash == nil && l.times.GiveUp == nil {
		return
	}
	c := l.app(pod)
	c.state = isRunning
	k.mayEnd(l, c)
}

// mayEnd sets the timers for a running container's ends with an error, if its rule has any. Both are drawn again
// for each run.
func (k *Kubelets) mayEnd(l *life, c *container) {
	if c.crashes() {
		k.afterIn(l, c, crash, c.times.Crash)
	}
	k.afterIn(l, c, giveUp, c.times.GiveUp)
}

// crashes reports whether this run of the container ends in a crash.
func (c *container) crashes() bool {
	return c.times.Crash != nil && (c.times.Crashes == 0 || c.ended < c.times.Crashes)
}

// afterIn sets a timer of a container, after a delay that is drawn at this moment. nil and Never set none.
func (k *Kubelets) afterIn(l *life, c *container, kind eventKind, delay behaviour.Delay) {
	if delay == nil {
		return
	}
	if wait, never := k.kernel.Draw(delay); !never {
		k.scheduleIn(l, c, kind, k.kernel.Now()+wait)
	}
}

// scheduleIn sets a timer of a container for an instant. The timer of a container that is idle is a background event.
func (k *Kubelets) scheduleIn(l *life, c *container, kind eventKind, at model.Time) {
	e := l.event(kind)
	e.N = int32(c.n)
	k.setOn(l, &c.timers[kind-firstContainerEvent], at-k.kernel.Now(), c.idle, e)
}

// happenIn carries out an event of a container. Those that only a manifest knows are passed on.
func (k *Kubelets) happenIn(l *life, c *container, kind eventKind) {
	switch kind {
	case crash:
		k.crashed(l, c, ended(c))
	case giveUp:
		k.crashed(l, c, gaveUp(c))
	case restart:
		k.restarted(l, c)
	case restartedAll:
		k.restartedAll(l, c)
	case pulled:
		k.pulled(l, c)
	case pullAgain:
		k.pull(l, c)
	default:
		k.happenInListed(l, c, kind)
	}
}

// rest finds out, at the end of a run of a container, whether its crash loop still keeps the run of the world open.
func (k *Kubelets) rest(c *container) {
	hopeless, steady := c.hopeless() && c.ended > 1, c.restarts.Steady()
	c.idle, c.paused = c.endless() && (hopeless || steady), c.endless() && steady && !c.hopeless()
	k.paused = k.paused || c.paused
}

// endless reports whether the container will end again and again forever, by its rule or because a probe kills it.
func (c *container) endless() bool { return c.times.Endless() || c.probed.killer != "" }

// hopeless reports whether the container certainly never lives long enough to be ready. false means that this is
// not certain: a loop that may still have an effect must keep the run open.
func (c *container) hopeless() bool {
	if c.probed.spec == nil {
		return c.times.Hopeless()
	}
	return !c.probed.wasReady && c.probed.certain(&c.times)
}

// restarted starts a pod's container again after a crash or a reboot.
func (k *Kubelets) restarted(l *life, c *container) {
	c.started++
	c.restarts.Restarted(k.kernel.Now())
	message := fmt.Sprintf("container %s is started again", c.name)
	if l.manifest != nil {
		k.restartedListed(l, c, message)
		return
	}
	k.show(l, c, "", message)
	k.started(l, k.store.Pod(l.Key))
}

// show writes the state of a pod's containers into its status. A pod is not Ready while one of its containers does
// not run. The pod must exist: a deleted pod has no timers left.
func (k *Kubelets) show(l *life, c *container, word, message string) {
	c.word = word
	if l.manifest != nil {
		k.report(l, c, message)
		return
	}
	k.write().ChangePod(l.Key, func(p *model.Pod) {
		p.Containers = &model.Containers{Name: c.name, Shown: word, Message: message, Restarts: c.started}
		if word != "" && p.Ready {
			p.Ready, p.ReadySince = false, k.kernel.Now()
		}
	})
}

// cancelIn drops all timers of a container, those that are held too.
func (k *Kubelets) cancelIn(l *life, c *container) {
	for i := range c.timers {
		k.disarm(l, &c.timers[i])
	}
}
