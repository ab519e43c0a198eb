package heal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// moveElsewhere returns the attempt that makes pods start on other nodes than where their containers are not created.
func moveElsewhere(x *situation) []attempt {
	var script play.Script
	var pods []model.Key
	var nodes []string
	world := &x.given.Lab.World
	for _, p := range x.given.State.Pods {
		crashes := p.Containers != nil && p.Containers.Shown != ""
		if !slices.Contains(x.down, p.Key()) || p.Phase != model.Pending && !crashes || p.Node == "" || world.Start == nil ||
			!slices.ContainsFunc(world.Kubelet.Rules, func(r behaviour.Rule) bool { return r.Match.Node == p.Node }) {
			continue
		}
		if pods = append(pods, p.Key()); !slices.Contains(nodes, p.Node) {
			script, nodes = append(script, play.Cordon(p.Node)), append(nodes, p.Node)
		}
	}
	if len(pods) == 0 {
		return nil
	}
	cordon := attempt{what: "cordoning " + strings.Join(nodes, ", "), script: script,
		later: "Uncordon after the repair (" + play.Uncordon(nodes).Kubectl + ")"}
	return []attempt{cordon.deleting(pods)}
}

func readmitToNodes(x *situation) []attempt {
	if len(x.cordoned) == 0 || !x.kept(symptom.ByCordon) {
		return nil
	}
	a := attempt{what: "uncordoning " + strings.Join(x.cordoned, ", "), needs: "the maintenance is over",
		script: play.Script{play.Uncordon(x.cordoned)}}
	lab := x.without(func(r behaviour.Rule) bool { return r.Times.Schedule == behaviour.Never })
	if len(lab.World.Kubelet.Rules) < len(x.given.Lab.World.Kubelet.Rules) {
		// The dump does not show why the other nodes do not take the pod, nor whether these do.
		a.lab, a.needs = lab, a.needs+", and that there is room for the requests of the pod"
	}
	return []attempt{a}
}

// switchedOff returns the attempt that confirms that nodes are off: one, or several after the outage of a zone.
func switchedOff(nodes []string) attempt {
	a := attempt{script: play.Script{play.OutOfService(nodes...)}, frees: true}
	names, remove := render.And(nodes), "node.kubernetes.io/out-of-service-"
	if len(nodes) == 1 {
		a.what, a.danger = "confirming with a taint that "+names+" is off", reasons.OutOfServiceDanger(names)
		a.later = "When the node is back, remove the taint (" + shell.Kubectl("taint", "nodes", names, remove) + ")"
		return a
	}
	a.what = "confirming with taints that " + names + " are off"
	a.danger = "only if the machines of " + names + " are certainly off. Their volumes are detached, and their pods " +
		"start elsewhere"
	a.later = "When a node is back, remove its taint (" + shell.Kubectl("taint", "nodes", "NODE", remove) + ")"
	return a
}

// detach returns the attempts that detach the volume for which a pod waits, such as from a node that does not answer.
func detach(x *situation) []attempt {
	d := x.shown()
	attached := slices.DeleteFunc(x.unready(), func(p *dump.Pod) bool { return !d.Attached(p.Key()) })
	if len(attached) == 0 {
		return nil
	}
	var list []attempt
	for _, p := range attached {
		for _, h := range d.Holders(p) {
			what := fmt.Sprintf("scaling the %s %s to 0", h.Kind, h.Name)
			if h.Scaled() && !slices.ContainsFunc(list, func(a attempt) bool { return a.what == what }) {
				list = append(list, attempt{what: what, lab: x.freed(x.down), frees: true, script: play.Script{{Verb: "scale",
					Kubectl: h.Scale(x.set.Namespace)}}, needs: "nobody needs the pods of the " + h.Kind + " " + h.Name + " any more"})
			}
		}
	}
	for _, p := range attached {
		for _, a := range d.AttachedElsewhere(p) {
			if d.Stranded(a) && a.DeletionTimestamp == nil {
				list = append(list, attempt{what: "deleting the VolumeAttachment " + a.Name, lab: x.freed(x.down), frees: true,
					script: play.Script{{Verb: "delete", Kubectl: shell.Kubectl("delete", "volumeattachment", a.Name)}},
					danger: reasons.DetachDanger(a.Spec.NodeName)})
			}
		}
	}
	for _, node := range slices.Sorted(maps.Keys(silentNodes(x.given.Events))) {
		if !slices.Contains(x.nodes, node) {
			a := switchedOff([]string{node})
			a.lab, a.needs = x.freed(x.down), "the volume is attached to "+node+" (kubectl get volumeattachments)"
			list = append(list, a)
		}
	}
	return list
}

func confirmOff(x *situation) []attempt {
	var list []attempt
	for _, node := range x.nodes {
		list = append(list, switchedOff([]string{node}), attempt{what: "deleting the node " + node, frees: true,
			script: play.Script{play.DeleteNode(node)}, danger: reasons.DeleteNodeDanger(node)})
	}
	if len(x.nodes) > 1 {
		list = append(list, switchedOff(x.nodes))
	}
	return list
}

