package judge

import (
	"slices"
	"time"

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

// comeBack returns the pods that a set is stuck on, if it is stuck only because they crash again and again, and each
// was Ready in its last run: the set continues while they are Ready, since the controller does not know that they crash
// again. whole says that the set is complete then.
func comeBack(e *evidence) (pods []*dump.Pod, whole bool) {
	for i := range e.stuck {
		why := e.stuck[i].Why
		p := e.pod(why.Object)
		if why.Code != model.WaitingForReady && why.Code != model.BudgetSpent || p == nil || p.Terminating() ||
			!e.Facts[p.Key()].Comes() {
			return nil, false
		}
		pods = append(pods, p)
	}
	if e.spec.Terminating() {
		return nil, false
	}
	return pods, e.now.Serving()+len(pods) == int(e.spec.Spec.Replicas) && !leftToDo(e)
}

// leftToDo says whether a set has pods beyond its replicas, or old ones that its strategy replaces.
func leftToDo(e *evidence) bool {
	newest := e.spec.Spec.Template.ID
	return e.now.Pods.Len() != int(e.spec.Spec.Replicas) || e.now.Pods.Any(func(p *timeline.Pod) bool {
		return p.Template != newest && e.spec.Spec.Strategy.Type == model.RollingUpdateStrategy &&
			!e.spec.BelowPartition(e.spec.OrdinalOf(p.Name))
	})
}

// stable is the time for which a container has to run until its kubelet takes it for one that does not crash any more:
// then the back-off begins anew.
const stable = 10 * time.Minute

// mayEnd says whether some pods may not last: a container of one has been restarted, and may well end again, or its
// node is not among those of the dump. If there is no such node any more, the pod is deleted within a minute.
func mayEnd(d *dump.Dump, pods []*dump.Pod) bool {
	return slices.ContainsFunc(pods, func(p *dump.Pod) bool {
		return d.Facts[p.Key()].Restarts > 0 && time.Duration(-max(p.Started, p.ReadySince)) < stable ||
			!d.Nodeless && slices.Contains(d.Unseen, p.Node)
	})
}
