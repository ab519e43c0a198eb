package kubelet

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// What happens to pods from outside: a scenario, or a fault, says so.

// End is the end of a pod: its phase, Failed or Succeeded, and the reason for it.
type End struct {
	Phase  model.Phase
	Reason string
	// Refused is true if the kubelet of a pod that has just been bound refuses it, for example because a host port
	// is taken: the pod starts no container and is Failed a second later.
	Refused bool
}

// Finish ends a pod that is not terminating, as an eviction under pressure does. It returns false, and does
// nothing, if there is no such pod or it has ended already. It does not matter whether the pod's node is up. A pod
// may be refused within the write that binds it.
func (k *Kubelets) Finish(key model.Key, end End) bool {
	pod := k.store.Pod(key)
	if pod == nil || pod.Terminating() || pod.Finished() {
		return false
	}
	if end.Refused {
		l := k.lives[pod.UID]
		times := *l.times
		times.Reason, l.times = end.Reason, &times
		k.cancelAll(l)
		k.setTimer(l, fail, model.Time(time.Second))
		return true
	}
	k.write().ChangePod(key, func(p *model.Pod) {
		p.Phase, p.Ready, p.ReadySince, p.Reason = end.Phase, false, k.kernel.Now(), end.Reason
	})
	return true
}

// Unready makes a Ready pod that is not terminating not Ready, for the time given or, if that is 0, until something
// else makes it Ready. A crash or a deletion within that time cancels the return to Ready. It returns false if
// there is no such pod. With Shut or Opened the pod may be in any state.
func (k *Kubelets) Unready(key model.Key, d time.Duration) bool {
	pod := k.store.Pod(key)
	switch {
	case pod != nil && (d == Shut || d == Opened):
		k.shut(pod, d == Shut)
		return true
	case pod == nil || pod.Terminating() || !pod.Ready:
		return false
	}
	k.write().ChangePod(key, func(p *model.Pod) { p.Ready, p.ReadySince = false, k.kernel.Now() })
	k.lives[pod.UID].failing = true
	if d > 0 {
		k.setTimer(k.lives[pod.UID], heal, model.Time(d))
	}
	return true
}

// Recover makes a pod Ready again after Unready. It returns false if there is no such pod.
func (k *Kubelets) Recover(key model.Key) bool {
	pod := k.store.Pod(key)
	if pod == nil || pod.Terminating() || pod.Ready || !k.lives[pod.UID].failing {
		return false
	}
	l := k.lives[pod.UID]
	k.cancel(l, heal)
	k.setTimer(l, heal, 0)
	return true
}

// Crash describes how a container ends.
type Crash struct {
	// Container is its name; "" is the pod's first container. Others are only known if the kubelet follows the manifest.
	Container string
	// Word is the status that kubectl shows for it; "" means Error.
	Word string
	// Again is the time after each restart until the container ends again; nil means never. Times is the total
	// number of ends; 0 means no limit.
	Again behaviour.Delay
	Times int
	// Exit is the exit code of these ends; nil uses the exit code of the pod's rule.
	Exit *int
}

// Crash ends a container of a pod that runs: the pod stays Running and is not Ready until the kubelet has started the
// container again. It returns false if there is no such pod, or its container does not run. It changes the
// container's own times, so that Again and Times hold for the rest of the pod's life.
func (k *Kubelets) Crash(key model.Key, how Crash) bool {
	pod := k.store.Pod(key)
	if pod == nil || pod.Terminating() || pod.Phase != model.Running {
		return false
	}
	l := k.lives[pod.UID]
	c := l.app(pod)
	if how.Container != "" {
		c = l.named(how.Container)
	}
	if c == nil || c.state != isRunning {
		return false
	}
	c.times.Reason = how.Word
	if how.Again != nil {
		c.times.Crash, c.times.Crashes = how.Again, 0
		if how.Times > 0 {
			c.times.Crashes = c.ended + how.Times
		}
	}
	if how.Exit != nil {
		c.times.Exit = how.Exit
	}
	k.crashed(l, c, ended(c))
	return true
}

