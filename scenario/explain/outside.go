package explain

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// outside adds to a stuck set what others have to do with it: a Service that its pods may look for, a pod of another
// controller that has a name of its own, and an operator that writes its spec.
func (s *LiveSet) outside(set *model.StatefulSet, d *dump.Dump) {
	for i := range s.Replicas {
		name := set.PodName(set.Start() + i)
		if f := d.Facts[model.Key{Namespace: s.Namespace, Name: name}]; f != nil && f.Owner != nil {
			s.Facts = append(s.Facts, fmt.Sprintf("%s exists, and belongs to the %s.", name, f.Owner))
		}
	}
	p := podIn(d, model.Key{Namespace: s.Namespace, Name: s.StuckOn})
	if p != nil {
		if when := d.Heals(p.Key()); when != "" {
			s.only = "it continues " + when
		}
	}
	if p != nil && p.Phase == model.Running && !p.Terminating() && d.ServiceMissing(set) {
		s.Facts = append(s.Facts, fmt.Sprintf("The Service %[1]s, which serviceName names, is not in the dump, but "+
			"others are. Without it, names like %[2]s.%[1]s do not resolve, and a pod that looks for its peers does not become "+
			"Ready. If it does not exist (kubectl -n %[3]s get service %[1]s), create it: headless, with the selector of the "+
			"StatefulSet.", set.Spec.ServiceName, p.Name, s.Namespace))
	}
	if owner := d.Owners[s.key]; owner != nil {
		s.Facts = append(s.Facts, fmt.Sprintf("The StatefulSet belongs to the %s, and its operator may undo changes of the "+
			"StatefulSet: make a lasting change in the %[1]s.", owner))
	}
}

// slow says of the pods of a set that they are taken to stop at the end of their grace periods only.
func slow(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		p := podIn(d, model.Key{Namespace: set.Key.Namespace, Name: pod.Name})
		if p != nil && d.Slow(p) {
			list = append(list, fmt.Sprintf("%s has been Terminating for %s. Assumed: it stops at the end of its grace period, "+
				"%s.", p.Name, dump.Age(p.Deletion.At), whole(p.Deletion.Grace)))
		}
	}
	return list
}

// ended says of the pods of a set that have ended what their status says, such as why they were evicted.
func ended(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		f := d.Facts[model.Key{Namespace: set.Key.Namespace, Name: pod.Name}]
		if f != nil && f.Status != "" {
			list = append(list, fmt.Sprintf("%s has ended. Its status says: %s", pod.Name, dump.OneLine(f.Status)))
		}
	}
	return list
}

// ofNode are the taints that a node gets from its own condition, or has until it is complete, and what helps.
var ofNode = map[string]string{
	"node.kubernetes.io/disk-pressure":       lacks("free disk space there"),
	"node.kubernetes.io/memory-pressure":     lacks("free memory there"),
	"node.kubernetes.io/pid-pressure":        lacks("end processes there"),
	"node.kubernetes.io/network-unavailable": lacks("set the network up there"),

	"node.cloudprovider.kubernetes.io/uninitialized": until("the cloud controller manager has initialized a node"),
	"node.cilium.io/agent-not-ready":                 until("the Cilium agent of a node works"),
	"karpenter.sh/unregistered":                      until("Karpenter has registered a node"),
}

func lacks(helps string) string {
	return "comes from the node's condition: " + helps + ", and the taint disappears by itself. If somebody only removes " +
		"it, it comes back."
}

func until(done string) string { return "stays until " + done + ": find out why that does not happen." }

// ofConditions says which nodes have such taints.
func ofConditions(nodes []sim.NodeState) []string {
	var keys, list []string
	of := map[string][]string{}
	for i := range nodes {
		for _, taint := range nodes[i].Taints {
			if ofNode[taint.Key] == "" {
				continue
			}
			if of[taint.Key] == nil {
				keys = append(keys, taint.Key)
			}
			of[taint.Key] = append(of[taint.Key], nodes[i].Name)
		}
	}
	for _, key := range keys {
		list = append(list, fmt.Sprintf("%s %s the taint %s, which %s", render.List(of[key], 3),
			render.Agree(len(of[key]), "has", "have"), key, ofNode[key]))
	}
	return list
}

// isGiven says whether a node has a taint that somebody has given it.
func isGiven(n *sim.NodeState) bool {
	return slices.ContainsFunc(n.Taints, func(taint sim.Taint) bool { return ofNode[taint.Key] == "" })
}
