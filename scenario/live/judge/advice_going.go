package judge

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/timeline"
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
		}
	}
	return list
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
		if f.Event != "" {
			list = append(list, fmt.Sprintf("The last warning about %s: %s", p.Name, f.Event))
		}
		if says := e.NotReady[p.Node]; says != "" {
			list = append(list, fmt.Sprintf("%s, the node of %s, is not Ready. The kubelet there says: %s",
				p.Node, p.Name, says))
		}
	}
	return list
}
