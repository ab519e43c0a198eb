package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim/render"
)

// factsOf says in sentences what a dump shows of the pod that a set is stuck on. A name without a pod is a pod that
// does not exist; "" has no facts.
func factsOf(name, namespace string, d *dump.Dump) []string {
	key := model.Key{Namespace: namespace, Name: name}
	f := d.Facts[key]
	if f == nil {
		if name == "" {
			return nil
		}
		return []string{name + " does not exist."}
	}
	at := slices.IndexFunc(d.State.Pods, func(p dump.Pod) bool { return p.Key() == key })
	p := &d.State.Pods[at]
	var facts []string
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	is, long := lasting(f.Since, dated(p))
	starts := p.Phase == model.Pending && !p.Terminating()
	switch {
	case p.Terminating():
		add("%s %s Terminating%s, with a grace period of %s.", name, is, long, p.Deletion.Grace)
	case p.Node == "":
		add("%s %s Pending%s, on no node.", name, is, long)
	case f.Unreported:
		add("%s %s in phase Unknown%s: the kubelet of %s does not report it, so nobody knows whether it runs.",
			name, is, long, p.Node)
	case f.Crashed:
		add("%s: container %s runs, but has ended before (%s, exit code %d). The pod has not been Ready%s. Restarts: %d.",
			name, f.Container, f.Waiting, f.Exit, long, f.Restarts)
	case f.Waiting != "":
		add("%s: %s %s %s in %s%s. Restarts: %d.", name, kindOf(f), f.Container, is, f.Waiting, long, f.Restarts)
	case !p.Ready && (f.Lost || p.Silenced) && long != "":
		add("%s is %s, but has not been Ready for %s. Restarts: %d.", name, p.Phase, dump.Age(f.Since), f.Restarts)
	case !p.Ready && p.Phase == model.Running && long != "":
		add("%s has been Running for %s and is not Ready. Restarts: %d.", name, dump.Age(p.Started), f.Restarts)
	case !p.Ready:
		add("%s %s %s%s and is not Ready. Restarts: %d.", name, is, p.Phase, long, f.Restarts)
	}
	if f.Status != "" {
		add("Its status says: %s", dump.OneLine(f.Status))
	}
	if f.Message != "" {
		add("The kubelet says: %s", dump.OneLine(f.Message))
	}
	if f.Ended != "" {
		add("Its last run has ended: %s.", f.Ended)
	}
	if f.ExitMessage != "" && f.ExitMessage != f.Message {
		add("Its message at the end: %s", dump.OneLine(f.ExitMessage))
	}
	facts = append(facts, space(p, d)...)
	if text := exited(p, f); text != "" {
		add("%s", text)
	}
	if strings.Contains(f.Waiting+f.Ended, heal.OOMKilled) {
		add("OOMKilled: it has used more memory than its limit. It needs a higher limit, or has to use less.")
	}
	if heal.Unauthorized(f.Message) {
		add("The registry refuses the credentials, or there are none. Correct the Secret that imagePullSecrets names, in " +
			"the pod or in its ServiceAccount. The kubelet then pulls by itself, after at most 5m.")
	}
	if dump.RateLimited(f.Message) {
		add("The registry limits how often images are pulled. The kubelet tries again by itself, after at most 5m, and " +
			"succeeds when the limit allows it. Credentials (imagePullSecrets) raise the limit.")
	}
	if strings.Contains(f.Waiting, "ImagePull") && dump.Unreached(f.Message) {
		add("The registry was not reached, or has not answered. The kubelet tries again by itself, after at most 5m.")
	}
	if f.Event != "" && (!p.Ready || p.Terminating()) {
		add("The last warning about it: %s", f.Event)
	}
	if kind, name := f.Lacks(); name != "" && starts {
		add("When the %s %s exists in the namespace %s, the kubelet starts the pod by itself.", kind, name, namespace)
	}
	if key, of := f.LacksKey(); key != "" && starts {
		add("When the %s of the namespace %s has the key %s, the kubelet starts the pod by itself.", of, namespace, key)
	}
	if driver := f.Driverless(); driver != "" && starts {
		add("The node %s is at fault, and not the template: no pod there gets a volume of %s. When that driver runs there "+
			"(kubectl get csinode %[1]s), the pod starts by itself.", p.Node, driver)
	} else if f.OfNode() && starts {
		add("The node %s is at fault, and not the template: no pod that starts there gets a network or a sandbox. When the "+
			"node is repaired, the pod starts by itself.", p.Node)
	}
	if f.Runtimeless() && starts {
		add("The node %s has no handler for the RuntimeClass of the pod. It needs a node that has it, or a template without "+
			"runtimeClassName.", p.Node)
	}
	if f.Unstarted != "" && !p.Ready {
		add("The startupProbe of %s has not succeeded. After failureThreshold failures, the kubelet stops the container and "+
			"starts it again.", f.Unstarted)
	}
	if f.Waiting == "" && p.Phase == model.Running && !p.Ready && !p.Terminating() && !p.Silenced && f.Gate == "" {
		if len(f.Unready) > 0 {
			add("Its %s %s not ready.", render.Agree(len(f.Unready), "container ", "containers ")+render.And(f.Unready),
				render.Agree(len(f.Unready), "is", "are"))
		}
		add("To see its log: kubectl -n %s logs %s%s", namespace, name, ofFirst(f.Unready))
	}
	if f.Waiting == "CrashLoopBackOff" || f.Crashed {
		add("To see the log of its last container: kubectl -n %s logs %s -c %s --previous", namespace, name, f.Container)
	}
	if text := alike(p, d); text != "" && f.Waiting != "" && !p.Terminating() {
		add("%s", text)
	}
	if f.Unschedulable != "" {
		add("The scheduler says: %s", dump.OneLine(f.Unschedulable))
	}
	facts = append(facts, placing(p, f, d)...)
	full := strings.Contains(f.Unschedulable, "Insufficient ")
	if full && !f.Misplaced() {
		add("When a node has room for the pod (a new node, or one that other pods leave), the pod gets that node by itself.")
	}
	for _, claim := range d.ClaimsOf(p.Pod) {
		if volume, is := d.LostClaims[claim.Key()]; is {
			add("Its PVC %s is Lost: its PersistentVolume %s does not exist any more. Unless somebody creates it again for "+
				"the same disk, its data is gone, and a new PVC gets an empty volume.", claim.Name, volume)
		} else if d.Waits(claim) {
			is, long := lasting(claim.Created, claim.Created < 0)
			add("Its PVC %s %s Pending%s: %s. To see more: kubectl -n %s describe pvc %[1]s", claim.Name, is, long,
				dump.OneLine(d.WaitingFor(claim)), namespace)
			if class := d.NoClass(claim); class != "" {
				add("When the StorageClass %s exists again, the PVC gets a volume by itself, and %s starts. A new PVC has the "+
					"same class.", class, name)
			} else if d.FailedClaims[claim.Key()] != "" {
				add("The provisioner of the volumes tries again by itself: when it succeeds, %s starts.", name)
			}
		}
	}
	switch {
	case f.Misplaced() && full:
		add("Only some nodes can use its volume (kubectl get pv shows which), and these have no room for the pod. When one " +
			"of them has room, or a new node joins in that zone, the pod gets that node by itself. Or let the pod request less.")
	case f.Misplaced():
		add("No node that takes pods can use its volume (kubectl get pv shows which nodes can). One of these nodes, or a " +
			"new node in that zone, has to take pods. No change of the StatefulSet helps.")
	}
	if f.Gate != "" {
		add("Its containers are ready. Its condition Ready says: %s Whoever sets that condition has to set it to True.",
			dump.OneLine(f.Gate))
	}
	if d.Nodeless && strings.Contains(f.Unschedulable, "node(s) were unschedulable") {
		add("Nodes are cordoned; the dump does not show which. Dump them too (kubectl get nodes), or let them take pods " +
			"again where their maintenance is over: kubectl uncordon NODE.")
	}
	if len(p.Finalizers) > 0 && p.Terminating() {
		add("It has the finalizer %s.", strings.Join(p.Finalizers, ", "))
	}
	for i := range d.State.Nodes {
		if n := &d.State.Nodes[i]; n.Name == p.Node && n.Down {
			add("Its node %s does not answer.", n.Name)
		}
	}
	return append(facts, d.Taken(key)...)
}

