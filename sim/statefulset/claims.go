package statefulset

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// claimTemplate returns the claim template of that name, or nil. If several have the name, the last one counts,
// because upstream builds a map from the list.
func (s *sync) claimTemplate(name string) *model.ClaimTemplate {
	templates := s.set.Spec.ClaimTemplates
	for i := len(templates) - 1; i >= 0; i-- {
		if templates[i].Name == name {
			return &templates[i]
		}
	}
	return nil
}

// createClaims creates the claims of a pod that are missing from the cache. It tries all of them, and fails if one
// could not be created or is being deleted, since a pod that used it would hang. Created claims stay, whatever
// happens to the pod.
func (s *sync) createClaims(pod *model.Pod, ordinal int) error {
	var errs aggregate
	templates := s.set.Spec.ClaimTemplates
	for i := range templates {
		if s.claimTemplate(templates[i].Name) != &templates[i] {
			continue
		}
		if err := s.createClaim(pod, ordinal, &templates[i]); err != nil {
			errs = append(errs, err)
		}
	}
	return errs.orNil()
}

// createMissingClaims creates the claims of a Pending pod that are missing, and gives all of them their owners.
func (s *sync) createMissingClaims(pod *model.Pod, ordinal int) error {
	if err := s.createClaims(pod, ordinal); err != nil {
		return err
	}
	return s.retainClaimsOf(pod)
}

// createClaim creates one claim if the cache does not have it. An existing one is used, whatever its owner and its
// spec: a change of the claim templates never reaches existing claims. AlreadyExists is an error like any other,
// but gets no event; the next sync finds the claim in the cache.
func (s *sync) createClaim(pod *model.Pod, ordinal int, template *model.ClaimTemplate) error {
	name := model.ClaimName(s.set, template, ordinal)
	if found := s.view.Claim(name); found != nil {
		if s.profile.TerminatingClaims && found.Terminating() {
			s.claimBlocks = true
			s.wait(model.Why{Code: model.ClaimTerminating, Object: name})
			return fmt.Errorf("pvc %s is being deleted", name)
		}
		return nil
	}
	claim := &model.Claim{Data: template.Data, Facts: template.Facts}
	claim.Namespace, claim.Name = s.set.Namespace, name
	claim.Labels = s.claimLabels(template)
	claim.Annotations = template.Annotations
	if template.Facts != nil {
		claim.Owners = template.Facts.Owners
	}
	reply := s.calls.Do(model.Call{
		Verb: model.Create, Kind: model.KindClaim, Key: claim.Key(), Claim: claim,
		Why: model.Why{Code: model.CodeCreate, Object: name},
	})
	if reply.Err == nil {
		s.recordClaim(pod.Name, name, nil)
		return nil
	}
	if reply.Err.Reason != model.AlreadyExists {
		s.recordClaim(pod.Name, name, reply.Err)
	}
	return fmt.Errorf("failed to create PVC %s: %w", name, reply.Err)
}

// claimLabels returns the template's labels, and over them those that the selector asks for by matchLabels. The pod
// template's labels play no role. The result is a new map.
func (s *sync) claimLabels(template *model.ClaimTemplate) map[string]string {
	needs := s.set.Spec.Selector.Needs
	labels := clone(template.Labels, len(needs))
	for i := range needs {
		if needs[i].Op == model.OpEquals {
			labels[needs[i].Label] = needs[i].Values[0]
		}
	}
	return labels
}

// claimsInOrder reports whether a Pending pod has all its claims, and none of them is being deleted or worth a
// warning. If so, a sync has nothing to do for them, and Parallel may skip the pod without a call.
func (s *sync) claimsInOrder(pod *model.Pod, traits model.Traits, ordinal int) bool {
	templates := s.set.Spec.ClaimTemplates
	for i := range templates {
		found := s.view.Claim(s.claimName(pod, traits, ordinal, &templates[i]))
		if found == nil || s.profile.TerminatingClaims && found.Terminating() || s.warnsOf(found, pod) {
			return false
		}
	}
	return true
}

// claimName returns the name of a pod's claim. A pod with the trait HasStorage has the name in its volumes, so that
// it does not have to be built; that is an optimisation only.
func (s *sync) claimName(pod *model.Pod, traits model.Traits, ordinal int, template *model.ClaimTemplate) string {
	if traits&model.HasStorage != 0 {
		for i := len(pod.Volumes) - 1; i >= 0; i-- {
			if pod.Volumes[i].Name == template.Name {
				return pod.Volumes[i].Claim
			}
		}
	}
	return model.ClaimName(s.set, template, ordinal)
}
