package statefulset

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// The retention policy of claims (KEP-1847) works through owner references: a claim that belongs to the set is
// deleted with it, one that belongs to its pod is deleted with the pod. The set owns a claim from the start; a pod
// owns its claims only when it is out of the range of replicas, just before it is deleted.

// retainsClaims reports whether the owners of claims are looked after at all. With the policy Retain for both,
// owners may only have to be removed; and if no claim of the namespace has an owner, there is nothing to remove.
func (s *sync) retainsClaims() bool {
	return s.profile.Retention && len(s.set.Spec.ClaimTemplates) > 0 &&
		(s.policy() != model.Retention{} || s.view.OwnedClaims())
}

// policy returns the retention policy; a set without one has Retain for both, which is the zero value.
func (s *sync) policy() model.Retention {
	if s.set.Spec.Retention == nil {
		return model.Retention{}
	}
	return *s.set.Spec.Retention
}

// claimsOf calls yield for each claim of a pod that the cache has, in the order of the templates, until it returns
// false. A missing claim is skipped: it gets its owners later.
func (s *sync) claimsOf(pod *model.Pod, yield func(*model.Claim) bool) {
	templates := s.set.Spec.ClaimTemplates
	ordinal := s.set.OrdinalOf(pod.Name)
	for i := range templates {
		if claim := s.view.Claim(model.ClaimName(s.set, &templates[i], ordinal)); claim != nil && !yield(claim) {
			return
		}
	}
}

// claimsRetained reports whether the owners of a pod's claims are as the policy wants them.
func (s *sync) claimsRetained(pod *model.Pod) bool {
	all := true
	s.claimsOf(pod, func(claim *model.Claim) bool {
		all = s.ownersRetained(claim, pod)
		return all
	})
	return all
}

// retainClaims gives the claims of a pod the owners that the policy wants. The first error ends it. A claim that
// another controller owns is left alone and gets a warning in every sync (1.31, PR 122499).
func (s *sync) retainClaims(pod *model.Pod) error {
	var err error
	s.claimsOf(pod, func(claim *model.Claim) bool {
		if s.warnsOf(claim, pod) {
			s.record(true, "ConflictingController", "PersistentVolumeClaim "+claim.Name+" has a conflicting OwnerReference "+
				"that acts as a manging controller, the retention policy is ignored for this claim")
		}
		if !s.ownersRetained(claim, pod) {
			err = s.updateClaim(claim, s.ownersFor(claim, pod))
		}
		return err == nil
	})
	return err
}

// retainClaimsOf is retainClaims for a pod that is created or Pending; it records an error as one of the pod. It does
// nothing for a set whose claims need no owners.
func (s *sync) retainClaimsOf(pod *model.Pod) error {
	if !s.retains {
		return nil
	}
	err := s.retainClaims(pod)
	if err != nil {
		s.recordPod(&updating, pod.Name, err)
	}
	return err
}

// updateClaim writes the owners of a claim. The version that it was read with is a precondition.
func (s *sync) updateClaim(claim *model.Claim, owners []model.Owner) error {
	next := *claim
	next.Owners = owners
	reply := s.calls.Do(model.Call{
		Verb: model.Update, Kind: model.KindClaim, Key: next.Key(), Claim: &next,
		Why: model.Why{Code: model.CodeClaimPolicy, Object: next.Name},
	})
	if reply.Err == nil {
		return nil
	}
	could := "Could"
	if s.profile.ControllerRefs {
		could = "could"
	}
	return fmt.Errorf("%s not update claim %s for delete policy ownerRefs: %w", could, claim.Name, reply.Err)
}

// wantedOwners returns the owner that the policy wants for the claims of a pod: the set, the pod, or neither; never
// both. whenScaled makes the pod the owner only when it is condemned, so that scaling up again before the pod is
// deleted gives the claim back to the set. The result does not depend on the claim.
func (s *sync) wantedOwners(pod *model.Pod) (set, itsPod bool) {
	policy := s.policy()
	index := s.set.OrdinalOf(pod.Name) - s.set.Start()
	inRange := index >= 0 && index < s.replicas
	itsPod = policy.DeleteWhenScaled && !inRange
	return policy.DeleteWithSet && !itsPod, itsPod
}

// ownersRetained reports whether a claim of a pod has the owners that the policy wants, or must not be touched.
// Owners are compared by kind and name, up to 1.30 by uid (claim_uids.go): a claim that an earlier set or pod of
// the name owns is left alone, one that another controller owns only loses ours, and a plain owner reference of
// ours is replaced by a controller reference.
func (s *sync) ownersRetained(claim *model.Claim, pod *model.Pod) bool {
	if !s.profile.ControllerRefs {
		return s.ownedAsWanted(claim, pod)
	}
	switch {
	case stale(claim, model.KindStatefulSet, &s.set.Meta), stale(claim, model.KindPod, &pod.Meta):
		return true
	case s.conflicting(claim, pod):
		return !ownedBy(claim.Owners, s.set.UID) && !ownedBy(claim.Owners, pod.UID)
	case s.plainlyOwned(claim, pod):
		return false
	}
	return s.ownedAsWanted(claim, pod)
}

// ownedAsWanted reports whether, of the set and the pod, exactly the wanted one owns a claim.
func (s *sync) ownedAsWanted(claim *model.Claim, pod *model.Pod) bool {
	set, itsPod := s.wantedOwners(pod)
	return ownedBy(claim.Owners, s.set.UID) == set && ownedBy(claim.Owners, pod.UID) == itsPod
}

