package heal

import (
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// moveElsewhere returns the attempt that makes pods start on other nodes than those where their containers are not
// created.
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
	return []attempt{{what: "cordoning " + strings.Join(nodes, ", ") + " and deleting " + names(pods),
		script: script.Then(deletePods(pods, false)...), later: "Uncordon after the repair (" +
			play.Uncordon(nodes).Kubectl + ")"}}
}

// readmitToNodes returns the attempt that uncordons nodes.
func readmitToNodes(x *situation) []attempt {
	if len(x.cordoned) == 0 || !x.kept("unschedulable") {
		return nil
	}
	a := attempt{
		what: "uncordoning " + strings.Join(x.cordoned, ", "), needs: "the maintenance is over",
		script: play.Script{play.Uncordon(x.cordoned)},
	}
	lab := *x.given.Lab
	lab.World.Kubelet.Rules = slices.DeleteFunc(slices.Clone(lab.World.Kubelet.Rules), func(r behaviour.Rule) bool {
		return r.Times.Schedule == behaviour.Never
	})
	if len(lab.World.Kubelet.Rules) < len(x.given.Lab.World.Kubelet.Rules) {
		// The dump does not show why the other nodes do not take the pod, nor whether these do.
		a.lab, a.needs = &lab, a.needs+", and that there is room for the requests of the pod"
	}
	return []attempt{a}
}

// switchedOff returns the attempt that confirms of nodes that they are off: of one, or of several after the outage of a
// zone.
func switchedOff(nodes []string) attempt {
	a := attempt{script: play.Script{play.OutOfService(nodes...)}}
	names := render.And(nodes)
	if len(nodes) == 1 {
		a.what, a.danger = "confirming with a taint that "+names+" is off", reasons.OutOfServiceDanger(names)
		a.later = "When the node is back, remove the taint (" +
			command.Kubectl("taint", "nodes", nodes[0], "node.kubernetes.io/out-of-service-") + ")"
		return a
	}
	a.what = "confirming with taints that " + names + " are off"
	a.danger = "only if the machines of " + names + " are certainly off. Their volumes are detached, and their pods " +
		"start elsewhere"
	a.later = "When a node is back, remove its taint (kubectl taint nodes NODE node.kubernetes.io/out-of-service-)"
	return a
}

// detach returns the attempts that confirm that a node which does not answer is off, so that the volume for which a pod
// waits is detached from it.
func detach(x *situation) []attempt {
	var list []attempt
	silent := silentNodes(x.given.Events)
	if len(x.given.Around.Attached) == 0 {
		return nil
	}
	for _, node := range slices.Sorted(maps.Keys(silent)) {
		if silent[node] && !slices.Contains(x.nodes, node) {
			a := switchedOff([]string{node})
			a.lab, a.needs = x.freed(x.down), "the volume is attached to "+node+" (kubectl get volumeattachments)"
			list = append(list, a)
		}
	}
	return list
}

// confirmOff returns the attempts that confirm of the nodes that do not answer that they are off.
func confirmOff(x *situation) []attempt {
	var list []attempt
	for _, node := range x.nodes {
		list = append(list, switchedOff([]string{node}))
		list = append(list, attempt{what: "deleting the node " + node, script: play.Script{play.DeleteNode(node)},
			danger: reasons.DeleteNodeDanger(node)})
	}
	if len(x.nodes) > 1 {
		list = append(list, switchedOff(x.nodes))
	}
	return list
}
