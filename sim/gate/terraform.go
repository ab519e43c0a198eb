package gate

import (
	"time"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Terraform is the resource kubernetes_stateful_set_v1 with wait_for_rollout, its default.
var Terraform = &Gate{
	Name: "terraform", Version: "2", From: "2",
	Source: "github.com/hashicorp/terraform-provider-kubernetes v2, resource_kubernetes_stateful_set_v1.go",
	Read:   terraformReady, Gone: notFound, Error: words,
	Looks: Looks{Every: 10 * time.Second, Timeout: 10 * time.Minute},
}

// terraformReady asks for as many Ready pods as replicas, then for kubectl's rule.
func terraformReady(s *timeline.Set) Verdict {
	unfinished := inProgress("StatefulSet %s is not finished rolling out", s.Key)
	if s.Status.Ready != s.Spec.Spec.Replicas {
		return unfinished
	}
	v := rolloutStatus(s)
	switch v.State {
	case InProgress:
		return unfinished
	case Failed:
		return failed("rollout status is only available for RollingUpdate strategy type")
	}
	return v
}
