package explain

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/heal"
	"github.com/statefulsim/statefulsim/sim/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// WayOut is a way out, played as it is printed, pasted into a shell in one go.
type WayOut struct {
	What     string   `json:"what"`
	Commands []string `json:"commands"`
	Heals    bool     `json:"heals"`
	// FewestServing is the least number of pods that serve at a fixed point on the way, PodsDeleted the number of pods
	// that it deletes, and Takes the time until the last change.
	FewestServing int     `json:"fewestServing"`
	PodsDeleted   int     `json:"podsDeleted"`
	Takes         Instant `json:"takes"`
	// Replaces are the pods that go and come back, in the order in which they go; Removes are those that do not come back.
	Replaces []string `json:"replaces,omitempty"`
	Removes  []string `json:"removes,omitempty"`
	// Danger says what must be true first; "" if nothing can be lost. Needs is what else is assumed.
	Danger string `json:"danger,omitempty"`
	Needs  string `json:"needs,omitempty"`
	// Later says what remains to be done behind the commands. Unblocks says that a drain goes on, although the set is not
	// whole at the end.
	Later    string `json:"later,omitempty"`
	Unblocks bool   `json:"unblocks,omitempty"`
	// Reverts says that it reverts the template, which has to be reverted in Git too.
	Reverts bool `json:"reverts,omitempty"`
	// Events is the run in which it was tried.
	Events []timeline.Event `json:"-"`

	way reasons.Way
	of  before
}

// before is what matters of a set before a way is used: how many pods serve, and whether it is being deleted. set is the
// set of a dump; nil in a scenario, where it is known how long pods take and which become Ready.
type before struct {
	key     model.Key
	serving int
	going   bool
	set     *timeline.Set
}

// Useless says whether a way that people try does not heal the set, and no assumption would change that: it is worth
// naming, so that nobody tries it, all the more so if it deletes data.
func (w *WayOut) Useless() bool {
	return !w.Heals && !w.Unblocks && w.Needs == "" && (w.Danger == "" || len(w.way.Loses) > 0)
}

// waysOut returns the ways for a set in their JSON form, in the same order.
func waysOut(list []heal.Way, of before) []WayOut {
	var ways []WayOut
	for i := range list {
		w := &list[i].Way
		replaced, removed := leaves(w, list[i].Events, of.key)
		way := WayOut{
			What: w.What, Commands: w.Commands, Heals: w.Heals, FewestServing: w.Fewest, PodsDeleted: w.Deleted,
			Takes: Instant(w.Takes), Danger: w.Danger, Needs: w.Needs, Reverts: w.Reverts, way: *w,
			Later: w.Later, Unblocks: w.Unblocks,
			Replaces: replaced, Removes: removed, of: of, Events: list[i].Events,
		}
		way.Needs = cmp.Or(way.Needs, way.unsure())
		way.way.Needs = way.Needs
		ways = append(ways, way)
	}
	return ways
}

// mostWays is the number of fixes that are printed for people; JSON has all.
const mostWays = 5

// printWays writes the fixes for a stuck set, and names what does not help.
func printWays(ways []WayOut, line func(int, string)) {
	var healing, useless, drains []WayOut
	for _, way := range ways {
		if way.Heals {
			healing = append(healing, way)
		} else if way.Unblocks {
			drains = append(drains, way)
		} else if way.Useless() {
			useless = append(useless, way)
		}
	}
	for _, way := range drains {
		line(2, "Unblocks the drain, but the StatefulSet stays not whole (simulated): "+way.Line()+".")
		for _, command := range way.Commands {
			line(5, command)
		}
	}
	if len(healing) > 0 {
		line(2, "Fixes, the safest first (each verified by simulation from this state, exactly as printed):")
	} else if len(drains) > 0 {
		line(2, "None of the tried fixes makes the StatefulSet whole: the cause itself has to be fixed.")
	} else {
		line(2, "None of the tried fixes works: the cause itself has to be fixed.")
	}
	for i := range healing[:min(len(healing), mostWays)] {
		line(2, fmt.Sprintf("%d. %s.", i+1, healing[i].Line()))
		for _, command := range healing[i].Commands {
			line(5, command)
		}
	}
	if more := len(healing) - mostWays; more > 0 {
		line(2, fmt.Sprintf("(%d more with -o json)", more))
	}
	if len(useless) > 0 {
		var words []string
		for _, way := range useless {
			words = append(words, way.What)
		}
		line(2, "Does not fix it (simulated): "+strings.Join(words, "; ")+".")
	}
}
