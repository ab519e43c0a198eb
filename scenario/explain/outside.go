package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// outside adds to a stuck set what others have to do with it: a Service that its pods may look for, a pod of another
// controller that has a name of its own, and an operator that writes its spec.
func (s *LiveSet) outside(set *model.StatefulSet, d *dump.Dump) {
	for i := range s.Replicas {
		name := set.PodName(set.Start() + i)
		if f := d.Facts[model.Key{Namespace: s.Namespace, Name: name}]; f != nil && f.Owner != "" {
			s.Facts = append(s.Facts, fmt.Sprintf("%s exists, and belongs to the %s.", name, f.Owner))
		}
	}
	p := podIn(d, model.Key{Namespace: s.Namespace, Name: s.StuckOn})
	if p != nil && pullsLater(d.Facts[p.Key()]) {
		s.only = "it continues when the registry lets " + p.Name + " pull its image"
	}
	if p != nil && p.Node == "" && strings.Contains(d.Facts[p.Key()].Unschedulable, "Insufficient ") {
		s.only = "it continues only when a node has room for " + p.Name
	}
	if p != nil && p.Phase == model.Running && !p.Terminating() && d.ServiceMissing(set) {
		s.Facts = append(s.Facts, fmt.Sprintf("The Service %[1]s, which serviceName names, is not in the dump, and others "+
			"are. Without it names like %[2]s.%[1]s do not resolve, and a pod that looks for its peers does not become Ready. "+
			"If it does not exist (kubectl -n %[3]s get service %[1]s), create it: headless, with the selector of the "+
			"StatefulSet.", set.Spec.ServiceName, p.Name, s.Namespace))
	}
	if owner := d.Owners[s.key]; owner != "" {
		s.Facts = append(s.Facts, fmt.Sprintf("The StatefulSet belongs to the %s, whose operator may undo a change of it: "+
			"make a change that has to last there.", owner))
	}
}

// pullsLater says whether a pod waits for an image that the kubelet may get when it tries again.
func pullsLater(f *dump.Facts) bool {
	return strings.Contains(f.Waiting, "ImagePull") && (dump.RateLimited(f.Message) || dump.Unreached(f.Message))
}

// flaps says of pods that are Ready, and not yet for minReadySeconds, that they have to stay so if the dump suggests
// that they have lost it before: "web-2 stays Ready: …".
func flaps(set *timeline.Set, d *dump.Dump) []string {
	wanted := time.Duration(set.Spec.Spec.MinReadySeconds) * time.Second
	var list []string
	for pod := range set.Pods.All {
		p := podIn(d, model.Key{Namespace: set.Key.Namespace, Name: pod.Name})
		if p == nil || !p.Ready || p.Terminating() || time.Duration(-p.ReadySince) >= wanted {
			continue
		}
		f := d.Facts[p.Key()]
		if failed := strings.HasPrefix(f.Event, "Unhealthy: Readiness"); !failed && p.ReadySince.Sub(p.Started) < late {
			continue
		}
		text := fmt.Sprintf("%s stays Ready: it has been Running for %s, and Ready only for the last %s", p.Name,
			ageOf(p.Started), ageOf(p.ReadySince))
		if f.Event != "" {
			text += " (" + oneLine(f.Event) + ")"
		}
		list = append(list, text)
	}
	return list
}

// unreported says of the pods in phase Unknown whose nodes answer that their kubelets have to report them.
func unreported(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		if f := d.Facts[model.Key{Namespace: set.Key.Namespace, Name: pod.Name}]; f != nil && f.Unreported {
			list = append(list, fmt.Sprintf("the kubelet of %s, which answers, reports %s, which has been in phase Unknown%s", pod.Node,
				pod.Name, since(f.Since)))
		}
	}
	return list
}

// awaits says which pods have to end so that others of a set get the nodes on which the scheduler has made room for
// them, and which pods take longer to stop than is assumed.
func awaits(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		f := d.Facts[model.Key{Namespace: set.Key.Namespace, Name: pod.Name}]
		if f != nil && f.Nominated != "" && pod.Node == "" {
			list = append(list, fmt.Sprintf("the pods end that %s has preempted on %s", pod.Name, f.Nominated))
		}
	}
	return list
}

// slow says of the pods of a set that they are taken to stop at the end of their grace periods only.
func slow(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		p := podIn(d, model.Key{Namespace: set.Key.Namespace, Name: pod.Name})
		if p != nil && d.Slow(p) {
			list = append(list, fmt.Sprintf("%s has been Terminating for %s. Assumed: it stops at the end of its grace period, "+
				"%s.", p.Name, ageOf(p.Deletion.At), whole(p.Deletion.Grace)))
		}
	}
	return list
}

// late is the time from Running to Ready from which on a pod has probably been Ready before.
const late = 30 * time.Minute

// ended says of the pods of a set that have ended what their status says, such as why they were evicted.
func ended(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		f := d.Facts[model.Key{Namespace: set.Key.Namespace, Name: pod.Name}]
		if f != nil && f.Status != "" {
			list = append(list, fmt.Sprintf("%s has ended. Its status says: %s", pod.Name, oneLine(f.Status)))
		}
	}
	return list
}

// resizes says which claims wait until their pods start again, by namespace.
func resizes(d *dump.Dump) []string {
	var list []string
	for i := 0; i < len(d.Resizes); {
		namespace := d.Resizes[i].Namespace
		var names []string
		for ; i < len(d.Resizes) && d.Resizes[i].Namespace == namespace; i++ {
			names = append(names, d.Resizes[i].Name)
		}
		list = append(list, fmt.Sprintf("%s: the file system of %s grows when a pod that uses %s starts again "+
			"(FileSystemResizePending): delete these pods one by one, or restart the rollout.", namespace,
			render.List(names, 4), render.Agree(len(names), "it", "them")))
	}
	return list
}

// ofNode are the taints that a node gets from its own condition, or has until it is complete, and what helps.
var ofNode = map[string]string{
	"node.kubernetes.io/disk-pressure":       lacks("free disk there"),
	"node.kubernetes.io/memory-pressure":     lacks("free memory there"),
	"node.kubernetes.io/pid-pressure":        lacks("end processes there"),
	"node.kubernetes.io/network-unavailable": lacks("set the network up there"),

	"node.cloudprovider.kubernetes.io/uninitialized": until("the cloud controller manager has initialized a node"),
	"node.cilium.io/agent-not-ready":                 until("the Cilium agent of a node works"),
	"karpenter.sh/unregistered":                      until("Karpenter has registered a node"),
}

func lacks(helps string) string {
	return "comes from the node's condition: " + helps + ", and the taint goes by itself. If it is only removed, it " +
		"comes back."
}

func until(done string) string { return "stays until " + done + ": see why that does not happen." }

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

// isGiven says whether a node has a taint that somebody has given it.
func isGiven(n *sim.NodeState) bool {
	return slices.ContainsFunc(n.Taints, func(taint sim.Taint) bool { return ofNode[taint.Key] == "" })
}
