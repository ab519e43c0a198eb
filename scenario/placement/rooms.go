package placement

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// Rooms are the nodes of a state and the capacity that its pods leave free, for worlds that start with only some of
// the pods. It does not change after RoomsOf.
type Rooms struct {
	nodes []room
	at    map[string]int
}

// room is a node with the room that all pods leave. given is what it has in all, pods are those that take room on it,
// left is what they leave, less than 0 if they take more than there is. kind is the same for nodes that the scheduler
// does not tell apart but by their names and their room; "" if people may look at the node itself, since it is cordoned
// or has failed.
type room struct {
	sim.NodeState
	read  *node
	given map[string]string
	pods  []*model.Pod
	left  map[corev1.ResourceName]int64
	kind  string
}

// RoomsOf returns the rooms of a state. It costs O(nodes + pods).
func RoomsOf(state *sim.State) *Rooms {
	r := &Rooms{nodes: make([]room, len(state.Nodes)), at: map[string]int{}}
	for i := range state.Nodes {
		n := &state.Nodes[i]
		r.nodes[i], r.at[n.Name] = room{NodeState: *n, read: nodeOf(&n.Node), given: n.Allocatable, kind: kindOf(n)}, i
	}
	for i := range state.Pods {
		p := state.Pods[i].Pod
		if at, known := r.at[p.Node]; known && !p.Finished() {
			r.nodes[at].pods = append(r.nodes[at].pods, p)
		}
	}
	for i := range r.nodes {
		n := &r.nodes[i]
		n.left = left(n.read, n.pods)
		if len(n.Allocatable) > 0 && len(n.pods) > 0 {
			n.Allocatable = written(n.left)
		}
	}
	return r
}

// kindOf returns the kind of a node.
func kindOf(n *sim.NodeState) string {
	if n.Down || n.NotReady || n.Cordoned || n.OutOfService || n.Unreachable {
		return ""
	}
	labels := maps.Clone(n.Labels)
	delete(labels, corev1.LabelHostname)
	return fmt.Sprint(n.Labels != nil, labels, n.Zone, n.Taints)
}

// fewNodes is the most nodes for which a world has all of them.
const fewNodes = 50

// For returns the nodes of a world that starts with some of the pods, with the capacity that the other pods leave
// free. Of many nodes of one kind it returns the nodes that these pods are on, and enough others with room for each
// pod that no later node would ever be the first choice. The nodes are in their order, and shared if nothing
// changes.
func (r *Rooms) For(state *sim.State) []sim.NodeState {
	on := map[string][]*model.Pod{}
	for i := range state.Pods {
		p := state.Pods[i].Pod
		on[p.Node] = append(on[p.Node], p)
	}
	most, enough := r.most(state)
	kinds := map[string]int{}
	var nodes []sim.NodeState
	for i := range r.nodes {
		n := &r.nodes[i]
		switch {
		case on[n.Name] != nil:
			nodes = append(nodes, n.without(on[n.Name]))
			continue
		case most >= 0 && n.kind != "" && kinds[n.kind] >= most:
			continue
		case most >= 0 && n.kind != "" && n.takes(enough):
			kinds[n.kind]++
		}
		nodes = append(nodes, n.NodeState)
	}
	return nodes
}

// most returns the number of nodes of a kind that a state can need, and the largest requests of its pods; -1 for all
// nodes, if they are few or if the pods ask for some by their names.
func (r *Rooms) most(state *sim.State) (most int, enough map[corev1.ResourceName]int64) {
	if len(r.nodes) <= fewNodes {
		return -1, nil
	}
	const spare = 3
	most, enough = len(state.Pods)+spare, map[corev1.ResourceName]int64{corev1.ResourcePods: 1}
	var templates []*model.Template
	for _, set := range state.Sets {
		most, templates = most+int(set.Spec.Replicas), append(templates, set.Spec.Template)
	}
	for _, revision := range state.Revisions {
		templates = append(templates, revision.Template)
	}
	for i := range state.Pods {
		templates = append(templates, state.Pods[i].Template)
	}
	for _, template := range templates {
		c := templated(template)
		if c.named || slices.Contains(c.keys, corev1.LabelHostname) {
			return -1, nil
		}
		for _, name := range c.requests.names {
			enough[name] = max(enough[name], c.requests.counts[name])
		}
	}
	if slices.ContainsFunc(state.Claims, func(c *model.Claim) bool {
		return strings.Contains(c.Reach, corev1.LabelHostname)
	}) {
		return -1, nil
	}
	return most, enough
}

// takes reports whether a node has room for requests, as far as it declares its resources.
func (n *room) takes(requests map[corev1.ResourceName]int64) bool {
	for name := range sorted(requests) {
		count := requests[name]
		if left, limited := n.left[name]; limited && left < count || !limited && extended(name) {
			return false
		}
	}
	return true
}

// without returns the node with the room that all pods leave but these, which are on it.
func (n *room) without(near []*model.Pod) sim.NodeState {
	if len(n.Allocatable) == 0 {
		return n.NodeState
	}
	less, left, going := n.NodeState, maps.Clone(n.left), 0
	for _, p := range near {
		if p.Finished() {
			continue
		}
		going++
		requests := &constraintsOf(p).requests
		for _, name := range requests.names {
			if n.read.limits[name] {
				left[name] += requests.counts[name]
			}
		}
		if n.read.limits[corev1.ResourcePods] {
			left[corev1.ResourcePods]++
		}
	}
	if less.Allocatable = n.given; going < len(n.pods) {
		less.Allocatable = written(left)
	}
	return less
}

// left returns what pods leave of the resources that a node says it has.
func left(n *node, pods []*model.Pod) map[corev1.ResourceName]int64 {
	list := make(map[corev1.ResourceName]int64, len(n.limits))
	for name := range sorted(n.limits) {
		has := n.allocatable.counts[name]
		for _, pod := range pods {
			has -= constraintsOf(pod).requests.counts[name]
		}
		if name == corev1.ResourcePods {
			has -= int64(len(pods))
		}
		list[name] = has
	}
	return list
}

// written returns amounts as a node has them: never less than 0.
func written(amounts map[corev1.ResourceName]int64) map[string]string {
	list := make(map[string]string, len(amounts))
	for name := range sorted(amounts) {
		list[string(name)] = strconv.FormatInt(max(0, amounts[name]), 10)
		if name == corev1.ResourceCPU {
			list[string(name)] += "m"
		}
	}
	return list
}
