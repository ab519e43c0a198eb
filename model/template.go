package model

import "time"

// Template is a pod template. The API server interns the templates of a set: within a run a set has one *Template for
// one Data, so equal pointers and equal IDs mean equal templates.
type Template struct {
	// ID is N in the @N of the timeline: this is the set's N-th distinct template in this run, counted from 1 and never
	// renumbered.
	ID int
	// Data is the template as canonical JSON, with all the defaults of the API filled in.
	Data string
	// Labels are the labels the template gives its pods.
	Labels map[string]string
	// Containers names the containers in their order, the first one first. Image is its image.
	Containers []Container
	// Volumes lists the template's own volumes; those that the claim templates add are not among them.
	Volumes []Volume
	// Grace is terminationGracePeriodSeconds.
	Grace time.Duration
	// Unreachable and NotReady are the times that the pod stays on a node with the taint node.kubernetes.io/unreachable,
	// or not-ready: Forever, or a time; nil means the cluster's default.
	Unreachable, NotReady *time.Duration
	// Lifecycle holds the other things that a kubelet needs; nil if the template was not read from a manifest.
	Lifecycle *Lifecycle
	// Constraints are on where the pods may run, nil if the template says nothing of it. They follow from Data.
	Constraints Constraints `print:"-"`
	// Wrong lists the mistakes in the spec of the pods that the template makes, in the words of the API: spec.FIELD: what
	// is wrong. WrongBefore are the same as a version without APIRules.OwnPlaces words them.
	Wrong, WrongBefore []string
}

// Forever is a toleration without an end.
const Forever = time.Duration(-1)

// Image returns the image of the first container, or "".
func (t *Template) Image() string {
	if t == nil || len(t.Containers) == 0 {
		return ""
	}
	return t.Containers[0].Image
}

// Container holds what the simulator reads from a container.
type Container struct{ Name, Image string }

// Volume is a volume of a pod. Claim is the name of its claim, or "" if it is a volume of another kind.
type Volume struct{ Name, Claim string }
