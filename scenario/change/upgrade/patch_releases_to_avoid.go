package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

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
		list = append(list, level{profile: profile.WithKnown(gates), first: patch, last: patch, minor: minor})
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
