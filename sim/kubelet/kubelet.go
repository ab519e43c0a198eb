// Package kubelet is what happens to a pod on its node, from when it is bound until its processes have ended: the
// kubelets of all nodes. How long what takes is behaviour's to say.
//
// A pod has one life (life.go), with a timer for each thing that is to happen to it (timers.go, pause.go where its node
// is down, event.go). What its containers do is in containers.go, or, where the kubelet follows the pod's manifest with
// its init containers, sidecars and probes, in manifest.go. readiness.go is readiness that depends on other pods,
// stop.go how a pod ends, reboot.go what a node finds that was off, and processes.go what runs on though its pod is
// gone.
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

// Kubelets are the kubelets of all nodes.
type Kubelets struct {
	kernel    *kernel.Kernel       `print:"-"`
	store     *store.Store         `print:"-"`
	log       *audit.Log           `print:"-"`
	nodes     *nodes.Controller    `print:"-"`
	volumes   Volumes              `print:"-"`
	behaviour *behaviour.Behaviour `print:"-"`

	// lives are the pods that there are.
	lives map[model.UID]*life
	gates gates
	// strays are the processes whose pod is gone, twins the names that are two processes, and since when.
	strays []*stray
	twins  map[model.Key]model.Time `print:"keys"`
	// memories are what is remembered of pods that come with a state.
	memories map[model.UID]Memory `print:"-"`
}

// Volumes is what a kubelet asks of the storage.
type Volumes interface {
	// Attached says whether a pod that has just been bound may start. If not it is started when it may.
	Attached(*model.Pod) bool
	// Leave says that a pod is gone and its kubelet has not seen its end, and whether its process runs on.
	Leave(pod *model.Pod, runs bool)
	// Ended says that the process of such a pod has ended.
	Ended(model.UID)
}

// New returns the kubelets of a cluster without a pod. The behaviour is read whenever something is to be known.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, n *nodes.Controller, v Volumes) *Kubelets {
	kubelets := &Kubelets{
		kernel: k, store: s, log: log, nodes: n, volumes: v, behaviour: &behaviour.Behaviour{},
		lives: map[model.UID]*life{}, twins: map[model.Key]model.Time{},
	}
	k.Handle(kernel.Kubelet, eventNames[:], kubelets.happen)
	k.Keep(kernel.Kubelet, kubelets.keep)
	return kubelets
}

// Behave says how pods behave.
func (k *Kubelets) Behave(b *behaviour.Behaviour) { k.behaviour = b }

// byKubelet is who acts here.
var byKubelet = store.By{Actor: timeline.Kubelet}

func (k *Kubelets) write() store.Writer { return k.store.As(byKubelet) }
