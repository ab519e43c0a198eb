package explain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// notes are observations besides the sets: pods without an owner that are named like those of a set, by name and
// ordinal. No set adopts one that is being deleted.
func notes(d *dump.Dump) []string {
	orphans := map[model.Key][]int{}
	for i := range d.State.Pods {
		p := &d.State.Pods[i]
		set, ordinal := model.SplitPodName(p.Name)
		if p.Controller() == nil && !p.Terminating() && ordinal >= 0 && p.Labels[model.LabelPodName] != "" {
			key := model.Key{Namespace: p.Namespace, Name: set}
			orphans[key] = append(orphans[key], ordinal)
		}
	}
	var list []string
	for _, set := range slices.SortedFunc(maps.Keys(orphans), model.Key.Compare) {
		ordinals := orphans[set]
		slices.Sort(ordinals)
		var pods []string
		for _, ordinal := range ordinals {
			pods = append(pods, fmt.Sprintf("%s-%d", set.Name, ordinal))
		}
		n := len(pods)
		list = append(list, fmt.Sprintf("%s: %s %s no owner, as after a deletion with --cascade=orphan, so nothing "+
			"replaces %s. A StatefulSet with this name and a selector that matches %s labels adopts %[4]s.", set,
			strings.Join(pods, ", "), render.Agree(n, "has", "have"), render.Agree(n, "it", "them"),
			render.Agree(n, "its", "their")))
	}
	return list
}

// foreign describes the pods that are named like those of a StatefulSet and belong to something else.
func foreign(d *dump.Dump) []string {
	var list []string
	for _, f := range d.Foreign {
		list = append(list, f.String())
	}
	return list
}

// unready says whether pods of something else are not all Ready: then a dump without sets is not said to be well.
func unready(d *dump.Dump) bool {
	return slices.ContainsFunc(d.Foreign, func(f *dump.Foreign) bool { return f.Ready < f.Pods })
}

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
