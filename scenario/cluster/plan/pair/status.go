package pair

import (
	"fmt"

	"gopkg.in/yaml.v3"
)

// Status is the part of a StatefulSet's status that a file may have, as it is written.
type Status struct {
	Replicas        int    `yaml:"replicas"`
	Ready           int    `yaml:"readyReplicas"`
	Updated         int    `yaml:"updatedReplicas"`
	CurrentRevision string `yaml:"currentRevision"`
	UpdateRevision  string `yaml:"updateRevision"`
	Observed        int64  `yaml:"observedGeneration"`
	// Unseen is true if the controller had not seen the newest spec.
	Unseen bool `yaml:"-"`
}

// readStatus reads the status of a dump. It returns nil if there is none, or none that a server has written.
func readStatus(object *yaml.Node) *Status {
	node := field(object, "status")
	var s Status
	if node == nil || node.Decode(&s) != nil || s.UpdateRevision == "" {
		return nil
	}
	var generation int64
	if written := field(field(object, "metadata"), "generation"); written != nil && written.Decode(&generation) == nil {
		s.Unseen = s.Observed < generation
	}
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
