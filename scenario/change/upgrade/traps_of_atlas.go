package upgrade

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/search/atlas"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// trapped says for which sets of a group the later of two versions has a trap of the atlas that the earlier has not.
// It plays the trap's own example under both versions, and only if a group has the shape.
// Versions with feature gates are passed over: the atlas knows versions by their names only, and would play another
// behaviour than the user's.
func (b *Between) trapped(h *hop, has traps) {
	if len(b.Groups) == 0 || !plain(h.names[0], h.from) || !plain(h.names[1], h.to) {
		return
	}
	for _, t := range atlas.Unusual() {
		fits := func(g *Group) bool { return t.Fits(g.of) }
		if !slices.ContainsFunc(b.Groups, fits) || !has.isNew(t, h.names) {
			continue
		}
		for _, g := range b.Groups {
			if fits(g) {
				g.Traps = append(g.Traps, t.Name)
			}
		}
	}
}

// plain says whether a version is played as it is, without feature gates that somebody has set: so the atlas plays it.
func plain(name string, profile statefulset.Profile) bool {
	own, err := statefulset.Lookup(name)
	return err == nil && own == profile
}

// traps has what was played of the traps of the atlas: whether a version has one, nil if the atlas cannot play it.
type traps memo[trapOf, *bool]

// trapOf is a trap on a version.
type trapOf struct{ trap, version string }

// on plays a trap on a version, once.
func (known traps) on(t *atlas.Trap, version string) *bool {
	return memo[trapOf, *bool](known).get(trapOf{t.Name, version}, func() *bool {
		shown, err := t.On(version)
		if err != nil {
			return nil
		}
		return &shown.Has
	})
}

// isNew says whether the second of two versions has a trap and the first has not. In doubt, where the atlas cannot play
// one of them, it says no.
func (known traps) isNew(t *atlas.Trap, names [2]string) bool {
	after := known.on(t, names[1])
	if after == nil || !*after {
		return false
	}
	before := known.on(t, names[0])
	return before != nil && !*before
}

// knownTrap begins the sentence about a trap.
const knownTrap = "can run into the known trap "

// trapsIn says in sentences which traps are new for the sets of a group.
func (g *Group) trapsIn(b *Between) []string {
	var list []string
	for _, name := range g.Traps {
		t := atlas.Lookup(name)
		list = append(list, fmt.Sprintf(knownTrap+"%s, which %s has and %s does not have: "+
			"%s Way out: %s See %s", t.Name, b.To, b.From, t.Title, t.WayOut, shell.Line("sim", "atlas", t.Name)))
	}
	return list
}
