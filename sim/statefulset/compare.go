package statefulset

import (
	"maps"
	"slices"
	"strconv"
)

// Since returns the first patch that behaves as the profile does: 1.28.11 for the version that Version calls 1.28.
// It is "" for a profile that does not come from Lookup.
func (p Profile) Since() string {
	if p.level == nil {
		return ""
	}
	return "1." + strconv.Itoa(p.level.minor) + "." + strconv.Itoa(p.level.patch)
}

// Locked reports whether a feature gate is known, and cannot be set to anything but its default: the state of a
// gate that became GA, until it is removed.
func (p Profile) Locked(gate string) bool { return p.gate(gate) == gateLocked }

// Knows reports whether a feature gate is known.
func (p Profile) Knows(gate string) bool { return p.gate(gate) != gateGone }

// AllGates lists the feature gates about StatefulSets that any version knows, in the order of their names.
func AllGates() []string { return slices.Sorted(maps.Keys(gateFields)) }

// APIChanges describes how the API servers of two versions differ for a StatefulSet. The sentences are in the order
// of Differences; the list is nil if nothing changes. The gates of both profiles count.
func APIChanges(from, to Profile) []string {
	a, b := from.API(), to.API()
	var changes []string
	for i := range Differences {
		d := &Differences[i]
		for j := range d.rules {
			r := &d.rules[j]
			if before, now := *r.field(&a), *r.field(&b); before != now && !r.silent {
				changes = append(changes, r.change(d, now))
			}
		}
	}
	if !a.FieldErrors && !b.FieldErrors && a.Mutable != b.Mutable {
		changes = append(changes, "The refusal of a change names as mutable "+b.Mutable+"; before: "+a.Mutable+".")
	}
	return changes
}