// ownersFor returns the owners that a claim of a pod should have, as a new slice: the foreign ones in their order,
// then the set or the pod. ownersRetained decides whether they are written.
func (s *sync) ownersFor(claim *model.Claim, pod *model.Pod) []model.Owner {
	if !s.profile.ControllerRefs {
		return s.ownersByUID(claim, pod)
	}
	owners := slices.DeleteFunc(slices.Clone(claim.Owners), func(o model.Owner) bool {
		return names(&o, model.KindStatefulSet, &s.set.Meta) || names(&o, model.KindPod, &pod.Meta)
	})
	if s.conflicting(claim, pod) {
		return owners
	}
	if wanted := s.wantedOwner(pod); wanted != nil && !ownedBy(owners, wanted.UID) {
		wanted.Controller = true
		owners = append(owners, *wanted)
	}
	return owners
}

// wantedOwner returns a plain reference to the set or to the pod, whichever the policy wants to own the pod's claims;
// nil if it wants neither.
func (s *sync) wantedOwner(pod *model.Pod) *model.Owner {
	switch set, itsPod := s.wantedOwners(pod); {
	case set:
		return &model.Owner{Kind: model.KindStatefulSet, Name: s.set.Name, UID: s.set.UID}
	case itsPod:
		return &model.Owner{Kind: model.KindPod, Name: pod.Name, UID: pod.UID}
	}
	return nil
}

// conflicting reports whether another object controls a claim, or an earlier set or pod of the same name owns it.
// If the policy keeps all claims, nothing conflicts, because no owner will be added.
func (s *sync) conflicting(claim *model.Claim, pod *model.Pod) bool {
	if s.policy() == (model.Retention{}) {
		return false
	}
	for i := range claim.Owners {
		owner := &claim.Owners[i]
		switch {
		case names(owner, model.KindStatefulSet, &s.set.Meta):
			if owner.UID != s.set.UID {
				return true
			}
		case names(owner, model.KindPod, &pod.Meta):
			if owner.UID != pod.UID {
				return true
			}
		case owner.Controller:
			return true
		}
	}
	return false
}

// warnsOf reports whether each sync records an event about a claim whose owners it does not maintain. Parallel must
// not skip the pod of such a claim.
func (s *sync) warnsOf(claim *model.Claim, pod *model.Pod) bool {
	return s.retains && s.profile.ControllerRefs && s.conflicting(claim, pod)
}

// plainlyOwned reports whether the set or the pod owns a claim without being its controller, as versions before
// 1.31 left it.
func (s *sync) plainlyOwned(claim *model.Claim, pod *model.Pod) bool {
	return slices.ContainsFunc(claim.Owners, func(o model.Owner) bool {
		return (o.UID == s.set.UID || o.UID == pod.UID) && !o.Controller
	})
}

// ownedBy reports whether an object of that uid is among the owners of a claim, as the controller or plainly.
func ownedBy(owners []model.Owner, uid model.UID) bool {
	return slices.ContainsFunc(owners, func(o model.Owner) bool { return o.UID == uid })
}

// names reports whether an owner reference refers to an object with that kind and name, whatever its uid.
func names(owner *model.Owner, kind model.Kind, object *model.Meta) bool {
	return owner.Kind == kind && owner.Name == object.Name
}

// stale reports whether the first owner reference to an object of that kind and name means another one, with
// another uid. Later references are not looked at.
func stale(claim *model.Claim, kind model.Kind, object *model.Meta) bool {
	i := slices.IndexFunc(claim.Owners, func(o model.Owner) bool { return names(&o, kind, object) })
	return i >= 0 && claim.Owners[i].UID != object.UID
}

// staleClaim returns the name of a claim that keeps a pod from being created, or "". With whenScaled Delete, a claim
// that belongs to an earlier pod of the name will be deleted, and the new pod must not get hold of it. The wait has
// no event that ends it: claims enqueue no set, so the sync must come for another reason.
func (s *sync) staleClaim(pod *model.Pod) string {
	if !s.profile.Retention || !s.policy().DeleteWhenScaled {
		return ""
	}
	blocking := ""
	s.claimsOf(pod, func(claim *model.Claim) bool {
		if s.isStale(claim, pod) {
			blocking = claim.Name
		}
		return blocking == ""
	})
	return blocking
}

// isStale reports whether an earlier pod of the name owns a claim.
func (s *sync) isStale(claim *model.Claim, pod *model.Pod) bool {
	if !s.profile.ControllerRefs {
		return staleByName(claim, pod)
	}
	return stale(claim, model.KindPod, &pod.Meta)
}

// retainCondemned gives the claims of all condemned pods their owners, before any of the pods is deleted: a deleted
// pod can own nothing, and the claim would stay. It works from the top down, in Parallel in batches. An error ends
// the sync.
func (s *sync) retainCondemned() error {
	count := s.view.Len(model.Condemned)
	switch {
	case !s.retains:
		return nil
	case !s.profile.SlowStart:
		return s.retainOneByOne(count)
	}
	next := func(from int) int {
		for from < count && s.claimsRetained(s.view.Pod(model.Condemned, from)) {
			from++
		}
		return from
	}
	if !s.monotonic {
		return s.inBatches(count, next, s.retainCondemnedAt)
	}
	for i := next(0); i < count; i = next(i + 1) {
		if err := s.retainCondemnedAt(i); err != nil {
			return err
		}
	}
	return nil
}

// retainCondemnedAt does so for the pod at a position.
func (s *sync) retainCondemnedAt(i int) error {
	pod := s.view.Pod(model.Condemned, i)
	if s.claimsRetained(pod) {
		return nil
	}
	return s.retainClaims(pod)
}
