package gate

import (
	"fmt"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Kapp is kapp deploy, which waits by default.
var Kapp = &Gate{
	Name: "kapp", Version: "0", From: "0",
	Source: "carvel.dev/kapp of 2024, pkg/kapp/resourcesmisc/apps_v1_stateful_set.go and deleting.go",
	Read:   kappDone,
	Gone:   func(key model.Key) Verdict { return inProgress("statefulset/%s does not exist", key.Name) },
	Error: func(key model.Key, v Verdict) string {
		return fmt.Sprintf("timed out waiting after 15m0s for statefulset/%s: %s", key.Name, v.Words)
	},
	Looks: Looks{Every: 3 * time.Second, Timeout: 15 * time.Minute},
}

// kappDone asks for updated pods whatever the strategy is.
func kappDone(s *timeline.Set) Verdict {
	spec, status := &s.Spec.Spec, &s.Status
	update, note := spec.Replicas, ""
	if block := spec.Strategy.RollingUpdate; block != nil && block.Partition > 0 {
		update -= block.Partition
		note = fmt.Sprintf(" (updating only %d of %d total)", update, spec.Replicas)
	}
	switch {
	case s.Spec.Terminating():
		return inProgress("Deleting")
	case s.Spec.Generation != status.ObservedGeneration:
		return inProgress("Waiting for generation %d to be observed", s.Spec.Generation)
	case status.Updated < update:
		return inProgress("Waiting for %d replicas to be updated%s", update-status.Updated, note)
	case status.Ready < spec.Replicas:
		return inProgress("Waiting for %d replicas to be ready", spec.Replicas-status.Ready)
	case status.Replicas > spec.Replicas:
		return inProgress("Waiting for %d replicas to be deleted", status.Replicas-spec.Replicas)
	}
	return done("ok")
}
