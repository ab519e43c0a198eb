package model

import (
	"cmp"
	"regexp"
	"sync"
	"time"
)

// Template is a pod template. The API server interns the templates of a set: within a run a set has one *Template
// for each Data, so equal pointers and equal IDs mean equal templates.
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
	// Wrong lists the mistakes in the spec of the pods that the template makes, in the words of the API:
	// spec.FIELD: what is wrong. WrongBefore are the same mistakes in the words of a version without
	// APIRules.OwnPlaces.
	Wrong, WrongBefore []string
	// Older is how older versions read the template; nil if they read it the same way.
	Older Older `print:"-"`
}

// Older has what the API servers of older versions store of a template: without the fields that they do not have, and
// with their defaults. The package that reads the manifest creates it.
type Older interface {
	// In returns the template that a minor version stores, nil if it is this one.
	In(minor int) *Template
}

// In returns the template that the API server of a minor version stores; 0 is the newest version.
func (t *Template) In(minor int) *Template {
	if t == nil || t.Older == nil || minor == 0 {
		return t
	}
	return cmp.Or(t.Older.In(minor), t)
}

// Forever is a toleration without an end.
const Forever = time.Duration(-1)

// seccomp finds a seccomp profile that a refusal shows, without its end.
var seccomp = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`((?:"SeccompProfile":|[.]seccompProfile[^ ]*: Invalid value: )` +
		`\{"Type":"[^"]*","LocalhostProfile":(?:null|"[^"]*"))\}`)
})

// WithOCI returns a problem of a pod in the words of API servers from 1.38 on: seccomp profiles have the field oci.
func WithOCI(problem string) string { return seccomp().ReplaceAllString(problem, `$1,"OCI":null}`) }

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

// Constraints holds what a pod template requires of its nodes, and what the pods need there. The package that reads
// the manifest creates it and is the only one that looks inside; it is never changed.
type Constraints interface {
	// Repels reports whether the pods keep others off their nodes: required anti-affinity, which holds for both
	// sides.
	Repels() bool
}

// Lifecycle holds what a kubelet reads from a template to start, probe and stop the containers of a pod.
type Lifecycle struct {
	// Init are the init containers in their order, sidecars among them. Containers are the others.
	Init, Containers []ContainerSpec
}

// ContainerSpec is a container as its kubelet sees it.
type ContainerSpec struct {
	Name string
	// Sidecar marks an init container with restartPolicy Always (KEP-753): it stays while the others run.
	Sidecar bool
	// Restart decides what happens to the container when it has ended (KEP-5307); nil means that it is always
	// restarted.
	Restart *Restart
	// Startup, Readiness and Liveness are nil if the container has no such probe.
	Startup, Readiness, Liveness *Probe
	// PreStop is the hook that runs before the container gets its stop signal; nil if there is none.
	PreStop *PreStop
}

// Probe is when a container is probed, and how many results in a row count. What the probe does is not modelled.
type Probe struct {
	InitialDelay, Period time.Duration
	// Successes and Failures are successThreshold and failureThreshold.
	Successes, Failures int
	// Grace is the probe's own terminationGracePeriodSeconds; nil if it has none.
	Grace *time.Duration
}

// PreStop is a preStop hook. Known is true if the manifest shows how long it takes, as for a sleep.
type PreStop struct {
	Takes time.Duration
	Known bool
}
