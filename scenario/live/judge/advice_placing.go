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
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
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
	for _, node := range slices.Sorted(maps.Keys(d.Nodes)) {
		for _, name := range slices.Sorted(maps.Keys(d.Nodes[node].Withheld)) {
			if symptom.Short(f.Unschedulable, name) {
				list = append(list, fmt.Sprintf("%s has a capacity of %s %s, and none is allocatable: its device plugin is away, "+
					"or says that they are unhealthy. When it gives them again, this pod gets that node by itself.", node,
					d.Nodes[node].Withheld[name], name))
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
	x.add("%s", x.f.Unplaced().Elsewhere(where, len(openNodes(x.d.KeptFrom(x.p))) > 0))
}

// openNodes returns the nodes that nothing keeps a pod from, by what a dump shows of their state and of its volumes.
func openNodes(kept []placement.Kept) []string {
	at := slices.IndexFunc(kept, func(k placement.Kept) bool { return k.Reasons == 0 })
	if at < 0 {
		return nil
	}
	return kept[at].Nodes
}

// unexplained says of a pod that the scheduler finds no node for, while by the dump one takes it, what that can be.
func (e *evidence) unexplained(p *dump.Pod) []string {
	nodes := openNodes(e.KeptFrom(p))
	if !e.disputed(p) || len(nodes) == 0 || !e.Facts[p.Key()].Unplaced().Shown() {
		return nil
	}
	return []string{fmt.Sprintf("No object of the dump explains that: by the dump, %s takes %s. Either pods "+
		"of namespaces that the dump does not show keep it from there, or the cache of the scheduler is out of date: if the "+
		"message stays, restart kube-scheduler.", render.List(nodes, 3), p.Name)}
}

// disputed reports whether the scheduler says that no node takes a pod, and the nodes and the volumes of the dump do not
// show why. Then nothing is certain: what keeps the pod may be gone already, or it ends unseen.
func (e *evidence) disputed(p *dump.Pod) bool {
	return p.Node == "" && !e.Nodeless && slices.ContainsFunc(e.lab.World.Kubelet.Rules, func(r behaviour.Rule) bool {
		return r.Times.Schedule == behaviour.Never && r.Match.That != nil && r.Match.That(p.Pod)
	})
}

// placing says what would let the scheduler place a pod, by what it says of the nodes. Taints and cordons are those of the
// nodes, where the dump shows them, and the nodes that are not cordoned may be for other pods.
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
			ends := r.Ends
			if x.d.Nodeless || len(openNodes(x.d.KeptFrom(x.p))) > 0 {
				ends += r.Relaxed
			}
			x.add("%s", x.d.Say(x.p, r, strings.Replace(symptom.For(ends, why.Several()), "{asks}", selector(x.p), 1)))
		}
	}
}

// selector returns the nodeSelector of a pod as kubectl writes labels, with its name; "" if it has none.
func selector(p *sim.PodState) string {
	var parts struct {
		Spec struct{ NodeSelector map[string]string }
	}
	if p.Template == nil || json.Unmarshal([]byte(p.Template.Data), &parts) != nil || len(parts.Spec.NodeSelector) == 0 {
		return ""
	}
	var labels []string
	for _, key := range slices.Sorted(maps.Keys(parts.Spec.NodeSelector)) {
		labels = append(labels, fmt.Sprintf("%s=%s", key, parts.Spec.NodeSelector[key]))
	}
	return " (nodeSelector: " + strings.Join(labels, ",") + ")"
}

// ofTaints says which taints keep a pod from nodes: those that people give, or those of nodes that do not answer.
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

// ofConditions says which nodes have such taints.
func ofConditions(nodes []sim.NodeState) []string {
	var keys, list []string
	of := map[string][]string{}
	for i := range nodes {
		for _, taint := range nodes[i].Taints {
			if symptom.Taint(taint.Key).Ends == "" {
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
			render.Agree(len(of[key]), "has", "have"), key, symptom.Taint(key).Ends))
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
			if symptom.Taint(taint.Key).Ends != "" || placement.Tolerated(p.Pod, taint) {
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
