package promise

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// seeClaim judges that a claim is deleted, or created again. A deletion by a user is the user's own. The fold is as
// it was before the event.
func (j *Judge) seeClaim(e *timeline.Event) {
	m := j.memoryOf(e.Set)
	switch {
	case e.Claim.Type == model.Added:
		if at := slices.Index(m.taken, e.Claim.Name); at >= 0 {
			m.taken = slices.Delete(m.taken, at, at+1)
			j.breach(e, Breach{Promise: SameClaimAgain}, "PVC %s is created again, empty", e.Claim.Name)
		}
	case e.Claim.Phase == timeline.PhaseTerminating && e.Actor != timeline.User && !j.isTerminating(e):
		j.claimDeleted(m, e)
	}
}

// isTerminating says whether the deletion of the event's claim was known before, so that it is judged once.
func (j *Judge) isTerminating(e *timeline.Event) bool {
	claim := j.fold.Claim(e.Set.Namespace, e.Claim.Name)
	return claim != nil && claim.Terminating
}

// claimDeleted judges a deletion that no user has asked for. While the set itself is deleted, whenDeleted decides,
// which is not judged. A claim of a replica out of range may go if whenScaled is Delete.
func (j *Judge) claimDeleted(m *memory, e *timeline.Event) {
	set := j.fold.Set(e.Set)
	if set == nil || set.Spec.Terminating() {
		return
	}
	_, ordinal := model.SplitPodName(e.Claim.Name)
	retention := set.Spec.Spec.Retention
	switch {
	case retention == nil || !retention.DeleteWhenScaled:
		m.taken = append(m.taken, e.Claim.Name)
		j.breach(e, Breach{Promise: ClaimsKept, Kind: "retained"},
			"PVC %s is deleted, but whenScaled is Retain", e.Claim.Name)
	case inRange(set, ordinal) && j.used(set, e.Claim.Name, ordinal):
		m.taken = append(m.taken, e.Claim.Name)
		j.breach(e, Breach{Promise: ClaimsKept, Kind: "used"},
			"PVC %s is deleted, but %s uses it", e.Claim.Name, set.Spec.PodName(ordinal))
	case inRange(set, ordinal):
		m.taken = append(m.taken, e.Claim.Name)
		j.breach(e, Breach{Promise: ClaimsKept, Kind: "wanted"},
			"PVC %s is deleted, but spec.replicas is %d, which includes %s", e.Claim.Name, set.Spec.Spec.Replicas,
			set.Spec.PodName(ordinal))
	}
}

// used says whether a replica that is to stay exists and has the claim.
func (j *Judge) used(set *timeline.Set, claim string, ordinal int) bool {
	pod := find(set, set.Spec.PodName(ordinal))
	templates := set.Spec.Spec.ClaimTemplates
	return pod != nil && !pod.Terminating && slices.ContainsFunc(templates, func(t model.ClaimTemplate) bool {
		return model.ClaimName(set.Spec, &t, ordinal) == claim
	})
}

// createdWith judges that a pod is created with a claim for each claim template, and after the claims.
func (j *Judge) createdWith(set *timeline.Set, e *timeline.Event, ordinal int) {
	templates := set.Spec.Spec.ClaimTemplates
	for i := range templates {
		if name := model.ClaimName(set.Spec, &templates[i], ordinal); j.fold.Claim(set.Key.Namespace, name) == nil {
			j.breach(e, Breach{Promise: ClaimsCreated}, "%s is created, and there is no claim %s", e.Pod, name)
			return
		}
	}
}

// claimsLeft judges, at the end of a run, that the claims of replicas that a scale-down has removed are gone. It
// reports one breach a set at most.
func (j *Judge) claimsLeft(e *timeline.Event, set *timeline.Set) {
	templates := set.Spec.Spec.ClaimTemplates
	for _, pod := range j.memoryOf(set.Key).removed {
		for i := range templates {
			name := model.ClaimName(set.Spec, &templates[i], set.Spec.OrdinalOf(pod))
			if claim := j.fold.Claim(set.Key.Namespace, name); claim != nil && !claim.Terminating {
				j.breach(e, Breach{Promise: ClaimsGo, Set: set.Key},
					"%s is removed, %s is still there, and whenScaled is Delete", pod, name)
				return
			}
		}
	}
}
