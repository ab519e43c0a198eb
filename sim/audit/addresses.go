package audit

import (
	"fmt"
	"maps"

	"github.com/statefulsim/statefulsim/model"
)

// Addresses are the addresses of one cluster. The zero value is a cluster whose addresses are never asked for.
type Addresses struct {
	// Wanted is true while there is a Service. Without one no pod gets an address, and none is printed.
	Wanted bool
	// pods are the addresses of the pods that run; each is in it from its first Running until Release.
	pods map[model.UID]string
	// perNode counts the addresses that each node has given, by the number in its name, and services the cluster IPs. Both
	// only grow, so no address is given twice.
	perNode  map[int]int
	services int
}

// Of returns the address of a running pod: 10.244.NODE.N, a new one in each of its lives. It is "" if addresses are
// not used, and for a pod that has never run.
func (a *Addresses) Of(pod *model.Pod) string {
	if !a.Wanted {
		return ""
	}
	if address := a.pods[pod.UID]; address != "" || pod.Phase != model.Running {
		return address
	}
	if a.pods == nil {
		a.pods, a.perNode = map[model.UID]string{}, map[int]int{}
	}
	// A node's range has 253 addresses, and .1 is the node's own; further addresses come from the next of its
	// ranges.
	const perRange = 253
	_, node := model.SplitPodName(pod.Node)
	node = max(0, node) % 256
	i := a.perNode[node]
	a.perNode[node]++
	address := fmt.Sprintf("10.%d.%d.%d", 244+i/perRange%12, node, 2+i%perRange)
	a.pods[pod.UID] = address
	return address
}

// Known returns the address that a pod was given, "" for none. It never assigns one: the order in which pods get
// their addresses is part of a run.
func (a *Addresses) Known(pod *model.Pod) string {
	if !a.Wanted {
		return ""
	}
	return a.pods[pod.UID]
}

// ClusterIP returns an address for a new Service, one that no other has had.
func (a *Addresses) ClusterIP() string {
	a.services++
	return fmt.Sprintf("10.96.%d.%d", a.services/250, 10+a.services%250-1)
}

// Release forgets the address of a pod that is gone.
func (a *Addresses) Release(pod model.UID) { delete(a.pods, pod) }

// Copy returns addresses that stay as they are while these change.
func (a *Addresses) Copy() Addresses {
	return Addresses{
		Wanted: a.Wanted, pods: maps.Clone(a.pods), perNode: maps.Clone(a.perNode), services: a.services,
	}
}
