package timeline

import (
	"cmp"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// ClaimState is a claim at one point of a timeline. Its pointer stays the same from the claim's creation to its end.
type ClaimState struct {
	// Set is the set that the claim was created for; its name is "" if that is not known, and the set itself may be
	// gone. Its namespace is that of the claim in any case.
	Set  model.Key
	Name string
	// Phase is Pending or Bound; a claim that is Terminating keeps the one that it had.
	Phase       string
	Terminating bool
	// Owners are the objects that the claim goes with, as KIND/NAME.
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

// applyClaim takes in a change of a claim. A claim that is added under the name of one that is still known replaces
// it.
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
