package model

import "slices"

// BlockingFinalizers returns the finalizers of a pod that only their owners remove. The garbage collector removes its
// own, so it is left out.
func (p *Pod) BlockingFinalizers() []string {
	return slices.DeleteFunc(slices.Clone(p.Finalizers), func(f string) bool { return f == "foregroundDeletion" })
}

// BlockingFinalizers returns the finalizers of a set, except the ones that decide what happens to its pods when it
// is deleted. Only their owners remove them, and until then a deleted set stays.
func (s *StatefulSet) BlockingFinalizers() []string {
	return slices.DeleteFunc(slices.Clone(s.Finalizers), func(f string) bool {
		return f == "foregroundDeletion" || f == "orphan"
	})
}
