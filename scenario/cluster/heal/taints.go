package heal

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/command"
)

// conditions are the taints that a node gets from a condition of its own, and that go with it: the condition, and what
// ends it.
var conditions = map[string]struct{ name, ends string }{
	"node.kubernetes.io/disk-pressure":       {"DiskPressure", "freeing disk space"},
	"node.kubernetes.io/memory-pressure":     {"MemoryPressure", "freeing memory"},
	"node.kubernetes.io/pid-pressure":        {"PIDPressure", "ending processes"},
	"node.kubernetes.io/network-unavailable": {"NetworkUnavailable", "setting up the network"},
}

// machines are the beginnings of the keys of taints that programs set and remove: nobody else removes them. Cluster
// autoscalers are among them, which are about to remove the node.
var machines = append(slices.Clip(autoscalers), "node.kubernetes.io/", "node.cloudprovider.kubernetes.io/",
	"node-role.kubernetes.io/", "node.cilium.io/")

var autoscalers = []string{"ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler", "karpenter.sh/"}

// begins says whether a text begins with one of these.
func begins(text string, with []string) bool {
	return slices.ContainsFunc(with, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// freeNodes returns the attempts that end what keeps pods from nodes that are not cordoned: a condition, a taint that
// somebody has given, or that the node is not Ready. They are for the worlds that begin with a dump, whose nodes may be
// what keeps the pods.
func freeNodes(x *situation) []attempt {
	if x.unplaced == 0 || !x.fromDump() {
		return nil
	}
	var list []attempt
	for _, n := range x.given.State.Nodes {
		if (n.NotReady || n.Down) && (x.kept("node.kubernetes.io/not-ready") || x.kept("node.kubernetes.io/unreachable")) {
			list = append(list, attempt{what: "repairing the node " + n.Name, script: waitForNode(n.Name, "Ready"),
				needs: n.Name + " can be repaired", lab: x.withNode(n.Name, func(n *sim.NodeState) {
					n.Down, n.NotReady, n.Unreachable = false, false, false
				})})
		}
		for _, taint := range n.Taints {
			if !x.kept(taint.Key) {
				continue
			}
			a := attempt{lab: x.withNode(n.Name, func(n *sim.NodeState) {
				n.Taints = slices.DeleteFunc(slices.Clone(n.Taints), func(t sim.Taint) bool { return t.Key == taint.Key })
			})}
			if condition, is := conditions[taint.Key]; is {
				a.what, a.script = condition.ends+" on "+n.Name, waitForNode(n.Name, condition.name+"=False")
				a.needs = "somebody does that: the taint " + taint.Key + " disappears by itself then"
			} else if !begins(taint.Key, machines) {
				a.what = "removing the taint " + taint.Key + " from " + n.Name
				a.script = play.Script{{Verb: "taint", Kubectl: command.Kubectl("taint", "nodes", n.Name, taint.Key+"-")}}
				a.needs = "the taint is no longer intended"
			}
			list = append(list, a)
		}
	}
	return list
}

// unnamed are in what the scheduler says where it does not name what keeps a pod from the nodes: since 1.37 it names no
// taints, and the one node of a volume may have been closed since.
var unnamed = []string{"taint(s)", "PersistentVolume's node affinity", "volume node affinity conflict"}

// kept says whether a word of the scheduler is in what it says of a pod that no node takes, or whether it says nothing
// of one: what it does not name does not keep the pod.
func (x *situation) kept(word string) bool {
	return slices.ContainsFunc(x.down, func(key model.Key) bool {
		p, says := x.pod(key), x.given.Around.Unplaced[key]
		return p == nil || p.Node == "" && (says == "" || strings.Contains(says, word) ||
			slices.ContainsFunc(unnamed, func(of string) bool { return strings.Contains(says, of) }))
	})
}

// waitForNode waits until a node has a condition.
func waitForNode(node, condition string) play.Script {
	return play.Script{{Verb: "wait",
		Kubectl: command.Kubectl("wait", "node/"+node, "--for=condition="+condition, command.NoTimeout)}}
}

// withNode returns the laboratory in which a node of the dump is another one.
func (x *situation) withNode(name string, change func(*sim.NodeState)) *play.Lab {
	lab, start := *x.given.Lab, *x.given.Lab.World.Start
	start.Nodes = slices.Clone(start.Nodes)
	for i := range start.Nodes {
		if start.Nodes[i].Name == name {
			change(&start.Nodes[i])
		}
	}
	lab.World.Start = &start
	return &lab
}
