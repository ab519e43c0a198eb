package gate

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Spinnaker is the stage Deploy (Manifest), which waits until the manifest is stable.
var Spinnaker = &Gate{
	Name: "spinnaker", Version: "1", From: "1",
	Source: "spinnaker/clouddriver, op/handler/KubernetesStatefulSetHandler.java",
	Read:   spinnakerStable,
	Gone:   func(key model.Key) Verdict { return inProgress("statefulSet %s does not exist", key.Name) },
	Error:  words,
	Looks:  Looks{Every: 5 * time.Second, Timeout: 30 * time.Minute},
}

// spinnakerStable calls an OnDelete set stable at once.
func spinnakerStable(s *timeline.Set) Verdict {
	spec, status := &s.Spec.Spec, &s.Status
	switch {
	case spec.Strategy.Type == model.OnDeleteStrategy:
		return done("stable")
	case status.ObservedGeneration != s.Spec.Generation:
		return inProgress("Waiting for status generation to match updated object generation")
	case spec.Replicas > status.Replicas:
		return inProgress("Waiting for at least the desired replica count to be met")
	case spec.Replicas > status.Ready:
		return inProgress("Waiting for all updated replicas to be ready")
	}
	// An updatedReplicas of 0 is absent from the object, and then the partition is not asked.
	if block := spec.Strategy.RollingUpdate; block != nil && status.Updated > 0 {
		if status.Updated < status.Replicas-block.Partition {
			return inProgress("Waiting for partitioned roll out to finish")
		}
		return done("Partitioned roll out complete")
	}
	switch {
	case spec.Replicas > status.Current:
		return inProgress("Waiting for all updated replicas to be scheduled")
	case status.CurrentRevision != status.UpdateRevision:
		return inProgress("Waiting for the updated revision to match the current revision")
	}
	return done("stable")
}
