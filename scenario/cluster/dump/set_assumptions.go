package dump

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
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
			"shows whether it was refused)", claim, pod, command.In(set.Namespace, "describe", "statefulset", set.Name))}
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

// often is the number of times that the controller has created a pod again from which on the next one is likely to
// fail.
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

// awaits says which pods have to end so that others of a set get the nodes on which the scheduler has made room for
// them.
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
		command.Kubectl(append([]string{"get", "nodes"}, nodes...)...) + "): on a node that is down, a pod stays Terminating"}
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
		command.Kubectl(append([]string{"get", "storageclass"}, classes...)...) + ")"}
}
