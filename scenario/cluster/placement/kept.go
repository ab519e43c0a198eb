package placement

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
)

// Kept is why some nodes do not take a pod.
type Kept struct {
	Nodes []string `json:"nodes"`
	// Why has all reasons, as words without a verb. It is what the scheduler says if a dump shows none.
	Why string `json:"why"`
}

// KeptFrom returns why each node of a cluster does not take a pod that has none, the nodes with the same reasons
// together, in the order of the nodes. says is the scheduler's message. O(nodes × requests + pods).
func KeptFrom(state *sim.State, pod *model.Pod, says string) []Kept {
	t := &attempt{
		Ask:    &sim.Ask{Pod: pod, Reach: reachOf(state, pod), Rules: &sim.NodeRules{}},
		filter: &Filter{}, wants: constraintsOf(pod),
	}
	on := map[string][]*model.Pod{}
	for i := range state.Pods {
		if p := &state.Pods[i]; p.Node != "" && !p.Finished() {
			on[p.Node] = append(on[p.Node], p.Pod)
		}
	}
	var list []Kept
	for i := range state.Nodes {
		n := &state.Nodes[i]
		why := strings.Join(t.keeps(n, on[n.Name]), ", ")
		if why == "" {
			why = unseen(says)
		}
		at := slices.IndexFunc(list, func(k Kept) bool { return k.Why == why })
		if at < 0 {
			at, list = len(list), append(list, Kept{Why: why})
		}
		list[at].Nodes = append(list[at].Nodes, n.Name)
	}
	return list
}

// keeps lists what a dump shows that keeps the pod off a node, which has some pods.
func (t *attempt) keeps(s *sim.NodeState, pods []*model.Pod) []string {
	n := nodeOf(&s.Node)
	var list []string
	add := func(is bool, why string) {
		if is {
			list = append(list, why)
		}
	}
	add(s.NotReady, "not Ready")
	add(s.Cordoned, "cordoned")
	add(s.OutOfService, "out of service")
	for _, taint := range s.Taints {
		add(!Tolerated(t.Pod, taint), fmt.Sprintf("the taint %s", taint))
	}
	add(!t.selected(n), "other labels than the pod asks for")
	add(!t.reaches(n), "out of reach for the volume")
	for _, reason := range t.room(&sim.Place{Pods: pods}, n).Reasons {
		name := corev1.ResourceName(strings.TrimPrefix(reason, "Insufficient "))
		switch {
		case reason == "Too many pods":
			list = append(list, "as many pods as it may have")
		case extended(name) && n.allocatable.counts[name] == 0:
			list = append(list, fmt.Sprintf("no %s", name))
		default:
			list = append(list, fmt.Sprintf("too little %s", name))
		}
	}
	return list
}

// unseen says of a node about which a dump shows nothing what the scheduler says, without what a dump would show.
func unseen(says string) string {
	_, says, _ = strings.Cut(says, ": ")
	says, _, _ = strings.Cut(says, ". ")
	var list []string
	for part := range strings.SplitSeq(says, ", ") {
		_, reason, _ := strings.Cut(strings.TrimSuffix(part, "."), " ")
		shown := slices.ContainsFunc([]string{"taint", "unschedulable", "affinity/selector", "node selector", "volume node",
			"PersistentVolume's"}, func(words string) bool { return strings.Contains(reason, words) })
		if reason = strings.TrimPrefix(reason, "node(s) "); !shown && reason != "" {
			list = append(list, reason)
		}
	}
	if len(list) == 0 {
		return "nothing that the dump shows; the scheduler's message has the reason"
	}
	return "the scheduler says: " + strings.Join(list, ", ")
}
