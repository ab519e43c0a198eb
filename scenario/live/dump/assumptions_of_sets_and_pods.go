package dump

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Provided returns what must be true, and the dump does not show, so that a set gets where its spec wants it: "provided
// that …"; "" if that is nothing. It is about the sets that complete in a run that begins with the dump.
func (d *Dump) Provided(set *model.StatefulSet) string {
	pods := d.PodsOf(set)
	list := slices.Concat(d.idle(set, pods), d.unlooked(pods), d.unreported(pods), d.fails(pods), d.flaps(set, pods),
		d.awaits(pods), d.unseen(pods), d.unproven(pods))
	if len(list) == 0 {
		return ""
	}
	return "provided that " + strings.Join(list, ", and that ")
}

// Stale says of a set whose pods have been as they are for some time that its status counts others; "" if it does not.
func (d *Dump) Stale(set *model.StatefulSet) string {
	ready := int32(0)
	for _, p := range d.PodsOf(set) {
		if d.Facts[p.Key()].Since.Add(time.Minute) >= 0 {
			return ""
		}
		if p.Ready {
			ready++
		}
	}
	if set.Status.ObservedGeneration == 0 || set.Status.Ready == ready {
		return ""
	}
	return fmt.Sprintf("its status still counts %d Ready: kube-controller-manager has not looked at it since (kubectl -n "+
		"kube-system get lease kube-controller-manager)", set.Status.Ready)
}

// idle says that the controller works, and can do what it wants, if a dump suggests otherwise: it has never looked at
// the set, it has not created a PVC, or a pod has been Failed, or Succeeded, for some time, which it would replace at
// once. Like the functions below, it returns clauses that follow "provided that", nil if nothing suggests otherwise.
func (d *Dump) idle(set *model.StatefulSet, pods []*Pod) []string {
	const lease = " (kubectl -n kube-system get lease kube-controller-manager)"
	if seen := set.Status.ObservedGeneration; seen > 0 && seen < set.Generation {
		return []string{fmt.Sprintf("kube-controller-manager works: it has not looked at the newest spec of %s yet%s",
			set.Name, lease)}
	}
	if set.Status.ObservedGeneration == 0 && set.Created.Add(time.Minute) < 0 {
		return []string{fmt.Sprintf("kube-controller-manager works: it has not looked at %s, which was created %s ago%s",
			set.Name, Age(set.Created), lease)}
	}
	if pod, claim := d.Uncreated(set); claim != "" {
		return []string{fmt.Sprintf("the PVC %s of %s can be created: the controller should have created it by now (%s "+
			"shows whether it was refused)", claim, pod, shell.In(set.Namespace, "describe", "statefulset", set.Name))}
	}
	for _, p := range pods {
		if f := d.Facts[p.Key()]; p.Finished() && !p.Terminating() && f.Since.Add(time.Minute) < 0 {
			return []string{fmt.Sprintf("kube-controller-manager works: %s has been %s for %s, and should have been replaced "+
				"at once%s", p.Name, p.Phase, Age(f.Since), lease)}
		}
	}
	return nil
}

// unlooked says of the pods at which no scheduler has looked since their creation that theirs has to work.
func (d *Dump) unlooked(pods []*Pod) []string {
	var list []string
	for _, p := range pods {
		f := d.Facts[p.Key()]
		if p.Node != "" || f.Scheduled || f.Scheduler == "" || p.Created.Add(time.Minute) >= 0 {
			continue
		}
		list = append(list, fmt.Sprintf("the scheduler %s works: it has not looked at %s, which was created %s ago",
			f.Scheduler, p.Name, Age(p.Created)))
	}
	return list
}

// unreported says of the pods in phase Unknown whose nodes answer that their kubelets have to report them.
func (d *Dump) unreported(pods []*Pod) []string {
	var list []string
	for _, p := range pods {
		if f := d.Facts[p.Key()]; f.Unreported {
			list = append(list, fmt.Sprintf("the kubelet of %s, which answers, reports %s, which has been in phase Unknown%s",
				p.Node, p.Name, Since(f.Since)))
		}
	}
	return list
}

// often is how many times the controller has to create a pod again until the next one is likely to fail too.
const often = 3

