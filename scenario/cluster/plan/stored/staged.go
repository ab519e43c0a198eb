package stored

import (
	"encoding/json"
	"fmt"
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/times"
)

// resumes finds out whether a change lets a rollout continue that the set's partition, or OnDelete, has held back; nil
// if not. A change of the template makes all pods outdated anyway.
func resumes(s *Set) *Staged {
	if s.Live == nil || s.Wanted == nil || s.Rolls() || s.Wanted.Spec.Strategy.Type == model.OnDeleteStrategy {
		return nil
	}
	known := s.Pair.Status
	if known != nil && known.Behind() == 0 {
		return nil
	}
	from, to := s.Live.Partition(), s.Wanted.Partition()
	switch {
	case s.Live.Spec.Strategy.Type == model.OnDeleteStrategy && known != nil:
		return &Staged{Updated: known.Updated, Why: fmt.Sprintf("in the dump %d of %d pods ran an older template: "+
			"RollingUpdate replaces the pods that OnDelete has left", known.Behind(), known.Replicas)}
	case s.Live.Spec.Strategy.Type == model.OnDeleteStrategy || to >= from:
		return nil
	case known != nil:
		return &Staged{Why: fmt.Sprintf("the partition goes from %d to %d: the pods below %d still ran an older template "+
			"when it was dumped (%d of %d updated)", from, to, from, known.Updated, known.Replicas)}
	}
	return &Staged{Why: fmt.Sprintf("the partition goes from %d to %d; assumed: the pods below %d run an older "+
		"template, which the files do not show; if they do not, no pod is touched", from, to, from)}
}

// mark is an annotation that makes a template differ from the set's own: it stands for an older one that is not known.
const mark = times.Annotation + "older"

// Older returns a set with a template that stands for the one before. The set itself does not change.
func Older(set *model.StatefulSet) *model.StatefulSet {
	var template corev1.PodTemplateSpec
	if err := json.Unmarshal([]byte(set.Spec.Template.Data), &template); err != nil {
		panic(fmt.Sprintf("stored: the template of %s cannot be decoded: %v", set.Key(), err))
	}
	template.Annotations = maps.Clone(template.Annotations)
	if template.Annotations == nil {
		template.Annotations = map[string]string{}
	}
	template.Annotations[mark] = "true"
	data, err := json.Marshal(template)
	if err != nil {
		panic(fmt.Sprintf("stored: the template of %s cannot be encoded: %v", set.Key(), err))
	}
	before, marked := *set, *set.Spec.Template
	marked.Data, marked.ID = string(data), 0
	before.Spec.Template = &marked
	return &before
}

// Assumed lists where the dump differs from what a run of a set without pods in the dump assumes.
func (s *Set) Assumed() []string {
	status := s.Pair.Status
	var notes []string
	if says := status.Unready(); says != "" {
		notes = append(notes, "in the dump "+says+"; assumed: all are")
	}
	if n := status.Behind(); n > 0 && s.Staged == nil {
		notes = append(notes, fmt.Sprintf("in the dump %d of %d pods ran an older template; assumed: all "+
			"run the template of the dump", n, status.Replicas))
	}
	if s.Staged == nil && !s.Rolls() && status == nil && s.Live.Spec.Strategy.Type == model.OnDeleteStrategy &&
		!s.OnDelete() {
		notes = append(notes, "RollingUpdate immediately replaces, from the top, the pods that OnDelete has left with an "+
			"older template; assumed: all pods have the newest")
	}
	return notes
}
