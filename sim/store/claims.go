package store

import "github.com/statefulsim/statefulsim/model"

// CreateClaim stores a new claim.
func (s *Store) CreateClaim(draft *model.Claim) (*model.Claim, *model.APIError) {
	key := draft.Key()
	if problems := factProblems(draft.Facts, "spec"); len(problems) > 0 {
		return nil, invalid("PersistentVolumeClaim", key.Name, problems)
	}
	if holder := s.claims[key]; holder != nil {
		return nil, alreadyExists(model.KindClaim, key.Name, &holder.Meta)
	}
	claim := *draft
	s.stamp(&claim.Meta)
	s.putClaim(nil, &claim)
	return &claim, nil
}

// UpdateClaim replaces a claim's labels, annotations and owners.
func (s *Store) UpdateClaim(write *model.Claim) (*model.Claim, *model.APIError) {
	key := write.Key()
	old := s.claims[key]
	if old == nil {
		return nil, notFound(model.KindClaim, key.Name)
	}
	if err := check(model.KindClaim, &write.Meta, &old.Meta); err != nil {
		return nil, err
	}
	claim := *old
	claim.Labels, claim.Annotations, claim.Owners = write.Labels, write.Annotations, write.Owners
	s.touch(&claim.Meta)
	s.putClaim(old, &claim)
	return &claim, nil
}

func (s *Store) putClaim(old, claim *model.Claim) {
	s.claims[claim.Key()] = claim
	s.watch(Change{Kind: model.KindClaim, Type: changeType(old == nil), OldClaim: old, Claim: claim})
}
