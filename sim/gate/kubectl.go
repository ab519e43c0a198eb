package gate

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// KubectlRolloutStatus is kubectl rollout status. The rule has not changed since 1.9.
var KubectlRolloutStatus = &Gate{
	Name: "kubectl-rollout-status", Version: "1.37.2", From: "1.9", Proven: true,
	Source: "k8s.io/kubectl v0.37.2, pkg/polymorphichelpers/rollout_status.go, StatefulSetStatusViewer",
	Read:   rolloutStatus,
	Gone:   func(model.Key) Verdict { return failed("error: object has been deleted") },
	Error:  words, After: "error: timed out waiting for the condition",
	Looks: Looks{SetOnly: true},
}

// rolloutStatus asks for readiness before the number of updated pods, and not for minReadySeconds.
func rolloutStatus(s *timeline.Set) Verdict {
	spec, status := &s.Spec.Spec, &s.Status
	switch {
	case spec.Strategy.Type != model.RollingUpdateStrategy:
		return failed("error: rollout status is only available for RollingUpdate strategy type")
	case unseen(s):
		return inProgress("Waiting for statefulset spec update to be observed...")
	case status.Ready < spec.Replicas:
		return inProgress("Waiting for %d pods to be ready...", spec.Replicas-status.Ready)
	case spec.Strategy.RollingUpdate != nil:
		return partitioned(s)
	}
	return sameRevision(s)
}

// unseen reports whether the controller has not seen the spec yet, for a tool to which a status that is ahead is no
// matter.
func unseen(s *timeline.Set) bool {
	return s.Status.ObservedGeneration == 0 || s.Spec.Generation > s.Status.ObservedGeneration
}

// partitioned asks for the updated pods of a set with a block rollingUpdate.
func partitioned(s *timeline.Set) Verdict {
	if want := s.Spec.Spec.Replicas - s.Spec.Spec.Strategy.RollingUpdate.Partition; s.Status.Updated < want {
		return inProgress("Waiting for partitioned roll out to finish: %d out of %d new pods have been updated...",
			s.Status.Updated, want)
	}
	return done("partitioned roll out complete: %d new pods have been updated...", s.Status.Updated)
}

// sameRevision asks for equal revisions.
func sameRevision(s *timeline.Set) Verdict {
	status := &s.Status
	if status.UpdateRevision != status.CurrentRevision {
		return inProgress("waiting for statefulset rolling update to complete %d pods at revision %s...", status.Updated,
			status.UpdateRevision)
	}
	return done("statefulset rolling update complete %d pods at revision %s...", status.Current, status.CurrentRevision)
}

// KubectlWait is the line that people write for a StatefulSet: kubectl wait --for=jsonpath={.status.readyReplicas}=N,
// where N is spec.replicas. A StatefulSet has no condition for which kubectl wait could wait.
var KubectlWait = &Gate{
	Name: "kubectl-wait", Version: "1.37.2", From: "1.23",
	Source: "k8s.io/kubectl v0.37.2, pkg/cmd/wait/json.go",
	Read: func(s *timeline.Set) Verdict {
		if s.Status.Ready != s.Spec.Spec.Replicas {
			return inProgress("status.readyReplicas is %d", s.Status.Ready)
		}
		return done("statefulset.apps/%s condition met", s.Key.Name)
	},
	Gone: func(key model.Key) Verdict { return inProgress("statefulsets.apps %q not found", key.Name) },
	Error: func(key model.Key, _ Verdict) string {
		return fmt.Sprintf("error: timed out waiting for the condition on statefulsets/%s", key.Name)
	},
	Looks: Looks{SetOnly: true, Timeout: 30 * time.Second},
}
