package judge

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// restsOn returns what a set is stuck for in the end. The run assumes of a pod that runs and is not Ready, and whose
// template no other pod proves, that neither it nor any other pod of that template becomes Ready. Then the run may get
// stuck on pods that are still to come, or on old ones that a rollout would replace. If the set is not stuck in a run
// in which the pods of that template do become Ready, it is stuck for those that run alone.
func restsOn(e *evidence) []timeline.Stuck {
	var open []*dump.Pod
	for _, p := range e.PodsOf(e.spec) {
		if undecided(e, p) {
			open = append(open, p)
		}
	}
	waits := func(s timeline.Stuck) bool {
		return slices.ContainsFunc(open, func(p *dump.Pod) bool { return s.Why.Object == p.Name })
	}
	others := slices.ContainsFunc(e.stuck, func(s timeline.Stuck) bool { return !waits(s) })
	if len(open) == 0 || !others || !hopeful(e, open) {
		return e.stuck
	}
	var list []timeline.Stuck
	for _, p := range open {
		stuck := timeline.Stuck{Set: e.key, Why: model.Why{Code: model.WaitingForReady, Object: p.Name}}
		if at := slices.IndexFunc(e.stuck, func(s timeline.Stuck) bool { return s.Why.Object == p.Name }); at >= 0 {
			stuck = e.stuck[at]
		}
		list = append(list, stuck)
	}
	return list
}

// hopeful says whether the set is not stuck in a run in which the pods of the templates of some pods become Ready.
func hopeful(e *evidence, open []*dump.Pod) bool {
	lab := *e.lab
	rule := behaviour.Rule{Times: behaviour.Times{Ready: behaviour.Constant(dump.DefaultReady)}}
	rule.Match.That = func(pod *model.Pod) bool {
		return slices.ContainsFunc(open, func(p *dump.Pod) bool {
			known := pod.Template != nil && p.Template != nil
			return pod.Namespace == p.Namespace && known && pod.Template.Data == p.Template.Data
		})
	}
	lab.World.Kubelet.Rules = append([]behaviour.Rule{rule}, lab.World.Kubelet.Rules...)
	events := lab.Run(nil)
	return !slices.ContainsFunc(events[len(events)-1].Result.Stuck, func(s timeline.Stuck) bool { return s.Set == e.key })
}
