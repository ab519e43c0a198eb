package timeline

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// ClaimState is a claim at one point of a timeline. Its pointer stays the same from the claim's creation to its end.
type ClaimState struct {
	// Set is the set that the claim was created for; its name is "" if that is not known, and the set itself may be
	// gone. Its namespace is always the claim's.
	Set  model.Key
	Name string
	// Phase is Pending or Bound; a claim that is Terminating keeps the one that it had.
	Phase       string
	Terminating bool
	// Owners are the objects that the claim is deleted with, as KIND/NAME.
	Owners []string
	// Created is the time of the claim's creation.
	Created model.Time
}

// Claim returns a claim, or nil if there is none with the name; O(log n).
func (f *Fold) Claim(namespace, name string) *ClaimState {
	if at, found := f.findClaim(namespace, name); found {
		return f.claims[at]
	}
	return nil
}

// findClaim returns the place of a claim, or the one where it would be.
func (f *Fold) findClaim(namespace, name string) (at int, found bool) {
	return slices.BinarySearchFunc(f.claims, name, func(c *ClaimState, name string) int {
		return cmp.Or(cmp.Compare(c.Set.Namespace, namespace), cmp.Compare(c.Name, name))
	})
}

// applyClaim takes in a change of a claim. A new claim with a known name replaces the old one.
func (f *Fold) applyClaim(e *Event) {
	f.ClaimChanges++
	at, found := f.findClaim(e.Set.Namespace, e.Claim.Name)
	if e.Claim.Type == model.Deleted {
		if found {
			f.claims = slices.Delete(f.claims, at, at+1)
		}
		return
	}
	if !found || e.Claim.Type == model.Added {
		if found {
			f.claims = slices.Delete(f.claims, at, at+1)
		}
		f.claims = slices.Insert(f.claims, at, &ClaimState{Set: e.Set, Name: e.Claim.Name, Created: e.T})
	}
	claim := f.claims[at]
	claim.Owners = e.Claim.Owners
	if e.Claim.Phase == PhaseTerminating {
		claim.Terminating = true
		return
	}
	claim.Phase = e.Claim.Phase
}

// The reasons of changes of nodes.
const (
	// ReasonNodeDown: the node's kubelet has stopped. ReasonNodeUp: it is back.
	ReasonNodeDown = "NodeDown"
	ReasonNodeUp   = "NodeUp"
	// ReasonNodeNotReady: it has been silent for the monitor's grace period. Its pods become unready by that, too.
	ReasonNodeNotReady = "NodeNotReady"
	// ReasonUnreachable: the node gets the taint that has its pods deleted after their toleration.
	ReasonUnreachable = "Unreachable"
	// ReasonAllNodesDown: no node is ready, and so no pod is evicted.
	ReasonAllNodesDown = "AllNodesDown"
	// ReasonCordoned, ReasonUncordoned: spec.unschedulable is set, or taken back.
	ReasonCordoned   = "Cordoned"
	ReasonUncordoned = "Uncordoned"
	// ReasonOutOfService, ReasonInService: the taint out-of-service is put on the node, or taken off.
	ReasonOutOfService = "OutOfService"
	ReasonInService    = "InService"
	// ReasonNodeDeleted: the node's object is deleted.
	ReasonNodeDeleted = "NodeDeleted"
	// ReasonDrained: kubectl drain has ended, ReasonDrainGivenUp: it has ended with an error, such as that its
	// timeout is over. A refused eviction has the reason model.DrainBlocked.
	ReasonDrained      = "Drained"
	ReasonDrainGivenUp = "DrainGivenUp"
)

// The reasons of changes of pods that their nodes bring about.
const (
	// ReasonTaintEviction: the pod does not tolerate a taint of its node, or not any longer.
	ReasonTaintEviction = "TaintEviction"
	// ReasonPodGC: the pod garbage collector deletes the pod by force.
	ReasonPodGC = "PodGC"
	// ReasonEvicted: the Eviction API deletes the pod.
	ReasonEvicted = "EvictionByEvictionAPI"
	// ReasonRestarted: the pod's containers have ended with its node, and begin again.
	ReasonRestarted = "Restarted"
	// ReasonHung: the kubelet has forgotten the pod.
	ReasonHung = "Hung"
	// ReasonFailedScheduling: no node takes the pod. ReasonFailedAttach: a volume of it is still attached elsewhere.
	ReasonFailedScheduling = "FailedScheduling"
	ReasonFailedAttach     = "FailedAttachVolume"
)

// The reasons of KindProcess.
const (
	// ReasonStray: a process runs whose pod's object is gone.
	ReasonStray = "Stray"
	// ReasonTwins: two processes of one identity run.
	ReasonTwins = "Twins"
)

// Node is a node as it is after a change.
type Node struct {
	// Zone is the node's zone, "" for none.
	Zone string
	// Up is the truth: its kubelet works. All else is what its object says.
	Up                                                  bool
	Ready, Cordoned, OutOfService, Unreachable, Deleted bool
}

// Process is the start or the end of a problem with processes: one runs without its pod, or two have one identity.
type Process struct {
	// Ended is false at the start. Since is when it started.
	Ended bool
	Since model.Time
}

// Budget is the status of a PodDisruptionBudget after a change.
type Budget struct {
	Namespace, Name string
	// Allowed is status.disruptionsAllowed, and so on.
	Allowed, Healthy, Desired, Expected int32
}
