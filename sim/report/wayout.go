package report

import (
	"fmt"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// wayOut says how to get out where a set is stuck on a pod whose node does not answer, and "" for any other.
func wayOut(s *timeline.Stuck, sum *summary) string {
	pod := sum.Fold.Pod(s.Set, s.Why.Object)
	if pod == nil {
		return ""
	}
	node := sum.Fold.Node(pod.Node)
	switch {
	case node == nil || node.Up:
		return ""
	case !pod.Terminating:
		return fmt.Sprintf("%s is down: it has to come back, or %s has to be deleted there", pod.Node, pod.Name)
	case node.OutOfService:
		return ""
	}
	return fmt.Sprintf("%s is down, and only its kubelet can say that the process of %s has ended. The ways out: the "+
		"node comes back; or, if it is surely dead, kubectl taint nodes %s "+
		"node.kubernetes.io/out-of-service=nodeshutdown:NoExecute, or kubectl delete node %s, "+
		"or kubectl delete pod %s --force", pod.Node, pod.Name, pod.Node, pod.Node, pod.Name)
}
