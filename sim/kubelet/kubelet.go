// Package kubelet contains the kubelets of all nodes: everything that happens to a pod on its node, from its
// binding to the end of its processes. Package behaviour has the durations.
//
// A pod has one life (life.go), with a timer for each future event (timers.go, pause.go while its node is down,
// event.go). Its containers are in containers.go or, if the kubelet follows the pod's manifest with its init
// containers, sidecars and probes, in manifest.go. restart.go handles a container that has ended, readiness.go
// readiness that depends on other pods, stop.go the end of a pod, reboot.go the return of a node that was off, and
// processes.go the processes that outlive their pod.
//
// Invariants:
//
//   - Every pod of the store has exactly one life, by its uid. A life has no timer in the queue that belongs to
//     another one, and none after the pod is gone.
//   - While nobody looks after a pod (its node is down or its kubelet has forgotten it), all its timers are in held
//     and none is in the queue. Otherwise held is empty.
//   - A pod that is terminating or has ended has no timer but gone, and those of its gate, which change nothing then.
//     So a deletion overtakes everything else that was to happen.
//   - Each delay is drawn once, when its timer is set. What has been drawn does not change when a node goes down and
//     comes back: the timer continues with what was left.
//   - The process of a pod and its object may differ: an object that was removed without the kubelet leaves a stray.
//
// Package sim drives it: Weigh before each fixed point, Pause and Resume when a node goes down or comes back,
// Finish, Unready, Crash and Hang for the failures of a scenario, WarnOfTwins at the end of a run. The kernel calls
// Happen and Keep, the store SeePod. It asks package nodes about nodes and, through Volumes, the storage; neither
// calls it.
package kubelet

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Kubelets are the kubelets of all nodes. SeePod must watch the store: it is how they learn of a pod.
type Kubelets struct {
	kernel    *kernel.Kernel       `print:"-"`
	store     *store.Store         `print:"-"`
	log       *audit.Log           `print:"-"`
	nodes     *nodes.Controller    `print:"-"`
	volumes   Volumes              `print:"-"`
	behaviour *behaviour.Behaviour `print:"-"`
	pay       behaviour.Pay        `print:"-"`

	// lives has the life of each existing pod, from the write that adds the pod to the write that removes it.
	lives map[model.UID]*life
	// fresh is the memory of lives that have ended. Such a life is reused only after the instant of its end,
	// because a caller may still hold it until then; ended is the last instant when one ended.
	fresh keyed.Pool[life] `print:"-"`
	ended model.Time       `print:"-"`
	// gates belong to readiness that depends on other pods; empty if no rule has such a condition.
	gates gates
	// paused is true if a crash loop was paused since the last call of wake. changes is the number of the user's
	// changes at that call.
	paused  bool `print:"-"`
	changes int  `print:"-"`
	// forgotten are the forgotten events about identities that two processes had.
	forgotten []timeline.Event `print:"-"`
	// strays are the processes whose pod is gone, in the order of their pods' deletion. twins are the names that
	// two or more processes have at this moment, each with its start.
	strays []*stray
	// expiring are the rules that were added and hold for a time.
	expiring []expiry
	twins    map[model.Key]model.Time `print:"keys"`
	// memories hold what is known about the pods of a start state, until their lives begin; nil otherwise.
	memories map[model.UID]Memory `print:"-"`
}

// Volumes answers a kubelet's questions about volumes. The storage implements it. The caller must start the pods
// that its methods return (Start), in their order: that way the storage need not know the kubelets.
type Volumes interface {
	// Attach reports that a pod has just been bound. It returns the pods that have waited and may start now, and
	// whether this one may start after them. If not, a later call of one of the methods returns it.
	Attach(*model.Pod) (others []*model.Pod, may bool)
	// Leave reports a pod that is gone although its kubelet has not seen its end. If its process keeps running
	// (runs), Ended follows.
	Leave(pod *model.Pod, runs bool)
	// Ended reports the end of such a pod's process. It returns the pods that may start now.
	Ended(model.UID) []*model.Pod
}

// Needs holds everything that the kubelets use. All fields are required. The behaviour is read at each use and not
// copied, so it may change between two events; a life keeps the times that it was given.
type Needs struct {
	Kernel    *kernel.Kernel
	Store     *store.Store
	Log       *audit.Log
	Nodes     *nodes.Controller
	Volumes   Volumes
	Behaviour *behaviour.Behaviour
	// Pay pays for the readiness conditions of pods.
	Pay behaviour.Pay
}

// New returns the kubelets of a cluster without a pod, and takes over the events of the room.
func New(n Needs) *Kubelets {
	kubelets := &Kubelets{
		kernel: n.Kernel, store: n.Store, log: n.Log, nodes: n.Nodes, volumes: n.Volumes, behaviour: n.Behaviour,
		pay: n.Pay,
	}
	kubelets.fresh.Most = 8
	n.Kernel.Handle(kernel.Kubelet, eventNames[:], kubelets)
	return kubelets
}

// byKubelet is the actor of the kubelets' writes. It is one variable, so that a write allocates nothing.
var byKubelet = store.By{Actor: timeline.Kubelet}

// write returns the writer of all kubelets: which of them writes is told by the pod's node, not by the actor.
func (k *Kubelets) write() store.Writer { return k.store.In(&byKubelet) }
