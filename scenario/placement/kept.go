package placement

import (
	"cmp"
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
	// Why has all reasons, as words without a verb. It is the scheduler's message if a dump has none.
	Why string `json:"why"`
	// Reasons is how many reasons a dump shows; 0 if it shows none.
	Reasons int `json:"-"`
}

// KeptFrom returns why each node of a cluster does not take a pod that has none, the nodes with the same reasons
// together, in the order of the nodes. says is the scheduler's message. The state must not change. After the first pod
// of a state it costs O(nodes × requests).
func (m *Memory) KeptFrom(state *sim.State, pod *model.Pod, says string) []Kept {
	t := &attempt{
		Ask:    &sim.Ask{Pod: pod, Reach: reachOf(state, pod), Rules: &sim.NodeRules{}},
		filter: &Filter{}, wants: constraintsOf(pod),
	}
	var list []Kept
	at, otherwise := map[string]int{}, unseen(says)
	rooms := m.Rooms(state).nodes
	for i := range rooms {
		n := &rooms[i]
		shown := t.keeps(n)
		why := cmp.Or(strings.Join(shown, ", "), otherwise)
		if _, known := at[why]; !known {
			at[why], list = len(list), append(list, Kept{Why: why, Reasons: len(shown)})
		}
		list[at[why]].Nodes = append(list[at[why]].Nodes, n.Name)
	}
	return list
}

// keeps lists what a dump shows that keeps the pod off a node.
func (t *attempt) keeps(n *room) []string {
	var list []string
	add := func(is bool, why string) {
		if is {
			list = append(list, why)
		}
	}
	add(n.NotReady, "not Ready")
	add(n.Cordoned, "cordoned")
	add(n.OutOfService, "out of service")
	for _, taint := range n.Taints {
		add(!Tolerated(t.Pod, taint), fmt.Sprintf("the taint %s", taint))
	}
	add(!t.selected(n.read), "other labels than the pod asks for")
	add(!t.reaches(n.read), "out of reach for the volume")
	add(n.read.limits[corev1.ResourcePods] && n.left[corev1.ResourcePods] < 1, "as many pods as it may have")
	for _, name := range t.wants.requests.names {
		none := extended(name) && n.read.allocatable.counts[name] == 0
		if left, limited := n.left[name]; limited || none && len(n.read.limits) > 0 {
			add(none, fmt.Sprintf("no %s", name))
			add(!none && t.wants.requests.counts[name] > left, fmt.Sprintf("too little %s", name))
		}
	}
	return list
}

// unseen words the scheduler's message for a node that a dump shows nothing about, without the parts that a dump
// would show.
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
