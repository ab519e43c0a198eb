package kubelet

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// life is one life of a pod: from its creation until it is gone. Its timers die with what they would change.
type life struct {
	*audit.Life
	// node is the node that the pod is bound to, or nil.
	node *nodes.Node
	// bound is the time at which the pod was bound to its node, started the time at which it began to run.
	bound, started model.Time `print:"-"`
	// times are the times that the rules give it, from its binding on: a rule may match its node. Many lives share them.
	times *behaviour.Times
	// main is nil while there is nothing to remember of the pod's container; manifest is nil if containers are not
	// modelled one by one.
	main     *container
	manifest *manifest
	// gate is nil if the pod's readiness depends on no other.
	gate *gate
	// killed names the containers that do not stop by themselves when the pod is deleted.
	killed []string
	timers [podEvents]*kernel.Timer
	// held are its timers while nobody looks after it (unattended). Such a timer is not in the queue.
	held []heldTimer
	// hung is true when its kubelet has forgotten it, ended when its kubelet has seen its processes end. silenced is true
	// where only the silence of its node has made it unready.
	hung, ended, silenced bool
	// was is its phase when the pod garbage collector made it Failed without a word of its kubelet, else NoPhase.
	was model.Phase
}

// unbound are the times of a pod that is not bound to a node.
var unbound behaviour.Times

// SeePod follows a write of a pod: it sets and drops the pod's timers.
func (k *Kubelets) SeePod(change *store.Change) {
	switch change.Type {
	case model.Added:
		k.meet(change.Pod)
	case model.Modified:
		l := k.lives.Get(change.Pod.UID)
		if change.By.Actor == timeline.APIServer && change.OldPod.Ready && !change.Pod.Ready {
			l.silenced = true
		}
		if change.By.Reason == timeline.ReasonPodGC && change.Pod.Finished() {
			l.was = change.OldPod.Phase
		}
		k.follow(l, change.OldPod, change.Pod)
	case model.Deleted:
		k.died(k.lives.Get(change.OldPod.UID), change.OldPod)
	}
}

// timesOf looks up how a pod behaves.
func (k *Kubelets) timesOf(pod *model.Pod, l *life) *behaviour.Times {
	return k.behaviour.For(subject(pod, l))
}

func subject(pod *model.Pod, l *life) behaviour.Subject {
	return behaviour.Subject{Pod: pod, StatefulSet: l.Set.Name, Nth: l.Nth}
}

// idle says whether it changes nothing any more that the pod becomes Ready: it will only crash again.
func (l *life) idle() bool { return l.main != nil && l.main.idle }

// follow sets and drops a pod's timers when its state has changed.
func (k *Kubelets) follow(l *life, old, pod *model.Pod) {
	switch {
	case pod.Terminating() && !old.Terminating():
		k.cancelAll(l)
		if pod.Node != "" && !pod.Finished() {
			k.stop(l, pod)
		}
		return
	case pod.Terminating():
		return
	case pod.Finished() && !old.Finished():
		k.unwatch(l)
		k.cancelAll(l)
		return
	}
	if pod.Node != "" && old.Node == "" {
		l.node, l.bound = k.nodes.Node(pod.Node), k.kernel.Now()
		l.times = k.timesOf(pod, l)
		others, may := k.volumes.Attach(pod)
		if k.Start(others); may {
			k.bound(l, pod)
		}
	}
	if pod.Phase == model.Running && old.Phase != model.Running {
		l.started = k.kernel.Now()
		if len(k.strays) > 0 {
			k.countTwins(l.Key, l.Set)
		}
		if l.manifest == nil {
			k.started(l, pod)
		}
		k.after(l, fail, l.times.Fail)
	}
	if pod.Ready && !old.Ready {
		k.neverMind(l)
	}
}

// Start begins with pods that are bound and whose volumes are attached, in this order. Each pod must be there, Pending
// and not terminating, and is begun with once.
func (k *Kubelets) Start(pods []*model.Pod) {
	for _, pod := range pods {
		k.bound(k.lives.Get(pod.UID), pod)
	}
}

// died ends a life. Its process may live on.
func (k *Kubelets) died(l *life, pod *model.Pod) {
	k.unwatch(l)
	k.lives.Delete(l.UID)
	if l.was != model.NoPhase {
		unmarked := *pod
		unmarked.Phase = l.was
		pod = &unmarked
	}
	if !l.ended {
		runs := k.outlived(l, pod)
		k.volumes.Leave(pod, runs)
	}
	k.cancelAll(l)
	if now := k.kernel.Now(); k.ended < now {
		k.fresh.Release()
		k.ended = now
	}
	k.fresh.Retire(l)
}
