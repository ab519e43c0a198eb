package judge

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// ofTaints says what the taints are that keep a pod from nodes: those that people give, or those of nodes that do not
// answer.
func ofTaints(p *sim.PodState, d *dump.Dump) []string {
	var down []string
	for i := range d.State.Nodes {
		if n := &d.State.Nodes[i]; n.NotReady {
			down = append(down, n.Name)
		}
	}
	list := ofPeople(p, d)
	list = append(list, ofConditions(d.State.Nodes)...)
	if len(down) > 0 {
		list = append(list, fmt.Sprintf("%s %s not Ready. That may be the reason: when %s, %s may get a node by itself.",
			render.And(down), render.Agree(len(down), "is", "are"), render.Agree(len(down), "it is", "they are"), p.Name))
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

	"ToBeDeletedByClusterAutoscaler":       removes("the cluster autoscaler"),
	"DeletionCandidateOfClusterAutoscaler": removes("the cluster autoscaler"),
	"karpenter.sh/disruption":              removes("Karpenter"),
	"karpenter.sh/disrupted":               removes("Karpenter"),
}

// lacks says of a taint that the node lifecycle controller sets and removes what helps.
func lacks(helps string) string {
	return "comes from the node's condition: " + helps + ", and the taint disappears by itself. If somebody only " +
		"removes it, it comes back."
}

// removes says of a taint by which an autoscaler keeps pods from a node that it is about to remove what helps.
func removes(who string) string {
	return "is not for people to remove: " + who + " set it, and is about to remove the node. " +
		"The pod needs another node."
}

// until says of a taint that an agent removes when it has come up what helps.
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

// ofPeople says which nodes have a taint that somebody has given them, and that the pod does not tolerate. To remove
// the taint of a node that something else keeps the pod from too is not enough.
func ofPeople(p *sim.PodState, d *dump.Dump) []string {
	var given []sim.Taint
	alone, besides := map[sim.Taint][]string{}, map[sim.Taint][]string{}
	kept := d.KeptFrom(p)
	for i := range d.State.Nodes {
		n := &d.State.Nodes[i]
		for _, taint := range n.Taints {
			if ofNode[taint.Key] != "" || placement.Tolerated(p.Pod, taint) {
				continue
			}
			if len(alone[taint])+len(besides[taint]) == 0 {
				given = append(given, taint)
			}
			if slices.ContainsFunc(kept, func(k placement.Kept) bool {
				return k.Reasons > 1 && slices.Contains(k.Nodes, n.Name)
			}) {
				besides[taint] = append(besides[taint], n.Name)
			} else {
				alone[taint] = append(alone[taint], n.Name)
			}
		}
	}
	var list []string
	for _, taint := range given {
		if where := alone[taint]; len(where) > 0 {
			list = append(list, fmt.Sprintf("%s %s the taint %s, which %s does not tolerate. If the taint is still intended, "+
				"the template has to tolerate it; if not, remove it (%s), and%s", render.List(where, 3),
				render.Agree(len(where), "has", "have"), taint, p.Name,
				shell.Kubectl("taint", "nodes", where[0], taint.Key+"-"), symptom.IfAlone))
		}
		if where := besides[taint]; len(where) > 0 {
			list = append(list, fmt.Sprintf("%s %s the taint %s, which %s does not tolerate. To tolerate or to remove it alone "+
				"is not enough: something else keeps the pod from there too.", render.List(where, 3),
				render.Agree(len(where), "has", "have"), taint, p.Name))
		}
	}
	return list
}