// RestartContainer kills a container of a pod and starts it again, because its resources have changed in place; "" is the
// only one. It does nothing if the container does not run.
func (k *Kubelets) RestartContainer(key model.Key, name string) {
	pod := k.store.Pod(key)
	if pod == nil || pod.Terminating() || pod.Phase != model.Running {
		return
	}
	l := k.lives[pod.UID]
	c := l.named(name)
	if c == nil {
		// Without probes a pod is one container.
		c = l.app(pod)
	}
	if c != nil && c.state == isRunning {
		k.crashed(l, c, exit{
			code: killedCode, killed: true, word: shownError, message: "container " + c.name + " was killed, to get other resources",
		})
	}
}

// These are the words that kubectl shows for an image that cannot be pulled: after a failed attempt, and while the
// kubelet waits for the next one.
const (
	shownErrImagePull     = "ErrImagePull"
	shownImagePullBackOff = "ImagePullBackOff"
)

// bound starts the kubelet's work on a pod that is bound to its node and whose volumes are attached: it pulls the
// image, if that is modelled, and then starts the pod. It is called once for each life, and again when the kubelet
// retries after a change of the rules.
func (k *Kubelets) bound(l *life, pod *model.Pod) {
	l.starting = true
	k.watchOthers(l)
	if k.behaviour.Probes != nil {
		k.unpack(l, pod)
		l.manifest.pass(k.memories[pod.UID].Passed)
	}
	if l.times.Pull == nil {
		k.after(l, start, l.times.Start)
		return
	}
	if l.manifest != nil {
		k.pull(l, l.manifest.next())
		return
	}
	k.pull(l, l.app(pod))
}

// pull starts an attempt to pull the pod's image. One image represents the images of all containers.
func (k *Kubelets) pull(l *life, c *container) {
	takes := l.times.Pull.Takes
	if takes == nil {
		takes = behaviour.Constant(0)
	}
	k.afterIn(l, c, pulled, takes)
}

// pulled ends an attempt. The kubelet retries forever, with waits that double (ImagePullBackOff). If no attempt can
// succeed, attempts after the first change nothing and do not keep the run open.
func (k *Kubelets) pulled(l *life, c *container) {
	image := k.store.Pod(l.Key).Template.Image()
	if !l.times.Pull.FailsAt(c.pulls.Failed, k.kernel.Now()) {
		c.idle = false
		if c.pulls.Failed > 0 {
			k.show(l, c, "", fmt.Sprintf("image %s is pulled", image))
		}
		k.after(l, start, l.times.Start)
		return
	}
	wait := c.pulls.Fail(behaviour.ImageBackOff)
	c.idle = l.times.Pull.Never()
	k.show(l, c, shownErrImagePull, fmt.Sprintf("failed to pull image %s", image))
	k.show(l, c, shownImagePullBackOff, fmt.Sprintf("back-off %s pulling image %s", wait, image))
	k.scheduleIn(l, c, pullAgain, k.kernel.Now().Add(wait))
}

// Forget returns how many of the first n events of the timeline the kubelets no longer need. It is called when an
// instant is over, and the caller forgets these events: indexes into the timeline are counted from the rest.
func (k *Kubelets) Forget(n int) int {
	g, events := &k.gates, k.kernel.Events()
	if len(g.lives) == 0 && k.behaviour.Conditional() {
		g.hear(events)
	}
	if len(g.lives) > 0 {
		n = min(n, g.seen)
	}
	for i := range events[:n] {
		if isTwins(&events[i]) {
			k.forgotten = append(k.forgotten, events[i])
		}
	}
	g.seen = max(0, g.seen-n)
	return n
}

// hear applies the events that the conditions have not seen.
func (g *gates) hear(events []timeline.Event) {
	for ; g.seen < len(events); g.seen++ {
		e := &events[g.seen]
		g.fold.Apply(e)
		if e.Kind == timeline.KindPod && e.State == timeline.Pending {
			g.news, g.most = true, 0
		}
	}
}

// pastTwins returns the events about identities that two processes have or had.
func (k *Kubelets) pastTwins() (twins []*timeline.Event) {
	for _, events := range [][]timeline.Event{k.forgotten, k.kernel.Events()} {
		for i := range events {
			if isTwins(&events[i]) {
				twins = append(twins, &events[i])
			}
		}
	}
	return twins
}

// isTwins reports whether an event is about an identity shared by two processes.
func isTwins(e *timeline.Event) bool {
	return e.Kind == timeline.KindProcess && e.Reason == timeline.ReasonTwins
}
