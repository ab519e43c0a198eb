package report

import (
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// wayOut says what leads out where a set is stuck on a pod whose node does not answer, and "" for any other.
func wayOut(s *timeline.Stuck, sum *summary) string {
	pod := sum.Fold.Pod(s.Set, s.Why.Object)
	if pod == nil {
		return ""
	}
	node := sum.Fold.Node(pod.Node)
	if node == nil || node.Up || pod.Terminating && node.OutOfService {
		return ""
	}
	return reasons.Release(s.Why, reasons.World{
		Namespace: s.Set.Namespace, Node: pod.Node, Down: true, Terminating: pod.Terminating,
	})
}
