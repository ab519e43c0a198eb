package upgrade

import (
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Stop is a version on the way of a cluster: Name as the user wrote it or 1.MINOR, Profile with the feature gates
// applied. Gates are those that the user set for it; other patches of its minor version are compared with them.
type Stop struct {
	Name    string
	Profile statefulset.Profile
	Gates   map[string]bool
}

// Versions are the two versions of an upgrade, written as statefulset.Release writes them, and the feature gates that
// the user sets: Gates under both, FromGates and ToGates under one of them, over those.
type Versions struct {
	From, To                  string
	Gates, FromGates, ToGates map[string]bool
}

// Options are those of a comparison of the versions, with the versions on the way; Path is nil if there are none in
// between. The error is that of a version that is not known, or refuses the gates.
func (v Versions) Options() (Options, error) {
	o := Options{Names: v.Names(), ToGates: v.GatesOfTo()}
	var err error
	if o.From, err = statefulset.Gated(v.From, v.GatesOfFrom()); err != nil {
		return o, err
	}
	if o.To, err = statefulset.Gated(v.To, o.ToGates); err != nil {
		return o, err
	}
	path := Path(Stop{Name: v.From, Profile: o.From}, Stop{Name: v.To, Profile: o.To, Gates: o.ToGates}, v.Gates)
	if len(path) > 2 {
		o.Path = path
	}
	return o, nil
}

// Names are the names of the two sides: their versions and, if those are the same, which one has which gates.
func (v Versions) Names() [2]string {
	if v.From != v.To {
		return [2]string{v.From, v.To}
	}
	return [2]string{v.From + " (current)", v.To + " (new)"}
}

// GatesOfFrom and GatesOfTo are the gates of one side. The map is the caller's, and not nil.
func (v Versions) GatesOfFrom() map[string]bool { return joined(v.Gates, v.FromGates) }

// GatesOfTo are those of the other side.
func (v Versions) GatesOfTo() map[string]bool { return joined(v.Gates, v.ToGates) }

// joined returns the gates of both sides, over which those of one win.
func joined(both, own map[string]bool) map[string]bool {
	gates := map[string]bool{}
	maps.Copy(gates, both)
	maps.Copy(gates, own)
	return gates
}

// hop is the way from one version to another, played as one upgrade.
type hop struct {
	from, to statefulset.Profile
	names    [2]string
	// gates are those that the user set for the version to come.
	gates map[string]bool
	// levels are the patches of the version to come, the oldest first; nil for the way from the first version to the
	// last, of which no patches are compared.
	levels []level
}

// hops returns the way from the first version to the last at once, and then those of the path: at least two hops, and
// index 0 is never part of the path.
func (o *Options) hops() []*hop {
	list := []*hop{{from: o.From, to: o.To, names: o.Names}}
	path := o.Path
	if len(path) < 2 {
		path = []Stop{{Name: o.Names[0], Profile: o.From}, {Name: o.Names[1], Profile: o.To, Gates: o.ToGates}}
	}
	for i := range path[1:] {
		a, b := path[i], path[i+1]
		list = append(list, &hop{from: a.Profile, to: b.Profile, names: [2]string{a.Name, b.Name}, gates: b.Gates})
	}
	return list
}

// Path returns the versions that a cluster passes from one to another: a control plane goes up by one minor version at
// a time. Between the two that are given it takes the newest patch of each minor. The gates are those that the user
// set; a version that does not know a gate, or has it locked, is passed without it.
func Path(from, to Stop, gates map[string]bool) []Stop {
	first, last := minor(from.Name), minor(to.Name)
	path := []Stop{from}
	for m := first + 1; m < last; m++ {
		name := fmt.Sprintf("1.%d", m)
		profile, err := statefulset.Lookup(name)
		if err != nil {
			// A minor version that behaves like the previous one has no name of its own.
			continue
		}
		path = append(path, Stop{Name: name, Profile: profile.WithKnown(gates), Gates: gates})
	}
	return append(path, to)
}

// minor returns the minor version of 1.MINOR or 1.MINOR.PATCH; 0 if there is none.
func minor(name string) int {
	_, number, _ := strings.Cut(name, ".")
	number, _, _ = strings.Cut(number, ".")
	n, _ := strconv.Atoi(number)
	return n
}
