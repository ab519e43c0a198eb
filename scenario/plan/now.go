package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/plan/times"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// status is the part of a StatefulSet's status that a file may have, as it is written.
type status struct {
	Replicas        int    `yaml:"replicas"`
	Ready           int    `yaml:"readyReplicas"`
	Updated         int    `yaml:"updatedReplicas"`
	CurrentRevision string `yaml:"currentRevision"`
	UpdateRevision  string `yaml:"updateRevision"`
}

// readStatus reads the status of a dump. It returns nil if there is none, or none that a server has written.
func readStatus(object *yaml.Node) *status {
	node := field(object, "status")
	var s status
	if node == nil || node.Decode(&s) != nil || s.UpdateRevision == "" {
		return nil
	}
	return &s
}

// behind returns the number of pods that do not run the newest template, as far as the status says; 0 for nil.
func (s *status) behind() int {
	if s == nil || s.CurrentRevision == s.UpdateRevision {
		return 0
	}
	return max(0, s.Replicas-s.Updated)
}

// notes lists where the dump differs from what the plan assumes.
func (s *status) notes(staged bool) []string {
	if s == nil {
		return nil
	}
	var notes []string
	if s.Ready < s.Replicas {
		notes = append(notes, fmt.Sprintf("in the dump %d of %d pods were Ready; assumed: all are",
			s.Ready, s.Replicas))
	}
	if n := s.behind(); n > 0 && !staged {
		notes = append(notes, fmt.Sprintf("in the dump %d of %d pods ran an older template; assumed: all "+
			"run the template of the dump", n, s.Replicas))
	}
	return notes
}

// leftByHand says what RollingUpdate does with pods that OnDelete has left with an older template, if it is not
// known whether there are any.
func (e *edit) leftByHand(goesOn *staged) []string {
	if goesOn != nil || e.rolls() || e.pair.status != nil || e.live.Spec.Strategy.Type != model.OnDeleteStrategy ||
		e.wanted.Spec.Strategy.Type == model.OnDeleteStrategy {
		return nil
	}
	return []string{"RollingUpdate immediately replaces, from the top, the pods that OnDelete has left with an older " +
		"template; assumed: all pods have the newest"}
}

// staged is a rollout that the running set has begun and not ended: some pods still run an older template.
type staged struct {
	// why says how that is known, or that it is assumed.
	why string
	// updated is the number of pods that somebody has deleted, from the top, under OnDelete.
	updated int
}

// resumes finds out whether a change lets a rollout continue that the set's partition, or OnDelete, has held back; nil
// if not. A change of the template makes all pods outdated anyway.
func (e *edit) resumes() *staged {
	if e.live == nil || e.wanted == nil || e.rolls() || e.wanted.Spec.Strategy.Type == model.OnDeleteStrategy {
		return nil
	}
	known := e.pair.status
	if known != nil && known.behind() == 0 {
		return nil
	}
	from, to := e.live.Partition(), e.wanted.Partition()
	switch {
	case e.live.Spec.Strategy.Type == model.OnDeleteStrategy && known != nil:
		return &staged{updated: known.Updated, why: fmt.Sprintf("in the dump %d of %d pods ran an older template: "+
			"RollingUpdate replaces the pods that OnDelete has left", known.behind(), known.Replicas)}
	case e.live.Spec.Strategy.Type == model.OnDeleteStrategy || to >= from:
		return nil
	case known != nil:
		return &staged{why: fmt.Sprintf("the partition goes from %d to %d: the pods below %d still ran an older template "+
			"when it was dumped (%d of %d updated)", from, to, from, known.Updated, known.Replicas)}
	}
	return &staged{why: fmt.Sprintf("the partition goes from %d to %d; assumed: the pods below %d run an older "+
		"template, which the files do not show; if they do not, no pod is touched", from, to, from)}
}

// mark is an annotation that makes a template differ from the set's own: it stands for an older one that is not known.
const mark = times.Annotation + "older"

// older returns a set with a template that stands for the one before. The set itself does not change.
func older(set *model.StatefulSet) *model.StatefulSet {
	var template corev1.PodTemplateSpec
	if err := json.Unmarshal([]byte(set.Spec.Template.Data), &template); err != nil {
		panic(fmt.Sprintf("plan: the template of %s cannot be decoded: %v", set.Key(), err))
	}
	template.Annotations = maps.Clone(template.Annotations)
	if template.Annotations == nil {
		template.Annotations = map[string]string{}
	}
	template.Annotations[mark] = "true"
	data, err := json.Marshal(template)
	if err != nil {
		panic(fmt.Sprintf("plan: the template of %s cannot be encoded: %v", set.Key(), err))
	}
	before, marked := *set, *set.Spec.Template
	marked.Data, marked.ID = string(data), 0
	before.Spec.Template = &marked
	return &before
}

// unfinished says whether any of the sets has begun a rollout and not ended it.
func (w *world) unfinished() bool {
	return slices.ContainsFunc(w.edits, func(e *edit) bool { return e.staged != nil })
}

// goOn returns the deed that gives the sets with an unfinished rollout their newest template, after which partition or
// OnDelete keeps the rest of their pods as they are.
func (w *world) goOn() play.Deed {
	return play.Deed{Verb: "apply", Does: "the rollout that has begun", Act: func(u *sim.User) sim.Outcome {
		outcome := sim.Outcome{Effect: timeline.Configured}
		for _, e := range w.edits {
			if e.staged == nil {
				continue
			}
			next := *u.Set(e.key())
			next.Spec.Template = e.given.Spec.Template
			stored, err := u.Update(&next)
			if err != nil {
				return play.Refused(err)
			}
			outcome.Sets = append(outcome.Sets, stored)
		}
		return outcome
	}}
}
