package statefulset

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Before controller-refs (1.31) the owners of claims are compared by uid, and a set or a pod owns a claim plainly: it
// is not its controller.

// ownersByUID is ownersFor of these versions. An owner that is wanted and there already stays where it is.
func (s *sync) ownersByUID(claim *model.Claim, pod *model.Pod) []model.Owner {
	set, itsPod := s.wantedOwners(pod)
	owners := slices.DeleteFunc(slices.Clone(claim.Owners), func(o model.Owner) bool {
		return o.UID == s.set.UID && !set || o.UID == pod.UID && !itsPod
	})
	if wanted := s.wantedOwner(pod); wanted != nil && !ownedBy(owners, wanted.UID) {
		owners = append(owners, *wanted)
	}
	return owners
}

// staleByName reports whether an object with the pod's name and another uid owns a claim, whatever its kind.
func staleByName(claim *model.Claim, pod *model.Pod) bool {
	return slices.ContainsFunc(claim.Owners, func(o model.Owner) bool {
		return o.Name == pod.Name && o.UID != pod.UID
	})
}
