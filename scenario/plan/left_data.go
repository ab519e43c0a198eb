package plan

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// warnOfLeftData adds an alarm to a set that is created while another one leaves the files with claims of the same
// names: a set that is renamed, or moves to another namespace, is a new one, and its data stays behind.
func (in *Input) warnOfLeftData(e *edit) {
	p := e.pair
	if p.New == nil || p.Old != nil {
		return
	}
	for _, gone := range in.Pairs {
		if gone.New != nil || gone.Old == nil || gone.Key.Name != p.Key.Name && gone.Key.Namespace != p.Key.Namespace {
			continue
		}
		claim := sharedClaim(gone.Old.Object.Spec.VolumeClaimTemplates, p.New.Object.Spec.VolumeClaimTemplates)
		if claim == "" {
			continue
		}
		e.set.alarm(TrapClaims, "%s leaves the files: if this is the same set under another name or in another "+
			"namespace, its data does not come along: it stays in the claims %s-%s-N, and the new set begins with empty ones",
			gone.Key, claim, gone.Key.Name)
	}
}

// sharedClaim returns the name of the first claim template that both have, "" if there is none.
func sharedClaim(old, new []corev1.PersistentVolumeClaim) string {
	for i := range old {
		if slices.ContainsFunc(new, func(c corev1.PersistentVolumeClaim) bool { return c.Name == old[i].Name }) {
			return old[i].Name
		}
	}
	return ""
}
