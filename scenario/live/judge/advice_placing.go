package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// byItself ends the sentences about what another node would change: the scheduler tries again by itself.
const byItself = " this pod gets that node by itself."

// refusals are what the scheduler says of nodes that do not take a pod, in the words of all versions, and what helps.
var refusals = []struct{ says, helps string }{
	{"anti-affinity rules", "A required podAntiAffinity, of this pod or of a pod that runs there, excludes every node " +
		"that takes pods. When a node without such a pod joins, or takes pods again," + byItself + " Or make " +
		"the rule preferred: then this pod can run beside the others as soon as the pods with the old rule are gone."},
	{"pod affinity rules", "Its required podAffinity asks for a node on which another pod runs, and no node that takes " +
		"pods has such a pod. When such a pod runs on a node that this pod may use," + byItself},
	{"topology spread constraints", "Its topologySpreadConstraints (DoNotSchedule) leave no node. When a node joins " +
		"the zone (or other topology domain) that has too few of these pods," + byItself + " Or use ScheduleAnyway."},
	{"free ports", "On every node that takes pods another pod uses its hostPort already. When a node without such a pod " +
		"joins," + byItself},
	{"Too many pods", "The nodes have as many pods as they may have. When a node has room," + byItself},
	{"available persistent volumes to bind", "Its PVC asks for a PersistentVolume that somebody has to make, and no " +
		"node that takes the pod has a free one. When there is one," + byItself},
	{"exceed max volume count", "The nodes that the pod may use have as many volumes attached as they may have. When " +
		"one of them has room (a new node, or one that other pods with volumes leave)," + byItself + " Or its pods need " +
		"fewer volumes."},
	{"ReadWriteOncePod", "Another pod uses its PVC, and only one pod may (ReadWriteOncePod): kubectl describe pvc shows " +
		"which. When that pod is gone," + byItself},
	{"was not created for pod", "A PVC has the name that the PVC of its ephemeral volume needs, and is not its own. " +
		"When that PVC is gone (it goes with its owner, or is deleted where nobody needs its data), this pod gets one of " +
		"its own, and a node, by itself."},
	{"cannot allocate all claims", "No node has free devices as its resourceClaims ask for (kubectl get " +
		"resourceslices). When one has," + byItself},
	{"scheduling gates", "The scheduler does not look at a pod with schedulingGates. Whoever has set them has to remove " +
		"them: the YAML of the pod shows them."},
}

// placed says what the scheduler finds.
func (x *shown) placed() {
	p, f, d := x.p, x.f, x.d
	if f.Unschedulable != "" {
		x.add("The scheduler says: %s", dump.OneLine(f.Unschedulable))
	}
	if f.Preempted < 0 && p.Node == "" {
		x.add("The earlier pod of this name was preempted %s ago: a pod of a higher priority has taken its place, and "+
			"may do so again unless the template has a priorityClassName that is no lower.",
			dump.Age(f.Preempted))
	}
	x.list = append(x.list, keptFrom(d.KeptFrom(p))...)
	x.list = append(x.list, withheld(f, d)...)
	x.list = append(x.list, placing(p, f, d)...)
	if f.Unasked != "" && p.Node == "" {
		x.add("The autoscaler makes no node for it: %s", f.Unasked)
	}
	if f.Imposed() && full(f) {
		x.add("A VerticalPodAutoscaler has given it these requests, and gives them to the pods of any template: set " +
			"maxAllowed there, and delete the pod.")
	}
	if full(f) && !f.Misplaced() {
		x.add("When a node has room for the pod (a new node, or one that other pods leave), the pod gets that node by " +
			"itself.")
	}
}

// keptFrom says it in sentences, for each group of nodes one. If all nodes have one reason, others say it.
func keptFrom(kept []placement.Kept) []string {
	var list []string
	for i := range kept {
		if len(kept) > 1 {
			list = append(list, fmt.Sprintf("%s %s: %s.", render.Agree(len(kept[i].Nodes), "Node", "Nodes"),
				render.List(kept[i].Nodes, 3), kept[i].Why))
		}
	}
	return list
}

// withheld says which nodes have devices of which the scheduler finds too few, and give none of them to pods: a kubelet
// does so while the device plugin is away, or says that the devices are unhealthy.
func withheld(f *dump.Facts, d *dump.Dump) []string {
	var list []string
	for _, node := range slices.Sorted(maps.Keys(d.Withheld)) {
		for _, name := range slices.Sorted(maps.Keys(d.Withheld[node])) {
			if strings.Contains(f.Unschedulable, "Insufficient "+name) {
				list = append(list, fmt.Sprintf("%s has a capacity of %s %s, and none is allocatable: its device plugin is away, "+
					"or says that they are unhealthy. When it gives them again,%s", node, d.Withheld[node][name], name, byItself))
			}
		}
	}
	return list
}

