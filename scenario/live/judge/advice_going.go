package judge

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// slow says of the pods of a set that they are taken to stop at the end of their grace periods only.
func slow(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		p := d.Pod(model.Key{Namespace: set.Key.Namespace, Name: pod.Name})
		if p != nil && d.Slow(p) {
			is, long := dump.Lasting(p.Deletion.At, true)
			list = append(list, fmt.Sprintf("%s %s Terminating%s. Assumed: it stops at the end of its grace period, %s.", p.Name,
				is, long, Whole(p.Deletion.Grace)))
			if hooked(p) {
				list = append(list, fmt.Sprintf("A preStop hook of %s runs before its containers get their stop signal: what it "+
					"waits for may be what takes so long. Its events and its log say more (%s).", p.Name,
					shell.In(p.Namespace, "describe", "pod", p.Name)))
			}
		}
	}
	return list
}

// hooked says whether a container of a pod has a preStop hook.
func hooked(p *dump.Pod) bool {
	return p.Template != nil && p.Template.Lifecycle != nil &&
		slices.ContainsFunc(p.Template.Lifecycle.Containers, func(c model.ContainerSpec) bool { return c.PreStop != nil })
}

// ended says of the pods of a set that have ended what their status says, such as why they were evicted.
func ended(set *timeline.Set, d *dump.Dump) []string {
	var list []string
	for pod := range set.Pods.All {
		f := d.Facts[model.Key{Namespace: set.Key.Namespace, Name: pod.Name}]
		if f != nil && f.Status != "" {
			list = append(list, fmt.Sprintf("%s has ended. Its status says: %s", pod.Name, dump.OneLine(f.Status)))
		}
	}
	return list
}

// warnings says of the pods that a set waits for, and that are not Ready, what the last warning about them is, and what
// the kubelet of a node says that is not Ready: that the set should continue does not show that nothing is wrong.
func (e *evidence) warnings(of *Set) []string {
	var list []string
	for _, w := range of.Waits {
		p, f := e.pod(w.Why.Object), e.facts(w.Why.Object)
		if p == nil || f == nil || p.Ready || p.Finished() {
			continue
		}
		if says := "The last warning about " + p.Name + ": " + f.Event; f.Event != "" && !slices.Contains(list, says) {
			list = append(list, says)
		}
		if says := e.NotReady[p.Node]; says != "" {
			list = append(list, fmt.Sprintf("%s, the node of %s, is not Ready. The kubelet there says: %s",
				p.Node, p.Name, says))
		}
	}
	return list
}
