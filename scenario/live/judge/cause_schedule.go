package judge

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
)

// unplaced says whether the pod waits for a node.
func (b *blocked) unplaced() bool { return b.p != nil && pending(b.p) && !b.p.Terminating() }

// byScheduler finds what the scheduler says, where a row of its table has that name of a cause. It is certain only if
// nothing that the scheduler says ends by itself, and if nobody makes a node.
func byScheduler(cause string) func(*blocked) *Cause {
	return func(b *blocked) *Cause {
		if !b.unplaced() {
			return nil
		}
		why := b.f.Unplaced()
		at := slices.IndexFunc(why, func(r *symptom.Row) bool { return r.Cause == cause })
		switch {
		case at >= 0:
			return saying(b.Say(b.p, why[at], why[at].Sentence), why[at].Certain && why.Lasting() && b.f.Asked == 0,
				b.f.Unschedulable)
		case cause == "unschedulable" && len(why) == 0:
			return saying(b.name+" has no node", false)
		}
		return nil
	}
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
			!b.f.Unplaced().Has(symptom.Unclaimed, symptom.Unbound, symptom.Volumes):
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
