package cache

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// labels are the values of the revision label on the pods of a group, each with a number that represents it while a
// pod has it. Comparing numbers is cheaper than comparing names, and a question does it for each class.
type labels struct {
	// values are the labels by number, used counts the pods of each, free are the numbers that no pod has any more and
	// that fresh gives out again.
	values []string
	used   []int
	free   []revisionID
	// ids has the numbers of the labels if there are too many to look through; else it is nil.
	ids map[string]revisionID
	// shared is true while all this is another group's too, and counted while the counts are another's no more: write
	// copies the counts first, which change with every pod, and rename the rest.
	shared, counted bool
}

// noRevision is the number of a label that no pod has.
const noRevision = ^revisionID(0)

// few is the number of labels up to which they are searched linearly: a set has two revisions in use, rarely more.
const few = 8

// share prepares the labels for being copied: afterwards each of the two may be changed without the other.
func (l *labels) share() { l.shared, l.counted = true, false }

// write makes the counts the group's own, before they change; rename everything else.
func (l *labels) write() {
	if l.shared && !l.counted {
		l.used, l.counted = slices.Clone(l.used), true
	}
}

// rename makes all of the labels the group's own, before a label gets a number or loses it.
func (l *labels) rename() {
	l.write()
	if l.shared {
		l.values, l.free, l.ids, l.shared = slices.Clone(l.values), slices.Clone(l.free), maps.Clone(l.ids), false
	}
}

// add counts another pod with the label, and returns its number.
func (l *labels) add(revision string) revisionID {
	l.write()
	id := l.known(revision)
	if id == noRevision {
		id = l.fresh(revision)
	}
	l.used[id]++
	return id
}

// fresh gives a label that no pod has a number, a free one if there is any.
func (l *labels) fresh(revision string) revisionID {
	l.rename()
	var id revisionID
	if last := len(l.free) - 1; last >= 0 {
		id = l.free[last]
		l.free, l.values[id] = l.free[:last], revision
	} else {
		id = revisionID(len(l.used))
		if l.used == nil {
			l.used, l.values = make([]int, 0, few), make([]string, 0, few)
		}
		l.used, l.values = append(l.used, 0), append(l.values, revision)
	}
	if l.ids == nil && len(l.values) > few {
		l.ids = map[string]revisionID{}
		for other, value := range l.values {
			if l.used[other] > 0 {
				l.ids[value] = revisionID(other)
			}
		}
	}
	if l.ids != nil {
		l.ids[revision] = id
	}
	return id
}

// drop counts one pod less with the label. A pod with it must have been added. The number of a label that no pod has
// any more may be given to another.
func (l *labels) drop(revision string) {
	l.write()
	id := l.known(revision)
	if l.used[id]--; l.used[id] == 0 {
		l.rename()
		delete(l.ids, revision)
		l.free = append(l.free, id)
	}
}

// known returns the number of a label, noRevision if no pod has it.
func (l *labels) known(revision string) revisionID {
	if l.ids != nil {
		if id, known := l.ids[revision]; known {
			return id
		}
		return noRevision
	}
	for id, value := range l.values {
		if l.used[id] > 0 && model.SameText(value, revision) {
			return revisionID(id)
		}
	}
	return noRevision
}
