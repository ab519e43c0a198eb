package gate

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Kubedog is the tracker of werf and nelm. The gate is its reader of the set; that a second failure of a pod ends the
// wait is not modelled.
var Kubedog = &Gate{
	Name: "kubedog", Version: "0.13.1", From: "0.13", Proven: true,
	Source: "github.com/werf/kubedog v0.13.1-0.20260217, pkg/tracker/statefulset/status.go",
	Read:   kubedogReady,
	Gone:   func(key model.Key) Verdict { return inProgress("sts/%s is deleted", key.Name) },
	Error:  func(key model.Key, v Verdict) string { return fmt.Sprintf("sts/%s: %s", key.Name, v.Words) },
	Looks:  Looks{SetOnly: true},
}

// kubedogReady names the first thing that the set waits for.
func kubedogReady(s *timeline.Set) Verdict {
	spec, status := &s.Spec.Spec, &s.Status
	partition := int32(0)
	if spec.Strategy.RollingUpdate != nil {
		partition = spec.Strategy.RollingUpdate.Partition
	}
	switch {
	case spec.Strategy.Type == model.RecreateStrategy:
		return failed("StatefulSet %s UpdateStrategy.Type %q is not supported", s.Key.Name, spec.Strategy.Type)
	case unseen(s):
		return inProgress("observed generation %d should be >= %d", status.ObservedGeneration, s.Spec.Generation)
	case status.Ready < spec.Replicas:
		return inProgress("ready %d->%d", status.Ready, spec.Replicas)
	case spec.Strategy.Type == model.OnDeleteStrategy:
		return kubedogOnDelete(s)
	case partition > 0 && status.Updated < spec.Replicas-partition:
		return inProgress("up-to-date %d->%d (partitioned roll out)", status.Updated, spec.Replicas-partition)
	case partition <= 0 && status.UpdateRevision != status.CurrentRevision:
		return inProgress("up-to-date %d->%d", status.Updated, spec.Replicas)
	}
	return done("ready")
}

// kubedogOnDelete waits until every pod is of the new revision.
func kubedogOnDelete(s *timeline.Set) Verdict {
	status, replicas := &s.Status, s.Spec.Spec.Replicas
	if status.Updated >= replicas || status.Updated == 0 && status.UpdateRevision == status.CurrentRevision {
		return done("ready")
	}
	return inProgress("up-to-date %d->%d (user should delete old pods manually now!)", status.Updated, replicas)
}
