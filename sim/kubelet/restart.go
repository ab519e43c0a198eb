package kubelet

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// These are the words that kubectl shows while all containers of a pod are started again: between their removal and
// their start, and while its init containers run again.
const (
	shownRestartingAll   = "RestartingAllContainers"
	shownPodInitializing = "PodInitializing"
	shownCompleted       = "Completed"
)

// resetTakes is the time from the removal of all containers to the restart of the first one: the kubelet sees at
// the next relist of its PLEG that they are gone.
const resetTakes = time.Second

// killedCode is the exit code of a container that its kubelet has killed.
const killedCode = 137

// exit is how a run of a container ended: on its own, or killed for a probe. The word is what kubectl shows.
type exit struct {
	code          int
	killed        bool
	word, message string
}

// ended returns the exit of a container that ends by itself.
func ended(c *container) exit {
	message := "container " + c.name + " ended with an error"
	if c.times.Exit != nil {
		message = fmt.Sprintf("container %s ended with exit code %d", c.name, *c.times.Exit)
	}
	return exit{code: c.times.ExitCode(), word: c.times.ErrorWord(), message: message}
}

// gaveUp returns the exit of a container that ends because its pod has not become Ready.
func gaveUp(c *container) exit {
	word := shownError
	if c.times.ExitCode() == 0 {
		word = shownCompleted
	}
	message := "container " + c.name + " gave up: the pod did not become Ready"
	return exit{code: c.times.ExitCode(), word: word, message: message}
}

// killedFor returns the exit of a container that was killed for one of its probes.
func killedFor(c *container) exit {
	message := fmt.Sprintf("container %s ended, killed for its %s probe", c.name, c.probed.killer)
	return exit{code: killedCode, killed: true, word: shownError, message: message}
}

// crashed ends a run of a pod's container. All timers of the run are dropped, and readiness starts over. The
// container's restart policy decides what happens next; without a policy the container is restarted.
func (k *Kubelets) crashed(l *life, c *container, of exit) {
	k.cancel(l, ready, heal)
	if g := l.gate; g != nil {
		// What kept the pod Ready without its peers ends with the process.
		g.warm, g.open = false, g.open && g.holds
	}
	k.cancelIn(l, c)
	c.ended++
	c.state = isDown
	c.probed.reset()
	switch after := k.afterExit(l, c, of); {
	case after == model.StartAllAgain:
		k.restartAll(l, c, of)
	case c.probed.regular() && of.code == 0:
		k.complete(l, c)
	case after == model.LeaveEnded:
		k.leave(l, c, of)
	default:
		k.backOff(l, c, of)
	}
}

// afterExit returns what happens to a container that ended. The template of the pod is the one that the API server
// of its version has stored, so a version that drops restart policies restarts the container.
func (k *Kubelets) afterExit(l *life, c *container, of exit) model.AfterExit {
	spec := c.probed.spec
	if template := k.store.Pod(l.Key).Template; spec == nil && template != nil && template.Lifecycle != nil {
		spec = &template.Lifecycle.Containers[0]
	}
	switch {
	case spec == nil:
		return model.StartAgain
	case of.killed:
		return spec.Restart.AfterKill(of.code)
	}
	return spec.Restart.After(of.code)
}

// backOff restarts a container, the first time at once, then after waits that double (CrashLoopBackOff). The phase
// of the pod stays as it is. The wait counts from the end of the run. A second status with CrashLoopBackOff follows
// if there is a wait, so both are seen.
func (k *Kubelets) backOff(l *life, c *container, of exit) {
	wait := c.restarts.Ended(k.behaviour.CrashLoop(), k.kernel.Now())
	k.rest(c)
	k.show(l, c, of.word, of.message)
	if wait > 0 {
		k.show(l, c, shownCrashLoopBackOff, fmt.Sprintf("back-off %s restarting failed container %s", wait, c.name))
	}
	k.scheduleIn(l, c, restart, k.kernel.Now().Add(wait))
}

// leave leaves a container as it ended. The pod has ended if none of its containers will run again, or if one of
// its init containers has failed permanently.
func (k *Kubelets) leave(l *life, c *container, of exit) {
	c.state = isDone
	k.show(l, c, of.word, of.message+", and its restart policy leaves it so")
	if phase := k.endOf(l, c); phase != model.NoPhase {
		k.Finish(l.Key, End{Phase: phase})
	}
}

// endOf returns the final phase of a pod after a container that is not restarted; NoPhase if other containers keep
// running (getPhase of the kubelet). Sidecars do not keep a pod running. For a pod without a manifest, only one
// container is known.
func (k *Kubelets) endOf(l *life, c *container) model.Phase {
	containers := []*container{c}
	switch {
	case c.probed.isInit:
		return model.Failed
	case l.manifest != nil:
		containers = l.manifest.main
	case len(k.store.Pod(l.Key).Template.Containers) > 1:
		return model.NoPhase
	}
	phase := model.Succeeded
	for _, c := range containers {
		if c.state != isDone {
			return model.NoPhase
		}
		if c.word != shownCompleted {
			phase = model.Failed
		}
	}
	return phase
}

// restartAll restarts all containers of a pod in place because one has ended (KEP-5532): the others are killed
// without a grace period, all are removed, and then they start in their order, init containers first. The pod stays
// the same, and so does its phase, and no back-off delays it.
func (k *Kubelets) restartAll(l *life, c *container, of exit) {
	c.restarts.Unpunished()
	k.rest(c)
	k.show(l, c, of.word, of.message+", and all containers are started again")
	c.started++
	c.word = shownRestartingAll
	if b := l.manifest; b != nil {
		b.again, b.turn = b.again || b.initialized(), 0
		for other := range b.all {
			if other != c && other.state != notStarted {
				k.remove(l, other, c)
			}
		}
	}
	k.show(l, c, shownRestartingAll, "all containers are removed")
	k.scheduleIn(l, c, restartedAll, k.kernel.Now().Add(resetTakes))
}

// remove kills a container and removes it, because another one ended. It takes over the other container's outlook:
// if the other's loop can have no more effects, neither can this container's next run.
func (k *Kubelets) remove(l *life, c, because *container) {
	k.cancelIn(l, c)
	c.state, c.word = isDown, shownRestartingAll
	c.probed.reset()
	c.started++
	c.idle, c.paused = because.idle, because.paused
}

// restartedAll starts the removed containers of a pod, the first of its init containers or all others at once.
func (k *Kubelets) restartedAll(l *life, c *container) {
	const message = "all containers of the pod are started again"
	if l.manifest == nil {
		c.restarts.Restarted(k.kernel.Now())
		k.show(l, c, "", message)
		k.started(l, k.store.Pod(l.Key))
		return
	}
	for removed := range l.manifest.all {
		removed.word = ""
		removed.restarts.Restarted(k.kernel.Now())
	}
	k.goOn(l)
	k.report(l, c, message)
}
