package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/queue"
)

// life is one life of a pod: from its creation until it is gone. Its timers die with what they would change.
type life struct {
	key model.Key
	uid model.UID
	// set is the set that the pod stands with. A bare one is not owned by it.
	set  model.Key
	bare bool
	nth  int
	// node is the node that the pod is bound to, or nil.
	node *node
	// bound is when the pod was bound to its node, started when it began to run.
	bound, started model.Time
	// times are what the rules say of it. They are looked up again when it is bound, since a rule may ask for its node.
	times behaviour.Times
	// main is nil as long as nothing is to be remembered of the pod's container, boxes where the containers are not told
	// apart.
	main  *container
	boxes *boxes
	// gate is nil where the pod's readiness depends on no other.
	gate *gate
	// killed names the containers that do not stop by themselves when the pod is deleted.
	killed []string
	timers [requeue]*queue.Entry[event]
	// held are its timers while nobody looks after it.
	held []heldTimer
	// eviction is the timer at which its node's taint has it deleted.
	eviction *queue.Entry[event]
	// hung is true when its kubelet has forgotten it, ended when its kubelet has seen its processes end. silenced is true
	// where only the silence of its node has made it unready.
	hung, ended, silenced bool
}

// podLives are the lives of the pods that there are, and how many each name has had.
type podLives struct {
	byUID map[model.UID]*life
	nth   map[model.Key]int
}

func newPodLives() podLives {
	return podLives{byUID: map[model.UID]*life{}, nth: map[model.Key]int{}}
}

// born begins a life: it looks up how the pod will behave and sends it to the scheduler.
func (w *World) born(pod *model.Pod) *life {
	key := pod.Key()
	w.pods.nth[key]++
	l := &life{key: key, uid: pod.UID, nth: w.pods.nth[key]}
	l.set, l.bare = standsWith(pod)
	w.pods.byUID[pod.UID] = l
	l.times = w.timesOf(pod, l)
	w.after(l, bind, l.times.Schedule)
	return l
}

func (w *World) timesOf(pod *model.Pod, l *life) behaviour.Times {
	return w.config.Kubelet.For(w.subject(pod, l))
}

func (w *World) subject(pod *model.Pod, l *life) behaviour.Subject {
	return behaviour.Subject{Pod: pod, StatefulSet: l.set.Name, Nth: l.nth}
}

// idle says whether it changes nothing any more that the pod becomes Ready: it will only crash again.
func (l *life) idle() bool { return l.main != nil && l.main.idle }

// follow sets and drops a pod's timers when its state has changed.
func (w *World) follow(l *life, old, pod *model.Pod) {
	switch {
	case pod.Terminating() && !old.Terminating():
		w.cancelAll(l)
		if pod.Node != "" && !pod.Finished() {
			w.stop(l, pod)
		}
		return
	case pod.Terminating():
		return
	case pod.Finished() && !old.Finished():
		w.unwatch(l)
		w.cancelAll(l)
		return
	}
	if pod.Node != "" && old.Node == "" {
		l.bound = w.Now()
		l.times = w.timesOf(pod, l)
		if w.attached(l, pod) {
			w.bound(l, pod)
		}
	}
	if pod.Phase == model.Running && old.Phase != model.Running {
		l.started = w.Now()
		if len(w.cluster.strays) > 0 {
			w.countTwins(l.key, l.set)
		}
		if l.boxes == nil {
			w.started(l, pod)
		}
		w.after(l, fail, l.times.Fail)
	}
	if pod.Ready != old.Ready {
		if pod.Ready {
			w.neverMind(l)
		}
		w.cancel(l, ripe)
		w.ripenLater(l, pod)
	}
}

// died ends a life. Its process may live on.
func (w *World) died(l *life, pod *model.Pod) {
	w.unwatch(l)
	delete(w.pods.byUID, l.uid)
	w.outlived(l, pod)
	w.leaveVolumes(l, pod)
	w.cancelAll(l)
	if l.node != nil {
		l.node.pods--
	}
	for _, d := range slices.Clone(w.drains) {
		w.proceed(d)
	}
}
