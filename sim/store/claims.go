package store

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// FinalizerProtection keeps a claim that is deleted until no pod that is bound to a node uses it (the admission
// plugin StorageObjectInUseProtection). Every claim gets it at its creation.
const FinalizerProtection = "kubernetes.io/pvc-protection"

// classesKept is the first minor version that keeps the VolumeAttributesClass of a claim.
const classesKept = 34

// CreateClaim stores a copy of the draft as a new claim. It is Pending, and protected against a deletion while it is
// in use. It fails with Invalid if the draft's Facts are wrong, and with AlreadyExists while a claim of the name
// exists, even if that is terminating.
func (w Writer) CreateClaim(draft *model.Claim) (*model.Claim, *model.APIError) {
	return w.createClaim(draft, model.ClaimPending)
}

// GiveClaim is CreateClaim for a claim that has its volume already, as one that was there before the run.
func (w Writer) GiveClaim(draft *model.Claim) (*model.Claim, *model.APIError) {
	return w.createClaim(draft, model.ClaimBound)
}

// createClaim is CreateClaim for a claim that starts in the given phase. Owners and labels come from the draft.
func (w Writer) createClaim(draft *model.Claim, phase model.ClaimPhase) (*model.Claim, *model.APIError) {
	key := draft.Key()
	if problems := draftProblems(draft.Facts); len(problems) > 0 {
		return nil, invalid(model.KindClaim, key.Name, problems)
	}
	if holder := w.claims.Get(key); holder != nil {
		return nil, alreadyExists(model.KindClaim, key.Name, &holder.Meta)
	}
	claim := *draft
	claim.Data = w.claimData(&claim)
	w.stamp(&claim.Meta)
	claim.Phase = phase
	claim.Finalizers = []string{FinalizerProtection}
	w.putClaim(nil, &claim)
	return &claim, nil
}

// claimData returns the spec of a claim as the API server of the version stores it: before 1.34 without its
// VolumeAttributesClass.
func (w Writer) claimData(claim *model.Claim) string {
	if minor := w.rules.Minor; claim.Facts != nil && claim.Facts.Classless != "" && minor != 0 && minor < classesKept {
		return claim.Facts.Classless
	}
	return claim.Data
}

// UpdateClaim replaces a claim's labels, annotations and owners, its finalizers if the write has any, and leaves its
// spec alone. The version and the uid of the write are preconditions; see check.
func (w Writer) UpdateClaim(write *model.Claim) (*model.Claim, *model.APIError) {
	key := write.Key()
	old := w.claims.Get(key)
	if old == nil {
		return nil, notFound(model.KindClaim, key.Name)
	}
	if err := check(model.KindClaim, &write.Meta, &old.Meta); err != nil {
		return nil, err
	}
	claim := *old
	claim.Labels, claim.Annotations, claim.Owners = write.Labels, write.Annotations, write.Owners
	if write.Finalizers != nil {
		claim.Finalizers = write.Finalizers
	}
	w.touch(&claim.Meta)
	w.putClaim(old, &claim)
	return &claim, nil
}

// ChangeClaim gives a claim the spec of another, for a user. problems are the problems of the change as such:
// together with the problems of the claim they make it fail with Invalid. It changes nothing if the spec is the
// same.
func (w Writer) ChangeClaim(write *model.Claim, problems []string) (*model.Claim, *model.APIError) {
	key := write.Key()
	old := w.claims.Get(key)
	if old == nil {
		return nil, notFound(model.KindClaim, key.Name)
	}
	if all := append(draftProblems(write.Facts), problems...); len(all) > 0 {
		return nil, invalid(model.KindClaim, key.Name, all)
	}
	data := w.claimData(write)
	if data == old.Data {
		return old, nil
	}
	claim := *old
	claim.Data, claim.Facts = data, write.Facts
	w.touch(&claim.Meta)
	w.putClaim(old, &claim)
	return &claim, nil
}

// draftProblems returns what is wrong with a claim that a user or a controller sends.
func draftProblems(facts *model.ClaimFacts) []string {
	problems := factProblems(facts, "spec")
	if facts != nil && facts.Wrong != nil {
		problems = slices.Concat(facts.Wrong.Meta, problems)
	}
	return problems
}

// BindClaim gives a claim its volume. It does nothing if there is no such claim, or if it has one.
func (w Writer) BindClaim(key model.Key) {
	old := w.claims.Get(key)
	if old == nil || old.Phase == model.ClaimBound {
		return
	}
	claim := *old
	claim.Phase = model.ClaimBound
	w.touch(&claim.Meta)
	w.putClaim(old, &claim)
}

// DeleteClaim asks for a claim's deletion. The claim stays, terminating, until its protection is taken away
// (RemoveClaim). Asking again changes nothing.
func (w Writer) DeleteClaim(key model.Key, uid model.UID) *model.APIError {
	old := w.claims.Get(key)
	if old == nil {
		return notFound(model.KindClaim, key.Name)
	}
	if err := checkUID(model.KindClaim, uid, &old.Meta); err != nil {
		return err
	}
	if !old.Terminating() {
		claim := *old
		claim.Deletion = &model.Deletion{At: w.now()}
		w.touch(&claim.Meta)
		w.putClaim(old, &claim)
	}
	return nil
}

// RemoveClaim removes a claim permanently, by taking away the last of its finalizers. The claim must exist, and the
// caller has made sure that no pod uses it (InUse).
func (w Writer) RemoveClaim(key model.Key) {
	old := w.claims.Get(key)
	w.claims.Delete(key)
	w.version++
	change := w.write(model.KindClaim, model.Deleted)
	change.OldClaim = old
	w.tell(change)
}

// InUse reports whether a pod keeps a claim from being deleted: the pod has a volume of the claim, and is bound to
// a node. Its phase does not matter, nor whether it is terminating. A pod that is bound to no node does not count,
// since no kubelet starts a pod whose claim is being deleted (the rule of the protection controller). It costs
// O(1), because a set that is deleted with its claims asks for each of them.
func (s *Store) InUse(claim model.Key) bool { return s.users[claim] > 0 }

// use counts a pod among the users of its claims (by 1), or no longer (by -1). The two calls for a pod must be with
// the same node and volumes.
func (s *Store) use(pod *model.Pod, by int) {
	if pod == nil || pod.Node == "" {
		return
	}
	for i := range pod.Volumes {
		claim := model.Key{Namespace: pod.Namespace, Name: pod.Volumes[i].Claim}
		if claim.Name == "" {
			continue
		}
		if users := s.users[claim] + by; users == 0 {
			delete(s.users, claim)
		} else {
			keyed.Put(&s.users, claim, users)
		}
	}
}

// putClaim stores a version of a claim and notifies the watches. old is the version before, nil for a new claim.
func (w Writer) putClaim(old, claim *model.Claim) {
	w.claims.Put(claim.Key(), claim)
	change := w.write(model.KindClaim, changeType(old == nil))
	change.OldClaim, change.Claim = old, claim
	w.tell(change)
}