// full says whether the scheduler finds that nodes have no room for the pod.
func full(f *dump.Facts) bool { return strings.Contains(f.Unschedulable, "Insufficient ") }

// behindVolumes are what the scheduler says of nodes that it looks at only if they can use the volume of the pod.
var behindVolumes = []string{"topology spread constraints", "pod affinity rules", "anti-affinity rules"}

// misplaced says of a pod whose volume only other nodes can use what helps.
func (x *shown) misplaced() {
	f := x.f
	switch {
	case f.Misplaced() && full(f):
		x.add("Only some nodes can use its volume (kubectl get pv shows which), and these have no room for the pod. When " +
			"one of them has room, or a new node joins in that zone, the pod gets that node by itself. Or let the pod request " +
			"less.")
	case f.Misplaced():
		where := "kubectl get pv shows which nodes can"
		for _, claim := range x.d.ClaimsOf(x.p.Pod) {
			if label := dump.Reaches(claim); label != "" {
				where = "only nodes with " + label + " can"
			}
		}
		if slices.ContainsFunc(behindVolumes, func(words string) bool { return strings.Contains(f.Unschedulable, words) }) {
			x.add("Not every node can use its volume (%s). Those that can do not take it for another reason that the "+
				"scheduler names. When that ends for one of them, or a new one of that kind joins,"+byItself, where)
			return
		}
		x.add("No node that takes pods can use its volume (%s). One of these nodes, or a new one of that kind, has to take "+
			"pods.", where)
	}
}

// cordoned says that nodes are cordoned which the dump does not show.
func (x *shown) cordoned() {
	f, d := x.f, x.d
	if d.Nodeless && strings.Contains(f.Unschedulable, "node(s) were unschedulable") {
		x.add("Nodes are cordoned; the dump does not show which. Dump them too (kubectl get nodes), or let them take pods " +
			"again where their maintenance is over: kubectl uncordon NODE.")
	}
}

// several says whether the scheduler names several reasons, apart from nodes that take no pods: each is then that of
// some nodes only.
func several(said string) bool {
	n := 0
	first, _, _ := strings.Cut(said, ". ")
	for _, part := range strings.Split(first, ", ") {
		if !slices.ContainsFunc(tainted, func(words string) bool { return strings.Contains(part, words) }) &&
			!strings.Contains(part, "were unschedulable") {
			n++
		}
	}
	return n > 1
}

// ofSome turns what is said of all nodes into what is said of some: the scheduler names several reasons, each for other
// nodes.
func ofSome() *strings.Replacer {
	return strings.NewReplacer("excludes every node that takes pods", "excludes some nodes",
		"and no node that takes pods has such a pod", "and some nodes have no such pod",
		"leave no node", "leave out some nodes", "On every node that takes pods another pod uses its hostPort already",
		"On some nodes another pod uses its hostPort already", "and no node that takes the pod has a free one",
		"and some nodes have no free one", "The nodes have as many pods", "Some nodes have as many pods")
}

// placing says what would let the scheduler place a pod that no node takes, by what the scheduler says of the nodes.
func placing(p *sim.PodState, f *dump.Facts, d *dump.Dump) []string {
	var list []string
	said, _, _ := strings.Cut(f.Unschedulable, "preemption:")
	some := several(said)
	for _, r := range refusals {
		helps := r.helps
		if some {
			helps = ofSome().Replace(helps)
		}
		if strings.Contains(said, r.says) && !slices.Contains(list, helps) {
			list = append(list, helps)
		}
	}
	if slices.ContainsFunc(tainted, func(words string) bool { return strings.Contains(said, words) }) {
		list = append(list, ofTaints(p, said, d)...)
	}
	if strings.Contains(said, "were unschedulable") && !d.Nodeless {
		// The other nodes may be for other pods: those that are cordoned are what the fixes are about.
		return list
	}
	if strings.Contains(said, "node affinity/selector") || strings.Contains(said, "match node selector") {
		text := "No node that takes pods has the labels that its nodeSelector or nodeAffinity asks for"
		if some {
			text = "Some nodes lack the labels that its nodeSelector or nodeAffinity asks for"
		}
		if labels := selector(p); labels != "" {
			text += " (nodeSelector: " + labels + ")"
		}
		list = append(list, text+". When a node has them (kubectl label nodes NODE KEY=VALUE),"+byItself)
	}
	return list
}

// selector returns the nodeSelector of a pod as kubectl writes labels, "" if it has none.
func selector(p *sim.PodState) string {
	var parts struct {
		Spec struct{ NodeSelector map[string]string }
	}
	if p.Template == nil || json.Unmarshal([]byte(p.Template.Data), &parts) != nil {
		return ""
	}
	var labels []string
	for _, key := range slices.Sorted(maps.Keys(parts.Spec.NodeSelector)) {
		labels = append(labels, fmt.Sprintf("%s=%s", key, parts.Spec.NodeSelector[key]))
	}
	return strings.Join(labels, ",")
}
