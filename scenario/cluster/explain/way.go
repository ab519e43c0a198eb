package explain

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/reasons"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// WayOut is a way out, played as it is printed, pasted into a shell in one go.
type WayOut struct {
	// What says in words what the Commands do. Heals says whether the set is complete after them.
	What     string   `json:"what"`
	Commands []string `json:"commands"`
	Heals    bool     `json:"heals"`
	// FewestServing is the least number of pods that serve at a fixed point on the way, PodsDeleted the number of pods
	// that it deletes, and Takes the time until the last change.
	FewestServing int     `json:"fewestServing"`
	PodsDeleted   int     `json:"podsDeleted"`
	Takes         Instant `json:"takes"`
	// Replaces are the pods that go and come back, in the order in which they go; Removes are those that do not come
	// back.
	Replaces []string `json:"replaces,omitempty"`
	Removes  []string `json:"removes,omitempty"`
	// Danger says what must be true first; "" if nothing can be lost. Needs is what else is assumed.
	Danger string `json:"danger,omitempty"`
	Needs  string `json:"needs,omitempty"`
	// WhyNot says why it does not heal, if that is known and not obvious.
	WhyNot string `json:"whyNot,omitempty"`
	// Later says what remains to be done after the commands. Unblocks says that a drain continues, although the set is
	// not complete at the end.
	Later    string `json:"later,omitempty"`
	Unblocks bool   `json:"unblocks,omitempty"`
	// Relieves says that more pods serve after it than without it, although the set is not complete: ServesAfter.
	Relieves    bool `json:"relieves,omitempty"`
	ServesAfter int  `json:"servesAfter,omitempty"`
	// Besides says what it does besides what it is for: what it breaks, and who takes it back.
	Besides []string `json:"besides,omitempty"`
	// Reverts says that it reverts the template, which has to be reverted in Git too.
	Reverts bool `json:"reverts,omitempty"`
	// Events is the run in which it was tried.
	Events []timeline.Event `json:"-"`

	// way is the way as heal has it, with what else is assumed; of is the set before it.
	way reasons.Way
	of  before
}

// before is what matters of a set before a way is used: how many pods serve, and whether it is being deleted. set is
// the set of a dump; nil in a scenario, where it is known how long pods take and which become Ready.
type before struct {
	key     model.Key
	serving int
	going   bool
	set     *timeline.Set
}

// Useless says whether a way that people try does not heal the set, and no assumption would change that: it is worth
// naming, so that nobody tries it, all the more so if it deletes data.
func (w *WayOut) Useless() bool {
	return !w.Heals && !w.Unblocks && !w.Relieves && w.Needs == "" && (w.Danger == "" || len(w.way.Loses) > 0)
}

// touchesNodes says whether a command is about a node.
func (w *WayOut) touchesNodes() bool {
	return slices.ContainsFunc(w.Commands, func(command string) bool {
		return strings.Contains(command, "taint nodes ") || strings.Contains(command, "delete node ")
	})
}

// writesTemplate says whether a command changes the pod template: that gives no volume more room.
func (w *WayOut) writesTemplate() bool {
	return slices.ContainsFunc(w.Commands, func(command string) bool {
		return strings.Contains(command, " set image statefulset/") || strings.Contains(command, " edit statefulset/")
	})
}

// clears says whether a way deletes a pod that has what a pod of the set needs.
func (w *WayOut) clears() bool { return strings.Contains(w.What, ", which has ") }
