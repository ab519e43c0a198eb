package upgrade

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// hazard is something that a difference brings about in a run that no case plays: a write that fails, a percentage that
// was meant otherwise. So the sets that can meet it are named by their shape.
type hazard struct {
	// difference is the one that comes.
	difference string
	// meets reports whether a set can meet it.
	meets func(*model.StatefulSet) bool
	// says is what is said behind the names of the sets, with the change that avoids it.
	says string
}

// hazards are all that are known, the worst first.
var hazards = []hazard{
	{"condemned-first", func(s *model.StatefulSet) bool { return s.Spec.PodManagement == model.Parallel },
		"with Parallel, a surplus pod that cannot be deleted, or whose claim cannot be updated, keeps missing pods from being " +
			"created (the trap surplus-holds-up). Before a scale-down, make sure that no admission webhook refuses deletions"},
	{"percent-from-partition", meansLess,
		"maxUnavailable is a percentage and there is a partition: it becomes one of the pods from the partition up, so " +
			"fewer are replaced at a time. Write a number in its place to keep the pace"},
	{"budget-from-partition", unblocks,
		"with Parallel and a partition, pods below the partition that are not available no longer hold up the update: one " +
			"that waits for them goes on as soon as the new controller runs"},
}

// meansLess reports whether a percentage allows fewer pods if it is one of the pods from the partition up.
func meansLess(s *model.StatefulSet) bool {
	block := s.Spec.Strategy.RollingUpdate
	if block == nil || block.MaxUnavailable == nil || !block.MaxUnavailable.Percent {
		return false
	}
	part := func(of int) int { return max(1, int(block.MaxUnavailable.Value)*of/100) }
	replicas := int(s.Spec.Replicas)
	return part(max(0, replicas-s.Partition())) < part(replicas)
}

// unblocks reports whether pods below a partition can hold up the update of a set.
func unblocks(s *model.StatefulSet) bool {
	return s.Spec.PodManagement == model.Parallel && s.Spec.Strategy.Type == model.RollingUpdateStrategy &&
		s.Partition() > 0 && s.Partition() < int(s.Spec.Replicas)
}

// mostInHazard is the number of sets that are named in a sentence.
const mostInHazard = 6

// hazardsOf says which sets can meet something that the upgrade from one version to another brings about.
func hazardsOf(sets []*Set, from, to statefulset.Profile) []string {
	var list []string
	for _, h := range hazards {
		at := slices.IndexFunc(statefulset.Differences, func(d statefulset.Difference) bool { return d.Name == h.difference })
		if d := statefulset.Differences[at]; d.On(from) || !d.On(to) {
			continue
		}
		var names []string
		for _, set := range sets {
			if h.meets(set.object) {
				names = append(names, set.Key.String())
			}
		}
		if len(names) > 0 {
			list = append(list, fmt.Sprintf("from %s on, %s: %s", to.Version(), h.says, render.List(names, mostInHazard)))
		}
	}
	return list
}