// freeNodes returns the attempts that end what keeps pods from nodes that are not cordoned: a condition, a taint that
// somebody has given, or that the node is not Ready. They are for the worlds that begin with a dump, whose nodes may be
// what keeps the pods.
func freeNodes(x *situation) []attempt {
	if x.unplaced == 0 || x.given.Lab.World.Start == nil {
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
			if row := symptom.Taint(taint.Key); row.Does != "" {
				a.what, a.script = row.Does+" on "+n.Name, waitForNode(n.Name, row.Name+"=False")
				a.needs = "somebody does that: the taint " + taint.Key + " disappears by itself then"
			} else if row.None() {
				a.what, a.frees = "removing the taint "+taint.Key+" from "+n.Name, true
				a.script = play.Script{{Verb: "taint", Kubectl: shell.Kubectl("taint", "nodes", n.Name, taint.Key+"-")}}
				a.needs = "the taint is no longer intended"
			}
			list = append(list, a)
		}
	}
	return list
}

// kept says whether a word of the scheduler is in what it says of a pod that no node takes, or whether it says nothing
// of one: what it does not name does not keep the pod.
func (x *situation) kept(word string) bool {
	return slices.ContainsFunc(x.down, func(key model.Key) bool {
		p := x.pod(key)
		return p == nil || p.Node == "" && symptom.MayKeep(x.facts(key).Unschedulable, word)
	})
}

func waitForNode(node, condition string) play.Script {
	return play.Script{{Verb: "wait",
		Kubectl: shell.Kubectl("wait", "node/"+node, "--for=condition="+condition, shell.NoTimeout)}}
}

// withNode returns the laboratory in which a node of the dump is another one.
func (x *situation) withNode(name string, change func(*sim.NodeState)) *play.Lab {
	return begun(x.given.Lab, func(start *sim.State) {
		start.Nodes = slices.Clone(start.Nodes)
		for i := range start.Nodes {
			if start.Nodes[i].Name == name {
				change(&start.Nodes[i])
			}
		}
	})
}

// over returns the pods that are being deleted, of which no container runs, and with which their kubelets do not finish.
func (x *situation) over() []model.Key {
	return slices.DeleteFunc(slices.Clone(x.going), func(key model.Key) bool { return !x.facts(key).Over || !x.pod(key).Hung })
}

// finish returns the attempt that waits until kubelets finish with pods of which no container runs, as they do when that
// is repaired which keeps them from it.
func finish(x *situation) []attempt {
	over := x.over()
	if len(over) == 0 || x.given.Lab.World.Start == nil {
		return nil
	}
	lab := begun(x.given.Lab, func(start *sim.State) {
		start.Pods = slices.Clone(start.Pods)
		for i := range start.Pods {
			start.Pods[i].Hung = start.Pods[i].Hung && !slices.Contains(over, start.Pods[i].Key())
		}
	})
	node := x.pod(over[0]).Node
	return []attempt{{what: "repairing what keeps the kubelet of " + node + " from finishing with " + names(over), lab: lab,
		script: play.Script{play.WaitGone(over)}, needs: "the log of the kubelet of " + node + " says what that is, such as a " +
			"mount or the network, and it can be repaired: a restart of the kubelet may be enough"}}
}

// forceOut returns the attempts that are safe only if something is true that no API object shows, such as that a
// machine is off. Of two that need the same number of commands, the one that confirms that the nodes are off comes
// before the one that deletes pods by force: with it the cluster itself ends the pods, and detaches their volumes.
func forceOut(x *situation) []attempt {
	list := slices.Concat(finish(x), releaseHeld(x), detach(x), confirmOff(x))
	if len(x.going) == 0 {
		return list
	}
	off := attempt{}
	if len(x.nodes) > 0 {
		off = switchedOff(x.nodes)
	}
	force := attempt{what: names(x.going) + " by force", script: deletePods(x.going, true),
		danger: reasons.ForceDanger(play.NamesOf(x.going)...)}
	if over := x.over(); len(over) > 0 {
		if len(over) == len(x.going) {
			force.danger = "only if the volumes of " + names(over) + " are unmounted on the node"
		}
		force.danger += ". What its kubelet has not unmounted stays mounted, and its volume may stay attached"
	}
	down, remove := names(x.down), deletePods(x.down, false)
	list = append(list, force.behind("deleting ", nil))
	if len(x.down) > 0 {
		list = append(list, off.behind("deleting "+down+", and ", remove), attempt{
			what:   "deleting " + force.what + ", and " + down,
			script: force.script.Then(remove...), danger: force.danger,
		})
	}
	if len(x.revisions()) < 2 {
		return list
	}
	undo := play.Script{play.Undo(x.given.Key)}
	list = append(list, force.behind("undoing the rollout and deleting ", undo))
	if len(x.down) > 0 {
		undo = undo.Then(remove...)
		list = append(list, off.behind("undoing the rollout, deleting "+down+", and ", undo),
			force.behind("undoing the rollout, deleting "+down+", and ", undo))
	}
	return list
}
