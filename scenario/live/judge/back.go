package judge

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

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
