package pair

import (
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
)

// Status is what a dump shows of a StatefulSet besides its spec.
type Status struct {
	model.Status
	Generation int64
	Deletion   *model.Deletion
}

// StatusOf reads the status of a dump. It returns nil if there is none, or none that a server has written.
func StatusOf(object *yaml.Node) *Status {
	node := manifest.Field(object, "status")
	var written struct {
		Replicas        int32  `yaml:"replicas"`
		Ready           int32  `yaml:"readyReplicas"`
		Updated         int32  `yaml:"updatedReplicas"`
		CurrentRevision string `yaml:"currentRevision"`
		UpdateRevision  string `yaml:"updateRevision"`
		Observed        int64  `yaml:"observedGeneration"`
	}
	if node == nil || node.Decode(&written) != nil || written.UpdateRevision == "" {
		return nil
	}
	s := &Status{Status: model.Status{
		ObservedGeneration: written.Observed, Replicas: written.Replicas, Ready: written.Ready, Updated: written.Updated,
		CurrentRevision: written.CurrentRevision, UpdateRevision: written.UpdateRevision,
	}}
	if generation := manifest.Field(object, "metadata", "generation"); generation != nil {
		// One that is no number is a mistake of the manifest, which its reader reports.
		_ = generation.Decode(&s.Generation)
	}
	if manifest.Field(object, "metadata", "deletionTimestamp") != nil {
		s.Deletion = &model.Deletion{}
	}
	return s
}

// Unfinished is that of package dump for a set with this status; "" for nil.
func (s *Status) Unfinished(set *model.StatefulSet) string {
	if s == nil {
		return ""
	}
	as := *set
	as.Status, as.Generation, as.Deletion = s.Status, s.Generation, s.Deletion
	return dump.Unfinished(&as)
}

// ShowsNone says whether a server has printed a set that has no pods: none of them is missing from the dump. A status
// without its replicas is one that somebody has shortened; what the controller has written there is 0 then.
func ShowsNone(set *yaml.Node) bool {
	observed := manifest.Field(set, "status", "observedGeneration") != nil
	replicas := manifest.Field(set, "status", "replicas")
	if replicas == nil {
		return observed
	}
	return replicas.Value == "0" && (observed || manifest.IsLive(set))
}
