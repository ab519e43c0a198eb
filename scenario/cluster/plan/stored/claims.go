package stored

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// templatesOf returns the names of the claim templates of a set.
func templatesOf(set *model.StatefulSet) []string {
	var names []string
	for _, t := range set.Spec.ClaimTemplates {
		names = append(names, t.Name)
	}
	return names
}

// Reclaims returns the names of the claim templates that the change takes away, adds, and leaves or only changes.
func (s *Set) Reclaims() (gone, come, kept []string) {
	before, after := templatesOf(s.Live), templatesOf(s.Wanted)
	for _, name := range before {
		if slices.Contains(after, name) {
			kept = append(kept, name)
		} else {
			gone = append(gone, name)
		}
	}
	come = slices.DeleteFunc(after, func(name string) bool { return slices.Contains(before, name) })
	return gone, come, kept
}

// Makes says whether a claim template of the set gives a claim its name.
func (s *Set) Makes(key model.Key) bool {
	for _, set := range []*model.StatefulSet{s.Live, s.Wanted} {
		if set == nil || set.Namespace != key.Namespace {
			continue
		}
		_, ordinal := model.SplitPodName(key.Name)
		for i := range set.Spec.ClaimTemplates {
			if model.ClaimName(set, &set.Spec.ClaimTemplates[i], ordinal) == key.Name {
				return true
			}
		}
	}
	return false
}
