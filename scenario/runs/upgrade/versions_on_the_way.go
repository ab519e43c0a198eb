package upgrade

import (
	"fmt"
	"maps"
	"slices"
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
	if o.From, err = gated(v.From, v.GatesOfFrom()); err != nil {
		return o, err
	}
	if o.To, err = gated(v.To, o.ToGates); err != nil {
		return o, err
	}
	path, err := Path(Stop{Name: v.From, Profile: o.From}, Stop{Name: v.To, Profile: o.To, Gates: o.ToGates}, v.Gates)
	if len(path) > 2 {
		o.Path = path
	}
	return o, err
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

// gated returns the profile of a version with gates.
func gated(version string, gates map[string]bool) (statefulset.Profile, error) {
	profile, err := statefulset.Lookup(version)
	if err != nil {
		return profile, err
	}
	return profile.WithGates(gates)
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
// set; a version that does not know a gate, or has it locked, is passed without it. The error is that of a version
// that refuses the gates together.
func Path(from, to Stop, gates map[string]bool) ([]Stop, error) {
	first, last := minor(from.Name), minor(to.Name)
	path := []Stop{from}
	for m := first + 1; m < last; m++ {
		name := fmt.Sprintf("1.%d", m)
		profile, err := statefulset.Lookup(name)
		if err != nil {
			// A minor version that behaves like the previous one has no name of its own.
			continue
		}
		if profile, err = profile.WithGates(settable(profile, gates)); err != nil {
			return nil, err
		}
		path = append(path, Stop{Name: name, Profile: profile, Gates: gates})
	}
	return append(path, to), nil
}

// settable returns those gates that a version knows and lets a user set.
func settable(profile statefulset.Profile, gates map[string]bool) map[string]bool {
	known := map[string]bool{}
	for _, gate := range statefulset.AllGates() {
		if on, set := gates[gate]; set && profile.Knows(gate) && !profile.Locked(gate) {
			known[gate] = on
		}
	}
	return known
}

// minor returns the minor version of 1.MINOR or 1.MINOR.PATCH; 0 if there is none.
func minor(name string) int {
	_, number, _ := strings.Cut(name, ".")
	number, _, _ = strings.Cut(number, ".")
	n, _ := strconv.Atoi(number)
	return n
}

// Patch is a patch release, or several that behave alike, under which sets are worse off than under another patch
// release of the same minor version.
type Patch struct {
	// Version is the first of them, Versions all: 1.34.0 to 1.34.1.
	Version  string `json:"version"`
	Versions string `json:"versions"`
	// Worse are the sets that are worse off, in the order of the input; Cases are those in which at least one of
	// them is.
	Worse []string `json:"worse"`
	Cases []string `json:"cases"`
	// Happens says of each of these cases what happens there to the first of its sets.
	Happens []string `json:"happens"`
	// Avoid is the first later patch under which they are not worse off: the newest at the latest, with which the patches
	// are compared.
	Avoid string `json:"avoid,omitempty"`

	// first is the number of the patch release, by which Patches are sorted.
	first int
}

// note notes a case, unless it is known.
func (p *Patch) note(name, happens string) {
	if !slices.Contains(p.Cases, name) {
		p.Cases, p.Happens = append(p.Cases, name), append(p.Happens, happens)
	}
}

// level is a group of patch releases of a minor version that behave alike.
type level struct {
	// profile is that of the first patch, with the user's gates. The patches from first to last behave alike.
	profile     statefulset.Profile
	first, last int
	minor       int
	// newest is true if no later patch release is known to behave differently.
	newest bool
}

func (l *level) version() string { return fmt.Sprintf("1.%d.%d", l.minor, l.first) }

func (l *level) versions() string {
	switch {
	case l.newest:
		return l.version() + " and later"
	case l.first == l.last:
		return l.version()
	}
	return fmt.Sprintf("%s to 1.%d.%d", l.version(), l.minor, l.last)
}

// mostPatches is more than any minor version has had. Patch numbers that are not known are passed over, so that a
// greater number costs only look-ups.
const mostPatches = 40

// levels returns the levels of a minor version, the oldest first; none if no version of it is known. Each patch has
// those of the gates that it lets a user set.
func levels(minor int, gates map[string]bool) []level {
	var list []level
	for patch := range mostPatches {
		profile, err := statefulset.Lookup(fmt.Sprintf("1.%d.%d", minor, patch))
		if err != nil {
			continue
		}
		if n := len(list); n > 0 && list[n-1].profile.Version() == profile.Version() {
			list[n-1].last = patch
			continue
		}
		if gated, err := profile.WithGates(settable(profile, gates)); err == nil {
			profile = gated
		}
		list = append(list, level{profile: profile, first: patch, last: patch, minor: minor})
	}
	if len(list) > 0 {
		list[len(list)-1].newest = true
	}
	return list
}

// worsePatches returns the patches of the version that a hop leads to under which a set is worse off, in cases in
// which it is not so under the newest; they have no Worse yet. What the newest does as well is no matter of the patch,
// and the report has it as a row. The list is in the order of the patches.
func (h *hop) worsePatches(p *player) []*Patch {
	all := h.levels
	if len(all) < 2 {
		return nil
	}
	worse := make([]Patch, len(all))
	for i := range all {
		worse[i] = h.worseCases(p, all[i].profile)
	}
	var list []*Patch
	for i, l := range all[:len(all)-1] {
		found := &Patch{Version: l.version(), Versions: l.versions(), first: l.first}
		for j, name := range worse[i].Cases {
			if !slices.Contains(worse[len(all)-1].Cases, name) {
				found.note(name, worse[i].Happens[j])
			}
		}
		if len(found.Cases) == 0 {
			continue
		}
		better := slices.IndexFunc(worse[i+1:], func(later Patch) bool {
			return !slices.ContainsFunc(found.Cases, func(name string) bool { return slices.Contains(later.Cases, name) })
		})
		found.Avoid = all[i+1+better].version()
		list = append(list, found)
	}
	return list
}

// worseCases returns the cases in which a set is worse off under a version than under the one that the hop begins
// with. It reuses rows that were looked at; a row that it makes itself has only what judge needs.
func (h *hop) worseCases(p *player, profile statefulset.Profile) (found Patch) {
	to := &hop{from: h.from, to: profile}
	for _, c := range p.cases() {
		key := p.bothOf(c, to)
		if p.alike(c, to, key) {
			continue
		}
		row := p.looked[key]
		if row == nil {
			row = &Row{kind: c, promised: promised(p.set) - c.Lost, Pair: &Pair{}}
			row.Runs = p.both(c, to, key)
			p.judge(row, key)
		}
		if row.IsWorse {
			_, ends := contrast(row.Outcomes[0], row.Outcomes[1], int(p.set.Spec.Replicas))
			found.note(c.Name, fmt.Sprintf("%s (%s): the set %s", c.Does, c.Name, ends))
		}
	}
	return found
}

// merge joins successive patch releases that are the same for the sets. Patches must be sorted by then.
func (h *Hop) merge() {
	merged := []*Patch{}
	for _, p := range h.Patches {
		n := len(merged)
		if n == 0 || !merged[n-1].same(p) {
			merged = append(merged, p)
			continue
		}
		_, last, found := strings.Cut(p.Versions, " to ")
		if !found {
			last = p.Version
		}
		merged[n-1].Versions = merged[n-1].Version + " to " + last
	}
	h.Patches = merged
}

func (p *Patch) same(other *Patch) bool {
	return p.Avoid == other.Avoid && slices.Equal(p.Worse, other.Worse) && slices.Equal(p.Cases, other.Cases)
}

// avoid adds the patch releases under which a set is worse off. It is called once for each set, in the order of the
// input; the found patches are shared by all sets of a shape, and stay as they are.
func (h *Hop) avoid(set *Set, patches []*Patch) {
	for _, found := range patches {
		at := slices.IndexFunc(h.Patches, func(p *Patch) bool { return p.Version == found.Version })
		if at < 0 {
			at = len(h.Patches)
			h.Patches = append(h.Patches, &Patch{
				Version: found.Version, Versions: found.Versions, Avoid: found.Avoid, first: found.first,
			})
		}
		patch := h.Patches[at]
		patch.Worse = append(patch.Worse, set.Key.String())
		for i, name := range found.Cases {
			patch.note(name, found.Happens[i])
		}
	}
}
