package cache

import (
	"maps"
	"slices"
)

// labels are the values that the revision label has on the pods of a group, each with a number that stands for it while
// a pod has it.
type labels struct {
	ids map[string]revisionID
	// used counts the pods by number; free are the numbers that no pod has any more.
	used []int
	free []revisionID
	// shared is true while all this is another group's too.
	shared bool
}

// noRevision is the number of a label that no pod has.
const noRevision = ^revisionID(0)

// copy returns the same labels. Each may be changed without the other; O(1).
func (l *labels) copy() labels {
	l.shared = true
	return *l
}

func (l *labels) write() {
	if l.shared {
		l.ids, l.used, l.free, l.shared = maps.Clone(l.ids), slices.Clone(l.used), slices.Clone(l.free), false
	}
	if l.ids == nil {
		l.ids = map[string]revisionID{}
	}
}

// add counts another pod with the label.
func (l *labels) add(revision string) {
	l.write()
	id, known := l.ids[revision]
	if !known {
		id = l.fresh()
		l.ids[revision] = id
	}
	l.used[id]++
}

func (l *labels) fresh() revisionID {
	if last := len(l.free) - 1; last >= 0 {
		id := l.free[last]
		l.free = l.free[:last]
		return id
	}
	l.used = append(l.used, 0)
	return revisionID(len(l.used) - 1)
}

// drop counts one pod less with the label. The number of a label that no pod has any more is for others.
func (l *labels) drop(revision string) {
	l.write()
	id := l.ids[revision]
	if l.used[id]--; l.used[id] == 0 {
		delete(l.ids, revision)
		l.free = append(l.free, id)
	}
}

// known returns the number that stands for a label.
func (l *labels) known(revision string) revisionID {
	if id, known := l.ids[revision]; known {
		return id
	}
	return noRevision
}
