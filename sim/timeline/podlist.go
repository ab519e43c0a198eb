package timeline

import (
	"cmp"
	"slices"
)

// PodList is a list of pods in the order of ordinals, then of names. A pod whose name has no ordinal has -1. The zero
// value is an empty list.
//
// A deleted pod leaves a gap, because most come back: finding, filling or leaving a gap is O(log n); a list without
// gaps would move everything after it. When half of the list is gaps, they are closed.
type PodList struct {
	// slots are the pods and the gaps. A gap is a deleted pod: it keeps its place by its ordinal and its name. The
	// last slot is never a gap.
	slots []*Pod
	gaps  int
}

// Len returns the number of pods.
func (l *PodList) Len() int { return len(l.slots) - l.gaps }

// All yields the pods in their order. It is an iterator for range. The list must not change meanwhile.
func (l *PodList) All(yield func(*Pod) bool) {
	for _, p := range l.slots {
		if !p.gap && !yield(p) {
			return
		}
	}
}

// Any reports whether a pod of the list satisfies is.
func (l *PodList) Any(is func(*Pod) bool) bool {
	for p := range l.All {
		if is(p) {
			return true
		}
	}
	return false
}

// First returns the pod with the lowest ordinal, nil if there is none; Last the one with the highest.
func (l *PodList) First() *Pod {
	for p := range l.All {
		return p
	}
	return nil
}

// Last returns the pod with the highest ordinal, nil if there is none; O(1).
func (l *PodList) Last() *Pod {
	if len(l.slots) == 0 {
		return nil
	}
	return l.slots[len(l.slots)-1]
}

// named returns the pod of a name and its ordinal, or nil.
func (l *PodList) named(name string, ordinal int) *Pod {
	if at, found := l.find(name, ordinal); found && !l.slots[at].gap {
		return l.slots[at]
	}
	return nil
}

// find finds the slot of a pod, or the place where it belongs.
func (l *PodList) find(name string, ordinal int) (at int, found bool) {
	at = guess(len(l.slots), ordinal, func(i int) int { return l.slots[i].Ordinal })
	if at >= 0 && l.slots[at].Name == name {
		return at, true
	}
	return slices.BinarySearchFunc(l.slots, name, func(p *Pod, name string) int {
		return cmp.Or(cmp.Compare(p.Ordinal, ordinal), cmp.Compare(p.Name, name))
	})
}

// Put puts a pod into the list, in the place of one of its name.
func (l *PodList) Put(p *Pod) {
	at, found := l.find(p.Name, p.Ordinal)
	if !found {
		l.slots = slices.Insert(l.slots, at, p)
		return
	}
	if l.slots[at].gap {
		l.gaps--
	}
	l.slots[at] = p
}

// drop removes a permanently deleted pod from the list. A pod that moves to another list is copied first.
func (l *PodList) drop(p *Pod) {
	p.gap = true
	l.gaps++
	l.close()
}

// close drops the gaps at the end, and all gaps when they are half of the list.
func (l *PodList) close() {
	for n := len(l.slots); n > 0 && l.slots[n-1].gap; n-- {
		l.slots[n-1] = nil
		l.slots, l.gaps = l.slots[:n-1], l.gaps-1
	}
	if 2*l.gaps > len(l.slots) {
		l.slots = slices.DeleteFunc(l.slots, func(p *Pod) bool { return p.gap })
		l.gaps = 0
	}
}

// copy copies the list and its pods, in one piece and without gaps.
func (l *PodList) copy() PodList {
	if l.Len() == 0 {
		return PodList{}
	}
	all, c := make([]Pod, 0, l.Len()), PodList{slots: make([]*Pod, 0, l.Len())}
	for p := range l.All {
		all = append(all, *p)
		c.slots = append(c.slots, &all[len(all)-1])
	}
	return c
}
