package gate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// ArgoCD is argocd app wait --health, for the health of the set.
var ArgoCD = &Gate{
	Name: "argo-cd", Version: "3.6.1", From: "3.6", Proven: true,
	Source: "github.com/argoproj/argo-cd/gitops-engine/v3 v3.6.1, pkg/health/health_statefulset.go",
	Read:   argoHealth,
	Gone: func(model.Key) Verdict {
		return Verdict{State: InProgress, Status: "Missing", Words: "Missing"}
	},
	Error: func(key model.Key, v Verdict) string {
		return fmt.Sprintf("apps StatefulSet %s: %s: %s", key, v.Status, v.Words)
	},
	Looks: Looks{SetOnly: true},
}

// argoHook is the finalizer with which Argo CD holds a hook until its phase is over.
const argoHook = "argocd.argoproj.io/hook-finalizer"

// argoHealth is kubectl's rule, but for OnDelete and for a set that is being deleted. That a hook is being deleted is not
// asked.
func argoHealth(s *timeline.Set) Verdict {
	v := argoProgress(s)
	v.Status = "Progressing"
	if v.State == Done {
		v.Status = "Healthy"
	}
	if s.Spec.Terminating() && !slices.Contains(s.Spec.Finalizers, argoHook) {
		v = Verdict{State: InProgress, Status: "Progressing", Words: "Pending deletion"}
		if of := s.Spec.Finalizers; len(of) > 0 {
			v.Words += "; blocked by finalizers: " + strings.Join(of, ", ")
		}
	}
	return v
}

func argoProgress(s *timeline.Set) Verdict {
	spec, status := &s.Spec.Spec, &s.Status
	switch {
	case unseen(s):
		return inProgress("Waiting for statefulset spec update to be observed...")
	case status.Ready < spec.Replicas:
		return inProgress("Waiting for %d pods to be ready...", spec.Replicas-status.Ready)
	case spec.Strategy.Type == model.RollingUpdateStrategy && spec.Strategy.RollingUpdate != nil:
		return partitioned(s)
	case spec.Strategy.Type == model.OnDeleteStrategy:
		return done("statefulset has %d ready pods", status.Ready)
	}
	return sameRevision(s)
}
