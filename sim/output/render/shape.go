package render

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Shape says in a few words what matters of a set for a rollout: "Parallel, 3 replicas, partition 1". What has its
// default is left out, except policy and replicas.
func Shape(s *model.StatefulSet) string {
	spec := &s.Spec
	words := []string{spec.PodManagement.String(), Count(int(spec.Replicas), "replica")}
	block := spec.Strategy.RollingUpdate
	switch {
	case spec.Strategy.Type != model.RollingUpdateStrategy:
		words = append(words, spec.Strategy.Type.String())
	case block == nil:
		words = append(words, "updateStrategy {type: RollingUpdate} without rollingUpdate")
	case block.Partition > 0:
		words = append(words, fmt.Sprintf("partition %d", block.Partition))
	}
	if block != nil && block.MaxUnavailable != nil {
		words = append(words, "maxUnavailable "+block.MaxUnavailable.String())
	}
	if spec.MinReadySeconds > 0 {
		words = append(words, fmt.Sprintf("minReadySeconds %d", spec.MinReadySeconds))
	}
	if s.Start() > 0 {
		words = append(words, fmt.Sprintf("ordinals from %d", s.Start()))
	}
	if n := len(spec.ClaimTemplates); n > 0 {
		words = append(words, Count(n, "claim template"))
	}
	if spec.Retention != nil && spec.Retention.DeleteWhenScaled {
		words = append(words, "whenScaled Delete")
	}
	return strings.Join(words, ", ")
}
