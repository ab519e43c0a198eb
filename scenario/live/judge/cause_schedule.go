package judge

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// unplaced says whether the pod waits for a node.
func (b *blocked) unplaced() bool { return b.p != nil && pending(b.p) && !b.p.Terminating() }

// schedulingGate: the scheduler does not look at a pod with gates.
func schedulingGate(b *blocked) *Cause {
	if !b.unplaced() || !strings.Contains(b.f.Unschedulable, "scheduling gates") {
		return nil
	}
	return saying(b.name+" has schedulingGates, and the scheduler does not look at it", true, b.f.Unschedulable)
}

// claimMissing: the template names a claim that does not exist, and no claim template makes it.
func claimMissing(b *blocked) *Cause {
	if !b.unplaced() {
		return nil
	}
	claim, owned := b.Unfound(b.p)
	if claim == "" || owned {
		return nil
	}
	return saying(fmt.Sprintf("the PVC %s, which the template names, does not exist in the namespace %s", claim,
		b.key.Namespace), true, b.f.Unschedulable).
		at(podObject(b.key.Namespace, b.name), claimObject(b.key.Namespace, claim)).
		advising("The PVC " + claim + " does not exist. The template names it, and no claim template makes it: neither the " +
			"controller nor a new pod does. When it exists, the scheduler gives " + b.name + " a node by itself.")
}

// claimPending: a claim of the pod gets no volume.
func claimPending(b *blocked) *Cause {
	if b.p == nil || b.p.Ready || b.p.Terminating() || b.p.Finished() {
		return nil
	}
	for _, claim := range b.ClaimsOf(b.p.Pod) {
		of := claimObject(b.key.Namespace, claim.Name)
		if volume, lost := b.LostClaims[claim.Key()]; lost {
			return saying(fmt.Sprintf("the PVC %s is Lost: its PersistentVolume %s does not exist any more", claim.Name, volume),
				true).at(of)
		}
		failed, class := b.FailedClaims[claim.Key()], dump.ClassOf(claim)
		switch {
		case !b.Waits(claim) || failed == "" && b.WrongVolumes[claim.Key()] == "" && b.p.Node == "" &&
			!strings.Contains(strings.ToLower(b.f.Unschedulable), "persistentvolumeclaim"):
			continue
		case b.NoClass(claim) != "":
			return saying("the StorageClass "+b.NoClass(claim)+" does not exist", true, failed).at(of)
		case class != "" && failed != "":
			return saying("PVCs of the StorageClass "+class+" get no volume", false, failed).at(of)
		}
		return saying(fmt.Sprintf("the PVC %s gets no volume: %s", claim.Name, b.WaitingFor(claim)), false, failed,
			b.f.Unschedulable).at(of)
	}
	return nil
}

// volumeElsewhere: only other nodes can use the volume of the pod.
func volumeElsewhere(b *blocked) *Cause {
	if !b.unplaced() || !b.f.Misplaced() {
		return nil
	}
	return saying("the nodes that can use the volume of "+b.name+" do not take it", true, b.f.Unschedulable)
}

// noRoom: nodes have no room for the pod. Room may become free.
func noRoom(b *blocked) *Cause {
	if !b.unplaced() || !strings.Contains(b.f.Unschedulable, "Insufficient ") &&
		!strings.Contains(b.f.Unschedulable, "Too many pods") && !b.f.Crowded() {
		return nil
	}
	return saying("no node that may take "+b.name+" has room: the scheduler says: "+dump.OneLine(b.f.Unschedulable), false,
		b.f.Unschedulable)
}

// unschedulable: the scheduler says that no node takes the pod.
func unschedulable(b *blocked) *Cause {
	if !b.unplaced() {
		return nil
	}
	if b.f.Unschedulable == "" {
		return saying(b.name+" has no node", false)
	}
	return saying("the scheduler says: "+dump.OneLine(b.f.Unschedulable), lasts().MatchString(b.f.Unschedulable),
		b.f.Unschedulable)
}

// lasts finds a message of the scheduler that names nothing but what the pod asks of its node, which only a change
// ends. All else ends without one, or may, where nobody here knows the words: cordons, taints, ports and places that
// other pods take, devices, volumes that a provisioner makes.
var lasts = lazy.Regexp(`^0/\d+ nodes are available: \d+ node\(s\) didn't match (Pod's )?node ` +
	`(affinity/selector|selector)( terms)?\.?( preemption:.*)?$`)