// lasting returns the verb of a sentence about a state that began at an instant, and how long it has lasted: "has
// been" and " for 16s". If the dump does not show since when, it is "is" and "".
func lasting(at model.Time, known bool) (is, long string) {
	if !known {
		return "is", ""
	}
	return "has been", " for " + dump.Age(at)
}

// kindOf says what kind of container it is that does not run.
func kindOf(f *dump.Facts) string {
	switch {
	case f.OfSidecar:
		return "sidecar"
	case f.OfInit:
		return "init container"
	}
	return "container"
}

// ofFirst is the flag of kubectl logs for the first of some containers, "" if there is none.
func ofFirst(containers []string) string {
	if len(containers) == 0 {
		return ""
	}
	return " -c " + containers[0]
}

// notes are observations besides the sets: pods without an owner that are named like those of a set.
func notes(d *dump.Dump) []string {
	var list []string
	byNamespace := map[string][]string{}
	var namespaces []string
	for i := range d.State.Pods {
		p := &d.State.Pods[i]
		parent, ordinal := model.SplitPodName(p.Name)
		if p.Controller() != nil || ordinal < 0 || p.Labels[model.LabelPodName] == "" {
			continue
		}
		group := p.Namespace + "/" + parent
		if byNamespace[group] == nil {
			namespaces = append(namespaces, group)
		}
		byNamespace[group] = append(byNamespace[group], p.Name)
	}
	for _, group := range namespaces {
		n := len(byNamespace[group])
		list = append(list, fmt.Sprintf("%s: %s %s no owner, as after a deletion with --cascade=orphan, so nothing "+
			"replaces %s. A StatefulSet with this name and a selector that matches %s labels adopts %[4]s.", group,
			strings.Join(byNamespace[group], ", "), render.Agree(n, "has", "have"), render.Agree(n, "it", "them"),
			render.Agree(n, "its", "their")))
	}
	return list
}
