package play

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// RolloutStatus waits as kubectl rollout status does. With a strategy other than RollingUpdate the command fails at
// once; WaitForReady waits there too.
func RolloutStatus(key model.Key) Deed {
	return Deed{
		Verb: "wait", Kubectl: shell.In(key.Namespace, "rollout", "status", "statefulset/"+key.Name),
		Returns: when(func(now *Moment) bool {
			set := now.Set(key)
			return set == nil || gate.KubectlRolloutStatus.Read(set).State != gate.InProgress
		}),
	}
}

// WaitSetGone waits until a set is gone: what is applied before goes with it.
func WaitSetGone(set model.Key) Deed {
	return Deed{
		Verb:    "wait",
		Kubectl: shell.In(set.Namespace, "wait", "statefulset/"+set.Name, "--for=delete", shell.NoTimeout),
		Returns: func(*Moment) func(*Moment) bool {
			return func(now *Moment) bool { return now.Set(set) == nil }
		},
	}
}

// WaitForReady waits until the status of a set counts so many Ready pods. A negative timeout of kubectl's is a week;
// here it waits as long as the run lasts.
func WaitForReady(key model.Key, replicas int) Deed {
	return Deed{
		Verb: "wait",
		Kubectl: shell.In(key.Namespace, "wait", "statefulset/"+key.Name,
			fmt.Sprintf("--for=jsonpath={.status.readyReplicas}=%d", replicas), shell.NoTimeout),
		Returns: when(func(now *Moment) bool {
			set := now.Set(key)
			return set != nil && int(set.Status.Ready) == replicas
		}),
	}
}

// when returns a condition that does not depend on the state before the command.
func when(done func(*Moment) bool) Returns {
	return func(*Moment) func(*Moment) bool { return done }
}

// podIsGone returns the condition under which kubectl delete pod returns: this pod is gone, whoever has its name.
func podIsGone(pod model.Key) Returns {
	return func(before *Moment) func(*Moment) bool {
		was := before.Pods[pod].UID
		return func(now *Moment) bool { return was == 0 || now.Pods[pod].UID != was }
	}
}

// await plays steps up to the moment at which the command of the last one returns. It returns that instant, and the
// point from which a run goes on there. If the command never returns, hangs is the whole run, which is otherwise nil.
// If it returns only where a livelock ends the run, which is no fixed point, a run goes on from the same point as this.
func (l *Lab) await(from *stem, steps []sim.Step, returns Returns) (next *stem, at model.Time, hangs []timeline.Event) {
	asks := asking{returns: returns, number: len(steps), now: Moment{Pods: map[model.Key]Pod{}}}
	held, lab := false, *l
	lab.World.Watch = func(world *sim.World) {
		if l.World.Watch != nil {
			l.World.Watch(world)
		}
		if !held && asks.done(world.Events()) {
			next, held = l.hold(world, len(steps)), true
		}
	}
	lab.World.Interrupted = func() bool { return held || l.World.Interrupted != nil && l.World.Interrupted() }
	_, events := lab.play(from, steps, nil)
	switch {
	case held:
		return next, next.at, nil
	case asks.done(events):
		return from, asks.now.T, nil
	}
	return nil, 0, events
}

// asking asks whether the command of a step has returned, as a run goes on.
type asking struct {
	returns Returns
	number  int
	// now is the cluster after so many events. has is nil until the step acts.
	now    Moment
	events int
	has    func(*Moment) bool
}

// done says whether the command has returned by the end of these events, of which it has seen the first ones before.
// It returns at the first fixed point at or after the step at which its condition holds.
func (a *asking) done(events []timeline.Event) bool {
	more := events[a.events:]
	a.events = len(events)
	for i := range more {
		if isStep(&more[i], a.number) {
			a.has = a.returns(&a.now)
		}
		a.now.apply(&more[i])
	}
	return len(more) > 0 && a.has != nil && a.has(&a.now)
}
