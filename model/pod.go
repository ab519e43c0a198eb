package model

import "unsafe"

// Phase is a pod's status.phase.
type Phase uint8

// The phases. A pod that has only been drafted by a controller has none.
const (
	NoPhase Phase = iota
	Pending
	Running
	Succeeded
	Failed
)

var phaseNames = [...]string{"", "Pending", "Running", "Succeeded", "Failed"}

// String returns the phase's name in the API.
func (p Phase) String() string { return phaseNames[p] }

// Pod is a pod.
type Pod struct {
	Meta
	// Template is the template that the pod was created from. Its labels and volumes may have changed since.
	Template *Template
	// Hostname and Subdomain give the pod its stable network identity.
	Hostname, Subdomain string
	// Volumes are the pod's volumes, including the volumes of its claims.
	Volumes []Volume
	// Node is the node that the pod is bound to; "" before it is bound.
	Node string

	Phase Phase
	// Reason is status.reason: Evicted, say.
	Reason string
	// Unscheduled is the message of the condition PodScheduled while it is False: why the scheduler's last try did
	// not bind the pod. The controller does not look at it, but a new message is a change of the pod.
	Unscheduled string
	// Ready is the Ready condition, ReadySince its last transition.
	Ready      bool
	ReadySince Time
	// Containers is the kubelet's report about the containers, in addition to the phase; nil if there is none. It
	// is replaced, never changed in place. The controller does not look at it.
	Containers *Containers
}

// Containers sums up the statuses of a pod's containers.
type Containers struct {
	// Name is the container that has changed last.
	Name string
	// Shown is the word that kubectl shows as STATUS in place of the phase: CrashLoopBackOff. It is "" if the
	// containers run.
	Shown string
	// Message describes the event.
	Message string
	// Restarts counts the restarts of the pod's containers.
	Restarts int
	// Ready of All containers are ready. All is 0 if containers are not modelled one by one.
	Ready, All int
}

// Revision returns the name of the ControllerRevision that the pod's label names, or "".
func (p *Pod) Revision() string { return p.Labels[LabelRevision] }

// SharesIdentity reports whether another version of the pod has the very same labels and volumes. Objects never
// change, so a write of something else shares them; labels and volumes that are not shared may still be equal.
func (p *Pod) SharesIdentity(other *Pod) bool {
	return sameMap(&p.Labels, &other.Labels) &&
		len(p.Volumes) == len(other.Volumes) && (len(p.Volumes) == 0 || &p.Volumes[0] == &other.Volumes[0])
}

// sameMap reports whether two maps are one. A map is a pointer; package reflect says so too, in fifty times as many
// instructions, and this is asked several times an event.
func sameMap(a, b *map[string]string) bool {
	return *(*unsafe.Pointer)(unsafe.Pointer(a)) == *(*unsafe.Pointer)(unsafe.Pointer(b))
}

// Finished reports whether the pod's phase is Failed or Succeeded.
func (p *Pod) Finished() bool { return p.Phase == Failed || p.Phase == Succeeded }

// Serving reports whether the pod is Ready and not Terminating: what a user means by "up".
func (p *Pod) Serving() bool { return p.Ready && !p.Terminating() }
