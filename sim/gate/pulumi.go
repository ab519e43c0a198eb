package gate

import (
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Pulumi is the awaiter of the Kubernetes provider. It is held by the recorded answers of testdata/first-done.txtar; its
// code is not imported, so that this proves less than a comparison.
var Pulumi = &Gate{
	Name: "pulumi", Version: "4", From: "4",
	Source: "github.com/pulumi/pulumi-kubernetes/provider/v4 of 2026-01-15, pkg/await/statefulset.go",
	Read:   pulumiReady,
	Gone:   func(model.Key) Verdict { return inProgress("the resource was deleted") },
	Error:  words,
	Looks:  Looks{SetOnly: true, Timeout: 10 * time.Minute},
}

// pulumiReady asks for no generation, and for no restart with OnDelete once the set has been changed. It asks for
// currentReplicas, so that it never ends at a partition.
func pulumiReady(s *timeline.Set) Verdict {
	spec, status := &s.Spec.Spec, &s.Status
	pods := spec.Replicas == status.Replicas && spec.Replicas == status.Ready
	revision := true
	if s.Spec.Generation <= 1 || spec.Strategy.Type != model.OnDeleteStrategy {
		pods = pods && spec.Replicas == status.Current
		revision = status.CurrentRevision != "" && status.CurrentRevision == status.UpdateRevision
	}
	if pods && revision {
		return done("StatefulSet initialization complete")
	}
	ready := status.Ready
	if !revision {
		ready = min(ready, status.Updated)
	}
	var lacks []string
	if !pods {
		lacks = append(lacks, inProgress("%d out of %d replicas succeeded readiness checks", ready, spec.Replicas).Words)
	}
	if !revision {
		lacks = append(lacks, inProgress("StatefulSet controller failed to advance from revision %q to revision %q",
			status.CurrentRevision, status.UpdateRevision).Words)
	}
	return inProgress("%s", strings.Join(lacks, "; "))
}
