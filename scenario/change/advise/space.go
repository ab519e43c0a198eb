package advise

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play"
)

// The values of a search. A container that crashes a minute after its start, or five, is caught by what lasts longer.
var (
	minReadySeconds = []int32{0, 10, 60}
	// longMinReadySeconds are for a set that waits for more than a minute today.
	longMinReadySeconds = []int32{120, 300}
	pauses              = []time.Duration{0, 90 * time.Second, 6 * time.Minute}
)

// space returns the settings that are tried for a set: today's first, each other one once. A value that the version
// drops, because it does not know the field, is not among them, and nor is one that it ignores. canary leaves only those
// with stages, and today's.
func space(lab *play.Lab, set *model.StatefulSet, ignores, canary bool) []setting {
	today := settingOf(set)
	list := []setting{today}
	n := set.Spec.Replicas
	var values []setting
	for _, policy := range []model.PodManagement{model.OrderedReady, model.Parallel} {
		for _, atOnce := range atOnces(lab, set, today.atOnce) {
			for _, minReady := range minReadies(&today, ignores && policy == model.Parallel) {
				values = append(values, setting{policy: policy, atOnce: atOnce, minReady: minReady})
			}
		}
	}
	for _, stages := range schedules(n) {
		for _, pause := range pauses {
			for _, s := range values {
				if len(stages) == 0 && (pause > 0 || canary) {
					continue
				}
				s.stages, s.pause = stages, pause
				if !slices.ContainsFunc(list, func(other setting) bool { return s.same(&other) }) {
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// minReadies returns the values of minReadySeconds that are tried: the usual ones, today's, and longer ones for a set that
// waits for longer today. Where the controller ignores them there is nothing to choose: a set that is Parallel today keeps
// its own, because without it nothing but the answers of deploy tools would change.
func minReadies(today *setting, ignored bool) []int32 {
	switch {
	case ignored && today.policy == model.Parallel:
		return []int32{today.minReady}
	case ignored:
		return []int32{0}
	}
	list := append(slices.Clone(minReadySeconds), today.minReady)
	if today.minReady > slices.Max(minReadySeconds) {
		list = append(list, longMinReadySeconds...)
	}
	return ascending(list)
}

// schedules returns the partitions through which a rollout may go: in one go, one pod first, and then also half of them.
func schedules(replicas int32) [][]int32 {
	list := [][]int32{nil}
	if replicas > 1 {
		list = append(list, []int32{replicas - 1, 0})
	}
	if half := replicas / 2; half > 0 && half < replicas-1 {
		list = append(list, []int32{replicas - 1, half, 0})
	}
	return list
}

// atOnces returns the values of maxUnavailable that are tried: none, numbers up to a third and the half, today's. Where
// the version does not know the field there is only nil. In a set of one it has no effect.
func atOnces(lab *play.Lab, set *model.StatefulSet, today *model.IntOrPercent) []*model.IntOrPercent {
	list := []*model.IntOrPercent{nil}
	n := set.Spec.Replicas
	probe := setting{policy: set.Spec.PodManagement, atOnce: &model.IntOrPercent{Value: 1}}
	stored, refusal := lab.Store(probe.on(set))
	if refusal != nil || stored.Spec.Strategy.RollingUpdate == nil || stored.Spec.Strategy.RollingUpdate.MaxUnavailable == nil {
		return list
	}
	for _, value := range ascending([]int32{2, n / 4, (n + 2) / 3, (n - 1) / 2, n / 2}) {
		if value > 1 && value < n {
			list = append(list, &model.IntOrPercent{Value: value})
		}
	}
	if today != nil && !slices.ContainsFunc(list, func(v *model.IntOrPercent) bool { return v != nil && *v == *today }) {
		list = append(list, today)
	}
	return list
}

// ascending returns numbers in their order, each once.
func ascending(list []int32) []int32 {
	slices.Sort(list)
	return slices.Compact(list)
}
