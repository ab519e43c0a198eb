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
func (b *Between) trapped(h *hop) {
	if len(b.Groups) == 0 || !plain(h.names[0], h.from) || !plain(h.names[1], h.to) {
		return
	}
	for _, t := range atlas.Unusual() {
		fits := func(g *Group) bool { return t.Fits(g.of) }
		if !slices.ContainsFunc(b.Groups, fits) || !isNew(t, h.names) {
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

// isNew says whether the second of two versions has a trap and the first has not. In doubt, where the atlas cannot play
// one of them, it says no.
func isNew(t *atlas.Trap, names [2]string) bool {
	before, err := t.On(names[0])
	if err != nil {
		return false
	}
	after, err := t.On(names[1])
	return err == nil && after.Has && !before.Has
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
