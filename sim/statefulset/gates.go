package statefulset

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// gateState is how a version treats a feature gate. gateGone is the zero value: a gate that no level names is not
// known.
type gateState uint8

const (
	// gateGone: the version does not know the gate, not yet or no longer.
	gateGone gateState = iota
	// gateKnown: the gate may be set. Its default is the profile's own value of the field that it switches.
	gateKnown
	// gateLocked: the gate is known, and cannot be set to anything but its default (GA).
	gateLocked
)

// gateChange is a gate's new state from a level on.
type gateChange struct {
	gate  string
	state gateState
}

// gateFields maps each gate to the profile field that it switches. One field is switched by at most one gate. A
// gate's default is the value of the field in the level's profile.
var gateFields = map[string]func(*Profile) *bool{
	"MaxUnavailableStatefulSet":             func(p *Profile) *bool { return &p.MaxUnavailable },
	"PodIndexLabel":                         func(p *Profile) *bool { return &p.PodIndex },
	"StaleControllerConsistencyStatefulSet": func(p *Profile) *bool { return &p.StaleGuard },
	"StatefulSetAutoDeletePVC":              func(p *Profile) *bool { return &p.Retention },
	"StatefulSetMinReadySeconds":            func(p *Profile) *bool { return &p.MinReadySeconds },
	"StatefulSetRecreateStrategy":           func(p *Profile) *bool { return &p.Recreate },
	"StatefulSetSemanticRevisionComparison": func(p *Profile) *bool { return &p.SemanticRevisions },
	"StatefulSetStartOrdinal":               func(p *Profile) *bool { return &p.StartOrdinal },
}

// gate returns a gate's state in the version: from the nearest level that names it, on the way from the profile's
// level to the first one.
func (p Profile) gate(name string) gateState {
	for l := p.level; l != nil; {
		for _, change := range l.gates {
			if change.gate == name {
				return change.state
			}
		}
		from := indexOfLevel(l.from)
		if from < 0 {
			break
		}
		l = &levels[from]
	}
	return gateGone
}

// Gates lists the feature gates that the version knows, in the order of their names.
func (p Profile) Gates() []string {
	var known []string
	for _, name := range slices.Sorted(maps.Keys(gateFields)) {
		if p.gate(name) != gateGone {
			known = append(known, name)
		}
	}
	return known
}

// Gate reports whether a feature gate is on. A gate that the version does not know is off, even if the behaviour it
// once switched is there: it has become part of the version.
func (p Profile) Gate(name string) bool {
	field, exists := gateFields[name]
	return exists && p.gate(name) != gateGone && *field(&p)
}

// WithGates returns the profile with feature gates set. A gate that the version does not know, or has locked at the
// other value, is refused; the error lists the gates that are known. The result keeps the version of p, and Gate and
// API follow the new values.
func (p Profile) WithGates(gates map[string]bool) (Profile, error) {
	for _, name := range slices.Sorted(maps.Keys(gates)) {
		switch state := p.gate(name); {
		case state == gateGone:
			return Profile{}, fmt.Errorf("feature gate %s is not known in Kubernetes %s: %s", name, p.Version(), p.knownGates())
		case state == gateLocked && gates[name] != p.Gate(name):
			return Profile{}, fmt.Errorf("feature gate %s is locked to %t in Kubernetes %s: it cannot be set to %t",
				name, p.Gate(name), p.Version(), gates[name])
		}
		*gateFields[name](&p) = gates[name]
	}
	return p, nil
}

// Gated returns the profile of a version, "" for the newest, with feature gates set.
func Gated(version string, gates map[string]bool) (Profile, error) {
	profile, err := Lookup(version)
	if err != nil {
		return profile, err
	}
	return profile.WithGates(gates)
}

// WithKnown returns the profile with the given feature gates, as far as the version lets a user set them.
func (p Profile) WithKnown(gates map[string]bool) Profile {
	for _, name := range AllGates() {
		if on, set := gates[name]; set && p.Knows(name) && !p.Locked(name) {
			*gateFields[name](&p) = on
		}
	}
	return p
}

// knownGates lists the gates that the version knows, in a clause for the end of a refusal.
func (p Profile) knownGates() string {
	known := p.Gates()
	if len(known) == 0 {
		return "it has none for StatefulSets"
	}
	return "it has " + strings.Join(known, ", ")
}
