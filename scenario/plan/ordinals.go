package plan

import (
	"fmt"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/render"
)

// renumbers says whether ordinals.start changes. Each pod has its name, and its claims, by its ordinal: a pod whose
// ordinal goes is never replaced.
func (e *edit) renumbers() bool { return e.live != nil && e.live.Start() != e.wanted.Start() }

// renumbering words what a change of ordinals.start does to the pods.
func (e *edit) renumbering(f *facts) string {
	made, gone := len(f.of(created)), len(f.of(removed))
	return fmt.Sprintf("moves to other ordinals: %s created, %d %s deleted",
		render.Count(made, "pod")+" "+render.Agree(made, "is", "are"), gone, render.Agree(gone, "is", "are"))
}

// lostOrdinals says which pods go for good when ordinals.start changes, and which come in their place; "" if none goes.
func (e *edit) lostOrdinals() string {
	f := &facts{moves: e.set.Moves}
	gone, made := f.of(removed), f.of(created)
	if len(gone) == 0 {
		return ""
	}
	text := fmt.Sprintf("ordinals.start moves from %d to %d: %s %s deleted for good", e.live.Start(), e.wanted.Start(),
		pods(gone), render.Agree(len(gone), "is", "are"))
	claims := len(e.wanted.Spec.ClaimTemplates) > 0
	if claims && !retention(&e.wanted.Spec).DeleteWhenScaled {
		text += " (" + render.Agree(len(gone), "its", "their") + " claims stay, and no pod uses them)"
	}
	if len(made) == 0 {
		return text
	}
	text += "; " + pods(made) + " " + render.Agree(len(made), "starts", "start")
	switch {
	case claims && !e.hasClaims(made):
		text += " with new, empty claims"
		if e.part == nil || e.part.Claimless {
			text += ", unless claims of " + render.Agree(len(made), "its name", "their names") + " are left from before"
		}
		return text
	case claims:
		return text + " with the claims of " + render.Agree(len(made), "its own name", "their own names")
	}
	return text + " anew"
}

// hasClaims says whether the dump shows a claim of one of the pods.
func (e *edit) hasClaims(moves []Move) bool {
	if e.part == nil {
		return false
	}
	return slices.ContainsFunc(e.wanted.Spec.ClaimTemplates, func(t model.ClaimTemplate) bool {
		return slices.ContainsFunc(moves, func(m Move) bool {
			return e.part.Claim(model.Key{Namespace: e.pair.Key.Namespace, Name: t.Name + "-" + m.Pod}) != nil
		})
	})
}