// fails says of pods that the controller has created again and again that they must not fail again.
func (d *Dump) fails(pods []*Pod) []string {
	var list []string
	for _, p := range pods {
		if f := d.Facts[p.Key()]; f.Recreated >= often && !p.Ready {
			list = append(list, fmt.Sprintf("%s does not fail again: the controller has created it again %d times within %s",
				p.Name, f.Recreated, Age(model.Time(-f.Within))))
		}
	}
	return list
}

// late is the time from Running to Ready from which on a pod has probably been Ready before.
const late = 30 * time.Minute

// flaps says of pods that are Ready, and not yet for minReadySeconds, that they have to stay so if the dump suggests
// that they have lost it before: "web-2 stays Ready: …". Pods that are replaced before that do not count.
func (d *Dump) flaps(set *model.StatefulSet, pods []*Pod) []string {
	wanted := time.Duration(set.Spec.MinReadySeconds) * time.Second
	var list []string
	for _, p := range pods {
		f := d.Facts[p.Key()]
		waited := set.Spec.PodManagement == model.OrderedReady || p.Revision() == set.Status.UpdateRevision
		failed := strings.HasPrefix(f.Event, "Unhealthy: Readiness")
		young := p.Serving() && time.Duration(-p.ReadySince) < wanted
		if !waited || !young || !failed && p.ReadySince.Sub(p.Started) < late {
			continue
		}
		text := fmt.Sprintf("%s stays Ready: it has been Running for %s, and Ready only for the last %s", p.Name,
			Age(p.Started), Age(p.ReadySince))
		if f.Event != "" {
			text += " (" + f.Event + ")"
		}
		list = append(list, text)
	}
	return list
}

// awaits says which pods must end so that others of a set get the nodes on which the scheduler has made room for them.
func (d *Dump) awaits(pods []*Pod) []string {
	var list []string
	for _, p := range pods {
		if f := d.Facts[p.Key()]; f.Nominated != "" && p.Node == "" {
			list = append(list, fmt.Sprintf("the pods that %s has preempted on %s end", p.Name, f.Nominated))
		}
	}
	return list
}

// unseen says that the nodes answer on which pods terminate and which the dump does not show.
func (d *Dump) unseen(pods []*Pod) []string {
	var nodes []string
	for _, p := range pods {
		if p.Terminating() && slices.Contains(d.Unseen, p.Node) && !slices.Contains(nodes, p.Node) {
			nodes = append(nodes, p.Node)
		}
	}
	if len(nodes) == 0 {
		return nil
	}
	return []string{strings.Join(nodes, " and ") + " answers, which the dump does not show (" +
		shell.Kubectl(append([]string{"get", "nodes"}, nodes...)...) + "): on a node that is down, a pod stays Terminating"}
}

// unproven says that the storage classes give volumes of which the dump shows no volume.
func (d *Dump) unproven(pods []*Pod) []string {
	var claims, classes []string
	for _, p := range pods {
		for _, claim := range d.ClaimsOf(p.Pod) {
			class := d.Unproven(claim)
			if class == "" {
				continue
			}
			claims = append(claims, claim.Name)
			if !slices.Contains(classes, class) {
				classes = append(classes, class)
			}
		}
	}
	if len(claims) == 0 {
		return nil
	}
	to := "the PVC " + claims[0] + " a volume"
	if len(claims) > 1 {
		to = "the PVCs " + render.List(claims, 3) + " volumes"
	}
	return []string{"the storage class " + strings.Join(classes, " and ") + " gives " + to +
		", which the dump does not show (" +
		shell.Kubectl(append([]string{"get", "storageclass"}, classes...)...) + ")"}
}

// Pod is a pod of a dump.
type Pod = sim.PodState

