package promise

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// memory is what a judge remembers of one StatefulSet beyond its state. It begins anew for another StatefulSet of the
// same name, which has another uid.
type memory struct {
	// key and uid are those of the StatefulSet. A namesake begins with an empty memory, but for forced.
	key model.Key
	uid model.UID
	// lost are the names of the pods that the update has deleted while they served, and that are not Ready again yet, in
	// that order. Pods that are no longer wanted leave it.
	lost []string
	// replaced are the names of the pods that the update has deleted since the last change of the template, perhaps twice.
	replaced []string
	// old is the number of the template before the last change, 0 before the first change; current that of the present
	// one. reverted is true if the last change went back to the template before.
	old, current int
	reverted     bool
	// working are the numbers of the templates of which a pod has become Ready: their image works.
	working []int
	// taken are the claims that were deleted against the promise and have not come back.
	taken []string
	// removed are the pods that a scale-down has removed whose claims are to go with them; a scale-up or a change of the
	// policy takes them out.
	removed []string
	// forced is true once somebody has deleted a pod by force. It survives the StatefulSet: the processes do too.
	forced bool
	// miscounted is true while the status has a negative count, so that it is reported once. uncounted is true if
	// Recount has reported that the status did not count all pods, and it has not been right since.
	miscounted, uncounted bool
}

// memoryOf returns what is remembered of a StatefulSet, and begins to remember it. The few that a run has are looked
// through in their order. The pointer stays valid.
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

// copy returns what is remembered, for a fork. Its lists are its own.
func (m *memory) copy() *memory {
	c := *m
	c.lost, c.replaced, c.working = slices.Clone(m.lost), slices.Clone(m.replaced), slices.Clone(m.working)
	c.taken, c.removed = slices.Clone(m.taken), slices.Clone(m.removed)
	return &c
}

// lose notes that the update has taken down a pod that served; back that the pod is Ready again.
func (m *memory) lose(pod string) {
	if !slices.Contains(m.lost, pod) {
		m.lost = append(m.lost, pod)
	}
}

// back notes that a pod is Ready again: it is lost no more.
func (m *memory) back(pod string) {
	m.lost = slices.DeleteFunc(m.lost, func(lost string) bool { return lost == pod })
}

// works notes that a pod of a template has become Ready.
func (m *memory) works(template int) {
	if !slices.Contains(m.working, template) {
		m.working = append(m.working, template)
	}
}

// updates notes that the update has deleted a pod.
func (m *memory) updates(pod string) { m.replaced = append(m.replaced, pod) }

// updatedBefore says whether the update has deleted the pod already.
func (m *memory) updatedBefore(pod string) bool { return slices.Contains(m.replaced, pod) }

// seeChange takes in what a step has done to sets, before the fold does: a change of the template begins a new
// rollout, and a scale-up takes back what a scale-down had begun.
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

// AppendMemory appends what the judge remembers beyond the state of the world: two runs in one state that have the
// same memory are judged alike from there on. Templates stand in it by their numbers. Lists whose order does not
// matter are sorted; the breaches so far are left out, because they decide nothing.
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
		for _, template := range sorted(m.working) {
			to = binary.AppendUvarint(to, uint64(template)+1)
		}
		to = append(to, 0, flag(m.forced)|flag(m.reverted)<<1|flag(m.miscounted)<<2|flag(m.uncounted)<<3)
	}
	return to
}

// appendNames appends names in their order, after their number: two lists with the same names are the same bytes.
func appendNames(to []byte, names []string) []byte {
	to = binary.AppendUvarint(to, uint64(len(names)))
	for _, name := range sorted(names) {
		to = appendString(to, name)
	}
	return to
}

// sorted returns a list in order: itself, if it is.
func sorted[T cmp.Ordered](list []T) []T {
	if !slices.IsSorted(list) {
		list = slices.Clone(list)
		slices.Sort(list)
	}
	return list
}

// appendString appends a text after its length, so that no two lists of texts run together.
func appendString(to []byte, s string) []byte {
	return append(binary.AppendUvarint(to, uint64(len(s))), s...)
}

// flag returns a bool as a byte.
func flag(b bool) byte {
	if b {
		return 1
	}
	return 0
}
