package model

import "slices"

// The labels that the StatefulSet controller puts on pods.
const (
	// LabelRevision holds the name of the pod's ControllerRevision.
	LabelRevision = "controller-revision-hash"
	// LabelPodName holds the pod's own name, so that a Service can select a single pod.
	LabelPodName = "statefulset.kubernetes.io/pod-name"
	// LabelPodIndex holds the pod's ordinal, since 1.28 (KEP-4017).
	LabelPodIndex = "apps.kubernetes.io/pod-index"
)

// AnnotationChangeCause says, in a user's words, why a set was changed. A revision gets it when it is made, and
// `kubectl rollout history` shows it.
const AnnotationChangeCause = "kubernetes.io/change-cause"

// Selector is a label selector. The zero value matches everything; a StatefulSet is refused without one.
type Selector struct {
	// Data is the selector as canonical JSON. Two selectors are the same if their Data is.
	Data string
	// Needs are requirements that must all hold, in the order of the names of the labels.
	Needs []Requirement
}

// Requirement is one condition on one label.
type Requirement struct {
	Label string
	Op    SelectorOp
	// Values is the one value of OpEquals, or the values of OpIn and OpNotIn; the other operators have none.
	Values []string
}

// SelectorOp is the operator of a Requirement.
type SelectorOp uint8

// The operators. OpEquals is an entry of matchLabels, the others belong to matchExpressions. An OpIn with one value
// selects the same as an OpEquals, but a set gives its claims only the labels of matchLabels.
const (
	OpEquals SelectorOp = iota
	OpIn
	OpNotIn
	OpExists
	OpDoesNotExist
)

// Matches reports whether the labels satisfy all requirements.
func (s *Selector) Matches(labels map[string]string) bool {
	for i := range s.Needs {
		if !s.Needs[i].matches(labels) {
			return false
		}
	}
	return true
}

func (r *Requirement) matches(labels map[string]string) bool {
	value, found := labels[r.Label]
	switch r.Op {
	case OpEquals, OpIn:
		return found && slices.Contains(r.Values, value)
	case OpNotIn:
		return !found || !slices.Contains(r.Values, value)
	case OpExists:
		return found
	default:
		return !found
	}
}
