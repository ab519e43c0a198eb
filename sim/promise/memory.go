package promise

import (
	"encoding/binary"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// memory is what a judge remembers of one StatefulSet beyond its state.
type memory struct {
	key model.Key
	uid model.UID
	// lost are the pods that the update has deleted while they served, and that are not Ready again yet.
	lost []string
	// replaced are the pods that the update has deleted since the last change of the template.
	replaced []string
	// old is the template before the last change, 0 before the first change; reverted is true if the last change took
	// one back.
	old, current int
	reverted     bool
	// working are the templates of which a pod has become Ready.
	working []int
	// taken are the claims that were deleted, not by a user, and have not come back.
	taken []string
	// removed are the pods that a scale-down has removed whose claims are to go with them.
	removed []string
	// forced is true once somebody has deleted a pod by force.
	forced bool
	// miscounted is true while the status has a negative count, uncounted if it did not count all pods at the last fixed
	// point at which the controller had caught up.
	miscounted, uncounted bool
}

// memoryOf finds what is remembered of a StatefulSet. The few that a run has are looked through in their order.
func (j *Judge) memoryOf(key model.Key) *memory {
	for _, m := range j.sets {
		if m.key == key {
			return m
		}
	}
	m := &memory{key: key}
	j.sets = append(j.sets, m)
	return m
}

func (m *memory) copy() *memory {
	c := *m
	c.lost, c.replaced, c.working = slices.Clone(m.lost), slices.Clone(m.replaced), slices.Clone(m.working)
	c.taken, c.removed = slices.Clone(m.taken), slices.Clone(m.removed)
	return &c
}

func (m *memory) lose(pod string) {
	if !slices.Contains(m.lost, pod) {
		m.lost = append(m.lost, pod)
	}
}

func (m *memory) back(pod string) {
	m.lost = slices.DeleteFunc(m.lost, func(lost string) bool { return lost == pod })
}

func (m *memory) works(template int) {
	if !slices.Contains(m.working, template) {
		m.working = append(m.working, template)
	}
}

func (m *memory) updates(pod string)            { m.replaced = append(m.replaced, pod) }
func (m *memory) updatedBefore(pod string) bool { return slices.Contains(m.replaced, pod) }

// seeChange takes in what a step has done to sets.
func (j *Judge) seeChange(sets []*model.StatefulSet) {
	for _, set := range sets {
		m := j.memoryOf(set.Key())
		if m.uid != set.UID {
			*m = memory{key: m.key, uid: set.UID, forced: m.forced}
		}
		m.lost = slices.DeleteFunc(m.lost, func(pod string) bool { return !wanted(set, pod) })
		m.removed = slices.DeleteFunc(m.removed, func(pod string) bool { return wanted(set, pod) || !claimsGo(set) })
		if set.Spec.Template == nil || set.Spec.Template.ID == m.current {
			continue
		}
		m.reverted = m.old == set.Spec.Template.ID
		m.old, m.current = m.current, set.Spec.Template.ID
		m.replaced = nil
	}
}

// claimsGo says whether the claims of replicas that a scale-down removes are to be deleted.
func claimsGo(set *model.StatefulSet) bool {
	return set.Spec.Retention != nil && set.Spec.Retention.DeleteWhenScaled
}

// wanted says whether a pod's ordinal is one that the set wants.
func wanted(set *model.StatefulSet, pod string) bool {
	ordinal := set.OrdinalOf(pod)
	return ordinal >= set.Start() && ordinal < set.Start()+int(set.Spec.Replicas)
}

// AppendMemory appends what the judge remembers beyond the state of the world: two runs in one state that have the same
// memory are judged alike from there on. Templates stand in it by their numbers.
func (j *Judge) AppendMemory(to []byte) []byte {
	for _, m := range j.sets {
		to = appendString(to, m.key.Namespace)
		to = appendString(to, m.key.Name)
		to = appendNames(to, m.lost)
		if j.wants(OneRestartAChange) {
			to = appendNames(to, m.replaced)
		}
		to = appendNames(to, m.taken)
		to = appendNames(to, m.removed)
		to = binary.AppendUvarint(to, uint64(m.old))
		to = binary.AppendUvarint(to, uint64(m.current))
		working := slices.Clone(m.working)
		slices.Sort(working)
		for _, template := range working {
			to = binary.AppendUvarint(to, uint64(template)+1)
		}
		to = append(to, 0, flag(m.forced)|flag(m.reverted)<<1|flag(m.miscounted)<<2|flag(m.uncounted)<<3)
	}
	return to
}

func appendNames(to []byte, names []string) []byte {
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	to = binary.AppendUvarint(to, uint64(len(sorted)))
	for _, name := range sorted {
		to = appendString(to, name)
	}
	return to
}

func appendString(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