// Taken returns sentences about what is assumed about a pod because of other objects, and which. They are the reasons
// of stays.rule, which must be changed together with them.
func (d *Dump) Taken(key model.Key) []string {
	s := stays{Dump: d}
	p, f := d.Pod(key), d.Facts[key]
	if p == nil {
		return nil
	}
	switch {
	case p.Terminating() && p.Hung && slices.Contains(d.Unseen, p.Node):
		return []string{"Its grace period is over, and it has no finalizer. Assumed: its kubelet cannot stop it."}
	case p.Terminating() && p.Hung:
		return []string{"Its grace period is over, its node answers, and it has no finalizer. Assumed: its kubelet " +
			"cannot stop it."}
	case p.Phase == model.Pending && p.Node != "" && f.Waiting == "" && !p.Terminating() && p.Bound.Add(f.Patience()) < 0:
		if f.Init == "" || f.Sidecar {
			return []string{s.creating(p, f)}
		}
		return append([]string{s.creating(p, f)}, s.deadlock(p)...)
	case p.Terminating() || p.Ready || p.Silenced || p.Phase != model.Running || f.Waiting != "":
		return nil
	case f.Lost:
		return []string{"It was Ready before. Assumed: it does not become Ready again, but a new pod with its name does."}
	case s.proven(p) && s.overdue(p):
		return []string{"Assumed: it does not become Ready, since it has been running for many times as long as the other " +
			"pods took, but a new pod with its name does."}
	case !s.proven(p):
		return []string{"Assumed: it does not become Ready, since no pod with the same spec is Ready. If it only needs " +
			"more time, the StatefulSet continues when it is Ready."}
	}
	return nil
}

// deadlock says of a pod whose init container does not end that it cannot wait for the next pod of its set, if
// OrderedReady does not create that one before; nil if it does not matter.
func (s *stays) deadlock(p *Pod) []string {
	for _, set := range s.State.Sets {
		ordinal := set.OrdinalOf(p.Name)
		if !owns(set, p.Pod) || set.Spec.PodManagement != model.OrderedReady || ordinal < 0 {
			continue
		}
		next := set.PodName(ordinal + 1)
		if s.Pod(model.Key{Namespace: p.Namespace, Name: next}) == nil && ordinal+1 < set.Start()+int(set.Spec.Replicas) {
			return []string{"If it waits for " + next + ", that never ends: OrderedReady creates " + next + " only when " +
				p.Name + " is Ready. Parallel, which only a new StatefulSet can have, creates all at once."}
		}
	}
	return nil
}

// creating says why the containers of a pod that has a node do not start.
func (s *stays) creating(p *Pod, f *Facts) string {
	switch {
	case f.Sidecar:
		return "Its sidecar " + f.Init + " runs, but its startupProbe has not succeeded: until it does, no other container " +
			"starts. To see its log: " + shell.In(p.Namespace, "logs", p.Name, "-c", f.Init)
	case f.Init != "":
		return "Its init container " + f.Init + " runs, and until it has ended no other container starts. To see " +
			"its log: " + shell.In(p.Namespace, "logs", p.Name, "-c", f.Init)
	case strings.Contains(f.Event, symptom.MultiAttach):
		text := "Its volume is still attached to another node (kubectl get volumeattachments). It is detached when no " +
			"pod there uses it any more. If that node does not answer, it is detached after 6 minutes, or at once with the " +
			"out-of-service taint."
		for _, a := range s.AttachedElsewhere(p) {
			text += s.where(&a)
		}
		for _, user := range s.users(p) {
			text += fmt.Sprintf(" The pod %s on %s uses it.", user.Name, user.Node)
		}
		for i := range s.State.Nodes {
			if n := &s.State.Nodes[i]; n.Down && !n.OutOfService {
				text += " " + n.Name + " does not answer. Only if its machine is certainly off: " +
					shell.OutOfService(n.Name)
			}
		}
		return text
	case f.Event != "":
		return "It has been on its node for a long time, and its containers are still not created: the warning says why."
	}
	if s.Unbegun(p) {
		return "The kubelet of " + p.Node + " has not begun with it: see whether that kubelet works (" +
			shell.Kubectl("describe", "node", p.Node) + ")."
	}
	often := ""
	if len(p.Volumes) > 0 || strings.Contains(specOf(p.Template), `"volumes":`) {
		often = ", most often a volume that is not mounted"
	}
	return "It has been on its node for a long time, and its containers are still not created. Its events say why" +
		often + " (" + shell.In(p.Namespace, "describe", "pod", p.Name) + ")."
}
