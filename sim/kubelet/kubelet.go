// Package kubelet contains the kubelets of all nodes: everything that happens to a pod on its node, from its binding
// until its processes have ended. Package behaviour says how long each thing takes.
//
// A pod has one life (life.go), with a timer for each thing that is to happen to it (timers.go, pause.go while its node
// is down, event.go). Its containers are in containers.go or, if the kubelet follows the pod's manifest with its init
// containers, sidecars and probes, in manifest.go. readiness.go is readiness that depends on other pods, stop.go the
// end of a pod, reboot.go the return of a node that was off, and processes.go the processes that outlive their pod.
package kubelet

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/slab"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Kubelets are the kubelets of all nodes.
type Kubelets struct {
	kernel    *kernel.Kernel       `print:"-"`
	store     *store.Store         `print:"-"`
	log       *audit.Log           `print:"-"`
	nodes     *nodes.Controller    `print:"-"`
	volumes   Volumes              `print:"-"`
	behaviour *behaviour.Behaviour `print:"-"`

	// lives are the pods that there are, each from the write that adds it to the write that removes it.
	lives keyed.UIDs[*life]
	// fresh is the memory of lives, ended the time at which the last of them has ended that is to be used again: whoever
	// is at work at that time may still look at it.
	fresh slab.Pool[life] `print:"-"`
	ended model.Time      `print:"-"`
	gates gates
	// strays are the processes whose pod is gone, in the order in which the pods went, twins the names that are two
	// processes, and since when.
	strays []*stray
	twins  map[model.Key]model.Time `print:"keys"`
	// memories hold what is remembered of pods that come with a state.
	memories map[model.UID]Memory `print:"-"`
}

// Volumes answers a kubelet's questions about volumes. The storage implements it.
type Volumes interface {
	// Attach says that a pod has just been bound. It returns the pods that have waited and may start now, and whether this
	// one may start after them. If not it is among those that may start later.
	Attach(*model.Pod) (others []*model.Pod, may bool)
	// Leave says that a pod is gone and its kubelet has not seen its end, and whether its process runs on.
	Leave(pod *model.Pod, runs bool)
	// Ended says that the process of such a pod has ended. It returns the pods that may start now.
	Ended(model.UID) []*model.Pod
}

// Needs holds everything that the kubelets use. All fields are required. The behaviour is read at each use, so it may
// change between two events.
type Needs struct {
	Kernel    *kernel.Kernel
	Store     *store.Store
	Log       *audit.Log
	Nodes     *nodes.Controller
	Volumes   Volumes
	Behaviour *behaviour.Behaviour
}

// New returns the kubelets of a cluster without a pod.
func New(n Needs) *Kubelets {
	kubelets := &Kubelets{
		kernel: n.Kernel, store: n.Store, log: n.Log, nodes: n.Nodes, volumes: n.Volumes, behaviour: n.Behaviour,
		twins: map[model.Key]model.Time{}}
	kubelets.fresh.Most = 8
	n.Kernel.Handle(kernel.Kubelet, eventNames[:], kubelets.happen)
	n.Kernel.Keep(kernel.Kubelet, kubelets.keep)
	return kubelets
}

// byKubelet is the actor of these writes.
var byKubelet = store.By{Actor: timeline.Kubelet}

func (k *Kubelets) write() store.Writer { return k.store.In(&byKubelet) }
