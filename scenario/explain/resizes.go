package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim/render"
)

// resizes says which claims do not grow, or grow when their pods start again, by namespace. Those that a set is stuck
// with are told there.
func resizes(d *dump.Dump, sets []*LiveSet) []string {
	var list, namespaces []string
	restart := map[string][]string{}
	for _, r := range d.Resizes {
		told := slices.ContainsFunc(sets, func(s *LiveSet) bool { return slices.Contains(s.Facts, r.String()) })
		namespace := r.Claim.Namespace
		switch {
		case told:
		case !r.Restart:
			list = append(list, namespace+": "+r.String())
		default:
			if restart[namespace] == nil {
				namespaces = append(namespaces, namespace)
			}
			restart[namespace] = append(restart[namespace], r.Claim.Name)
		}
	}
	for _, namespace := range namespaces {
		names := restart[namespace]
		list = append(list, fmt.Sprintf("%s: the file system of %s grows when a pod that uses %s starts again "+
			"(FileSystemResizePending): delete these pods one by one, or restart the rollout.", namespace,
			render.List(names, 4), render.Agree(len(names), "it", "them")))
	}
	return list
}

// space says what a full disk of a pod needs, and what comes of the claims of the pod that are to grow.
func space(p *dump.Pod, d *dump.Dump) []string {
	var list []string
	switch {
	case d.Regrows(p):
		list = append(list, "A disk is full. Its volume has grown, and the file system grows when a new "+p.Name+" starts "+
			"(FileSystemResizePending), but not when the kubelet starts the container again.")
	case d.Full(p.Key()):
		list = append(list, "A disk is full: that of its volume (enlarge the PVC, if its StorageClass allows that, or free "+
			"space), or that of its node.")
	}
	for _, claim := range d.ClaimsOf(p.Pod) {
		if r := d.ResizeOf(claim.Key()); r != nil && !r.Restart {
			list = append(list, r.String())
		}
	}
	if d.Unmounted(p) && d.Facts[p.Key()].Driverless() == "" {
		list = append(list, "The kubelet tries again by itself: when the volume is mounted, "+p.Name+" starts.")
	}
	if d.Ungrown(p) {
		list = append(list, "When the kubelet has made the file system grow, "+p.Name+" starts by itself.")
	}
	return list
}

// writesTemplate says whether a command changes the pod template: that gives no volume more room.
func (w *WayOut) writesTemplate() bool {
	return slices.ContainsFunc(w.Commands, func(command string) bool {
		return strings.Contains(command, " set image statefulset/") || strings.Contains(command, " edit statefulset/")
	})
}

// clears says whether a way deletes a pod that has what a pod of the set needs.
func (w *WayOut) clears() bool { return strings.Contains(w.What, ", which has ") }

// unfit removes the ways that heal in the simulation, and of which the dump shows that they do not help the pod.
func unfit(ways []WayOut, pod model.Key, d *dump.Dump) []WayOut {
	p := d.Pod(pod)
	if p == nil {
		return ways
	}
	return slices.DeleteFunc(ways, func(w WayOut) bool {
		return w.Heals && (d.Attached(pod) && !w.touchesNodes() && !w.clears() ||
			(d.Full(pod) || d.Ungrown(p) || d.Unmounted(p) || d.Unbegun(p)) && w.writesTemplate())
	})
}
