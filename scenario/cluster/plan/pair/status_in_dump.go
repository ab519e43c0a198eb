package pair

import (
	"fmt"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
)

// Status is the part of a StatefulSet's status that a file may have, as it is written.
type Status struct {
	Replicas        int    `yaml:"replicas"`
	Ready           int    `yaml:"readyReplicas"`
	Updated         int    `yaml:"updatedReplicas"`
	CurrentRevision string `yaml:"currentRevision"`
	UpdateRevision  string `yaml:"updateRevision"`
	Observed        int64  `yaml:"observedGeneration"`
	// Unseen is true if the controller had not seen the newest spec, Deleting if somebody had deleted the set.
	Unseen   bool `yaml:"-"`
	Deleting bool `yaml:"-"`
}

// StatusOf reads the status of a dump. It returns nil if there is none, or none that a server has written.
func StatusOf(object *yaml.Node) *Status {
	node := manifest.Field(object, "status")
	var s Status
	if node == nil || node.Decode(&s) != nil || s.UpdateRevision == "" {
		return nil
	}
	var generation int64
	if written := manifest.Field(object, "metadata", "generation"); written != nil && written.Decode(&generation) == nil {
		s.Unseen = s.Observed < generation
	}
	s.Deleting = manifest.Field(object, "metadata", "deletionTimestamp") != nil
	return &s
}

// Behind returns the number of pods that do not run the newest template, as far as the status says; 0 for nil.
func (s *Status) Behind() int {
	if s == nil || s.CurrentRevision == s.UpdateRevision {
		return 0
	}
	return max(0, s.Replicas-s.Updated)
}

// Unready says how many pods were not Ready, as far as the status says; "" if all were, and for nil.
func (s *Status) Unready() string {
	if s == nil || s.Ready >= s.Replicas {
		return ""
	}
	return fmt.Sprintf("%d of %d pods were Ready", s.Ready, s.Replicas)
}

// Unrest says why a dump without pods shows a set that is not at rest, "" if it is at rest, and for nil:
// dump.Unfinished decides the same of a set that is played. Where there are pods, dump.Index.AtRest decides. A
// partition and OnDelete leave pods at an older revision, and the set is at rest.
func (s *Status) Unrest(set *model.StatefulSet) string {
	held := set.Spec.Strategy.Type != model.RollingUpdateStrategy || set.Partition() > 0
	switch {
	case s == nil:
		return ""
	case s.Deleting:
		return "it was being deleted"
	case s.Unseen:
		return "the controller had not seen its newest spec"
	case s.Replicas != int(set.Spec.Replicas):
		return fmt.Sprintf("%d of %d pods were there", s.Replicas, set.Spec.Replicas)
	case s.Behind() > 0 && !held && s.Unready() == "":
		return fmt.Sprintf("%d of %d pods ran an older template", s.Behind(), s.Replicas)
	}
	return s.Unready()
}
