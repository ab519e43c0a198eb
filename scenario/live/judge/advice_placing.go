package judge

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

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
	x.placing()
	if f.Unasked != "" && p.Node == "" {
		x.add("The autoscaler makes no node for it: %s", f.Unasked)
	}
	if f.Imposed() && f.Unplaced().Has(symptom.NoRoom) {
		x.add("A VerticalPodAutoscaler has given it these requests, and gives them to the pods of any template: set " +
			"maxAllowed there, and delete the pod.")
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
			if symptom.Short(f.Unschedulable, name) {
				list = append(list, fmt.Sprintf("%s has a capacity of %s %s, and none is allocatable: its device plugin is away, "+
					"or says that they are unhealthy. When it gives them again, this pod gets that node by itself.", node,
					d.Withheld[node][name], name))
			}
		}
	}
	return list
}

// misplaced says of a pod whose volume only other nodes can use what helps.
func (x *shown) misplaced() {
	if !x.f.Unplaced().Has(symptom.Misplaced) {
		return
	}
	where := "kubectl get pv shows which nodes can"
	for _, claim := range x.d.ClaimsOf(x.p.Pod) {
		if label := dump.Reaches(claim); label != "" {
			where = "only nodes with " + label + " can"
		}
	}
	x.add("%s", x.f.Unplaced().Elsewhere(where))
}

// placing says what would let the scheduler place a pod that no node takes, by what the scheduler says of the nodes.
// Taints and cordons are those of the nodes, where the dump shows them, and the nodes that are not cordoned may be for
// other pods.
func (x *shown) placing() {
	why, told := x.f.Unplaced(), false
	for i, r := range why {
		if tainted := r.OfNode && r.Name != symptom.Cordoned || r.Name == symptom.Tainted; tainted && !told {
			x.list, told = append(x.list, ofTaints(x.p, x.d)...), true
		}
		switch {
		case r.Ends == "" || i > 0 && why[i-1] == r || (r.OfNode || r.Name == symptom.Tainted) && !x.d.Nodeless:
		case r.Name == symptom.Unselected && why.Has(symptom.Cordoned) && !x.d.Nodeless:
		case r.Name == symptom.NoRoom && why.Has(symptom.Misplaced):
		default:
			x.add("%s", x.d.Say(x.p, r, strings.Replace(symptom.For(r.Ends, why.Several()), "{asks}", selector(x.p), 1)))
		}
	}
}

// selector returns the nodeSelector of a pod as kubectl writes labels, with its name; "" if it has none.
func selector(p *sim.PodState) string {
	var parts struct {
		Spec struct{ NodeSelector map[string]string }
	}
	if p.Template == nil || json.Unmarshal([]byte(p.Template.Data), &parts) != nil {
		return ""
	}
	if len(parts.Spec.NodeSelector) == 0 {
		return ""
	}
	var labels []string
	for _, key := range slices.Sorted(maps.Keys(parts.Spec.NodeSelector)) {
		labels = append(labels, fmt.Sprintf("%s=%s", key, parts.Spec.NodeSelector[key]))
	}
	return " (nodeSelector: " + strings.Join(labels, ",") + ")"
}
