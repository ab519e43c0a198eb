package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// does says what a change does to a set, in a word and in a sentence, by the run in which nothing goes wrong.
func does(s *stored.Set, f *run.Facts) (word, sentence string) {
	switch {
	case s.Live == nil:
		return Creates, "creates the set with " + render.Count(f.Replicas, "pod")
	case s.Rolls():
		return Rolls, headline(s, f)
	case continues(s, f):
		return Rolls, "continues the rollout: " + headline(s, f)
	case s.Scales() && s.Renumbers():
		return Scales, "scales" + scaling(s) + ", and " + renumbering(f)
	case s.Scales():
		return Scales, "only scales" + scaling(s)
	case s.Renumbers() && len(f.Moves) > 0:
		return Renumbers, renumbering(f)
	case len(diff.Under(s.Changes, "spec.")) > 0:
		return Policy, "changes only policy: no pod is touched"
	}
	return Labels, "changes only labels or annotations of the set itself: no pod is touched"
}

// continues says whether a change lets a rollout go on that had begun before.
func continues(s *stored.Set, f *run.Facts) bool {
	return s.Staged != nil || f.GoesOn && s.Part != nil
}

// doubtful says what a sentence is worth, for a set that is being deleted or whose pods the dump does not show.
func doubtful(s *stored.Set, sentence string) string {
	switch {
	case s.Part != nil && s.Pair.Deleting:
		return "is being deleted, and a change that is applied now is lost with it"
	case s.Doubt() != "" && s.Pair.Deleting:
		return "is being deleted; if it stays, and all its pods exist and are Ready: " + sentence
	case s.Doubt() != "":
		return "if all its pods exist and are Ready: " + sentence
	}
	return sentence
}

func scaling(s *stored.Set) string {
	if s.Live.Spec.Replicas == s.Wanted.Spec.Replicas {
		return ""
	}
	return fmt.Sprintf(" from %d to %d", s.Live.Spec.Replicas, s.Wanted.Spec.Replicas)
}

// headline words in a sentence what a change of the template does to the pods.
func headline(s *stored.Set, f *run.Facts) string {
	replacements := f.Moves.Of(run.Replaced)
	text, scaling := "", scaling(s)
	switch n, all := len(replacements), min(f.There, f.Replicas); {
	case n == 0 && f.Stuck != nil && s.Part != nil && !s.OnDelete():
		text = "changes the template"
		if scaling != "" {
			text += " and scales" + scaling
			scaling = ""
		}
		switch {
		case s.Young(f.Stuck):
			text += ", and the rollout starts when " + f.Stuck.Why.Object + " is Ready"
		case f.StartsBetween():
			text += ", and the rollout starts " + dump.BetweenTwo(f.Comes)
		case f.When != "":
			text += ", and the rollout starts " + f.When
		default:
			text += ", and the rollout does not start: no pod is replaced"
		}
	case n == 0 && s.OnDelete():
		text = "changes the template and replaces no pod: with OnDelete a pod gets the new template when somebody deletes it"
	case n == 0:
		text = "changes the template and replaces no pod"
	case n < all && n == 1:
		text = fmt.Sprintf("replaces 1 of %d pods", all)
	case n < all:
		text = fmt.Sprintf("replaces %d of %d pods, %s", n, all, replacements.Pace())
	case n == 1:
		text = "replaces its only pod"
	case n == 2:
		text = "replaces both pods, " + replacements.Pace()
	default:
		text = fmt.Sprintf("replaces all %d pods, %s", n, replacements.Pace())
	}
	if partition := s.Wanted.Partition(); partition > 0 && len(replacements) < f.Replicas {
		text += fmt.Sprintf(" (partition %d)", partition)
	}
	if scaling != "" {
		text += ", and scales" + scaling
	}
	if s.Renumbers() {
		text += ", and " + renumbering(f)
	}
	return text
}

func renumbering(f *run.Facts) string {
	made, gone := len(f.Moves.Of(run.Created)), len(f.Moves.Of(run.Removed))
	return fmt.Sprintf("moves to other ordinals: %s created, %d %s deleted",
		render.Count(made, "pod")+" "+render.Agree(made, "is", "are"), gone, render.Agree(gone, "is", "are"))
}

// causes says what in the template changes, if it is not an image, and what that does to the pods.
func causes(s *stored.Set, f *run.Facts) []string {
	images := "the same images"
	if f.Behind {
		images = "the images of the template"
	}
	then := "the pods restart all the same, with " + images
	switch {
	case f.There == 0:
		then = "there is no pod that could restart"
	case len(f.Moves.Of(run.Replaced)) == 0:
		then = "no pod restarts; one that somebody deletes comes back with " + images
	}
	changes := diff.Under(s.Changes, "spec.template.")
	annotations := diff.Under(changes, "spec.template.metadata.annotations")
	labels := diff.Under(changes, "spec.template.metadata.labels")
	switch {
	case len(changes) == len(annotations):
		var names []string
		for _, c := range annotations {
			names = append(names, c.Names()...)
		}
		return []string{fmt.Sprintf("only %s (%s): %s", render.Agree(len(names), "an annotation of the template changes",
			"annotations of the template change"), strings.Join(names, ", "), then)}
	case len(changes) == len(annotations)+len(labels):
		return []string{"only labels or annotations of the template change: " + then}
	case !slices.ContainsFunc(changes, func(c diff.Change) bool { return !c.Reordered }):
		return []string{"only the order of lists in the template changes: " + then}
	}
	return nil
}
