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

// life is one life of a pod: from its creation until it is gone. Its timers end together with what they would
// change. Only this package changes it; the embedded audit.Life is shared with the record and read only.
type life struct {
	*audit.Life
	// node is the node that the pod is bound to, nil before the binding, or if the cluster does not know the node. It is
	// never changed after that.
	node *nodes.Node
	// bound is the instant when the pod was bound to its node, started the instant when it became Running; 0
	// before. They matter only for a state that is written out (Memory).
	bound, started model.Time `print:"-"`
	// times are the times that the rules give it from its binding on, since a rule may match its node. Before that
	// they are the times of unbound. Many lives share them, so they are never changed; a container that a fault
	// changes has a copy.
	times *behaviour.Times
	// main is the memory of the container of a pod without a manifest; nil as long as there is nothing to remember.
	// manifest is nil if containers are not modelled one by one. At most one of the two is used.
	main     *container
	manifest *manifest
	// gate is nil if the pod's readiness depends on no other pod.
	gate *gate
	// killed names the containers that will not stop on their own within the grace period, known from the start of
	// the deletion; recordKilled reports them at the end.
	killed []string
	// timers are indexed by eventKind; nil or expired if none is set.
	timers [podEvents]*kernel.Timer
	// held are its timers while no kubelet looks after it (unattended). Such a timer is not in the queue.
	held []heldTimer
	// hung is true when its kubelet has forgotten it; that never changes back. ended is true when its kubelet has seen
	// its processes end, so that no process outlives the pod. silenced is true if only the silence of its node has made
	// it unready: the node controller has done so and the kubelet knows better.
	hung, ended, silenced bool
	// starting is true when its kubelet has started on it. It follows from its volumes.
	starting bool `print:"-"`
	// failing is true while Unready keeps a pod from being Ready whose containers run.
	failing bool
	// was is its phase at the moment when the pod garbage collector made it Failed without asking its kubelet, else
	// NoPhase. The process may still run then, whatever the phase says.
	was model.Phase
}

// unbound are the times of a pod that is not bound to a node.
var unbound behaviour.Times

// SeePod follows a write of a pod: it sets and drops the pod's timers. It also reacts to the kubelets' own writes,
// so each stage begins in one place, whichever component moved the pod there. It does not write.
func (k *Kubelets) SeePod(change *store.Change) {
	switch change.Type {
	case model.Added:
		k.wake()
		k.meet(change.Pod)
	case model.Modified:
		l := k.lives[change.Pod.UID]
		if change.By.Actor == timeline.APIServer && change.OldPod.Ready && !change.Pod.Ready {
			l.silenced = true
		}
		if change.By.Reason == timeline.ReasonPodGC && change.Pod.Finished() {
			l.was = change.OldPod.Phase
		}
		k.follow(l, change.OldPod, change.Pod)
	case model.Deleted:
		k.died(k.lives[change.OldPod.UID], change.OldPod)
	}
}

// timesOf looks up how a pod behaves. If the pod is bound, its node must be set.
func (k *Kubelets) timesOf(pod *model.Pod, l *life) *behaviour.Times {
	return k.behaviour.For(subject(pod, l))
}

// subject is what the rules of behaviour look at.
func subject(pod *model.Pod, l *life) behaviour.Subject {
	return behaviour.Subject{Pod: pod, StatefulSet: l.Set.Name, Nth: l.Nth}
}

// idle reports whether it changes nothing any more when the pod becomes Ready, because it will only crash again.
func (l *life) idle() bool { return l.main != nil && l.main.idle }

// follow sets and drops a pod's timers when its state has changed. A deletion drops everything and sets the timer of
// the end; further changes of a terminating pod mean nothing. A pod without a node, or one that has ended, is not
// stopped: the API server removes it at once.
func (k *Kubelets) follow(l *life, old, pod *model.Pod) {
	switch {
	case pod.Terminating() && !old.Terminating():
		k.cancelAll(l)
		// A pod that another component has set to Failed still has its process, which its kubelet stops.
		if pod.Node != "" && (!pod.Finished() || l.was == model.Running) {
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
		l.failing = false
		k.neverMind(l)
	}
}

// Start starts on pods that are bound and whose volumes are attached, in this order. Each pod must exist, be
// Pending and not terminating, and must not have been started before; the storage ensures that.
func (k *Kubelets) Start(pods []*model.Pod) {
	for _, pod := range pods {
		k.bound(k.lives[pod.UID], pod)
	}
}

// died ends a life. If the kubelet has not seen the end of the pod's processes, its process may live on, and its
// volumes stay attached. For that question the pod has the phase that its kubelet last reported, not the one that the
// pod garbage collector wrote.
func (k *Kubelets) died(l *life, pod *model.Pod) {
	k.unwatch(l)
	delete(k.lives, l.UID)
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
