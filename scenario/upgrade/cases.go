package upgrade

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// Case is something that happens to sets.
type Case struct {
	// Name is the case's word, Does says what happens.
	Name, Does string

	// across: the set is made under the earlier version, and its control plane becomes that of the one that is tried.
	across bool
	// first is the image that the set begins with, "" is its own.
	first string
	// fits says whether the case can happen to a set; nil is always.
	fits  func(*model.StatefulSet) bool
	steps func(*script)
}

// soon is a moment in which an update is under way, but has not got far.
const soon = 1 * time.Second

// Cases are what every set is put through, in their order.
var Cases = []*Case{
	{
		Name: "upgrade", Does: "the upgrade of the control plane itself", across: true,
		steps: func(*script) {},
	},
	{
		Name: "image", Does: "a new image",
		steps: func(s *script) { s.image(imageNew) },
	},
	{
		Name: "broken", Does: "a new image that never starts, and is reverted",
		steps: func(s *script) { s.image(imageBroken); s.image("") },
	},
	{
		Name: "unready-image", Does: "a new image that runs but never becomes Ready, and is reverted",
		steps: func(s *script) { s.image(imageUnready); s.image("") },
	},
	{
		Name: "fixed", Does: "a first image that never becomes Ready, and is fixed", first: imageUnready,
		steps: func(s *script) { s.after(time.Minute).image(imageNew) },
	},
	{
		Name: "restart", Does: "a low pod that is deleted in the middle of an update",
		fits: several,
		steps: func(s *script) {
			s.image(imageNew)
			s.after(soon).delete(s.lowest())
		},
	},
	{
		Name: "unready-pod", Does: "an update while a low pod is not Ready",
		steps: func(s *script) {
			s.unready(s.lowest())
			s.after(10 * time.Second).image(imageNew)
		},
	},
	{
		Name: "partition", Does: "a pod below the partition that is deleted twice after an update",
		fits: func(set *model.StatefulSet) bool { return set.Partition() > 0 && set.Spec.Replicas > 0 },
		steps: func(s *script) {
			s.image(imageNew)
			s.delete(0)
			s.delete(0)
		},
	},
	{
		Name: "by-hand", Does: "a new image, and all pods deleted by hand",
		fits: func(set *model.StatefulSet) bool { return set.Spec.Strategy.Type == model.OnDeleteStrategy },
		steps: func(s *script) {
			s.image(imageNew)
			s.deleteAll()
		},
	},
	{
		Name: "scale", Does: "a scale-up by two and a scale-down by three",
		steps: func(s *script) {
			s.scale(s.set.Spec.Replicas + 2)
			s.scale(max(0, s.set.Spec.Replicas-1))
		},
	},
	{
		Name: "scale-back", Does: "a scale-up that is taken back when its first pod is just Ready",
		steps: func(s *script) {
			s.scale(s.set.Spec.Replicas + 2)
			s.after(startTime + readyTime + soon).scale(s.set.Spec.Replicas)
		},
	},
	{
		Name: "failed", Does: "a pod that is evicted, and so Failed",
		fits:  func(set *model.StatefulSet) bool { return set.Spec.Replicas > 0 },
		steps: func(s *script) { s.fail(0) },
	},
	{
		Name: "succeeded", Does: "a pod whose containers end, and that so has Succeeded",
		fits:  func(set *model.StatefulSet) bool { return set.Spec.Replicas > 0 },
		steps: func(s *script) { s.succeed(0) },
	},
}

func several(set *model.StatefulSet) bool { return set.Spec.Replicas > 1 }

// lowest is the index of the lowest pod that an update reaches, 0 where it reaches none.
func (s *script) lowest() int {
	if partition := s.set.Partition(); partition < int(s.set.Spec.Replicas) {
		return partition
	}
	return 0
}

// casesOf lists the cases that can happen to a set.
func casesOf(set *model.StatefulSet) []*Case {
	var cases []*Case
	for _, c := range Cases {
		if c.fits == nil || c.fits(set) {
			cases = append(cases, c)
		}
	}
	return cases
}
