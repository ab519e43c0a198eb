package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/judge"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/run"
	"github.com/statefulsim/statefulsim/scenario/cluster/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/runs/atlas"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/output/render"
)

// notPlayed is the headline of a set whose run ended before the change came.
const notPlayed = "was not played"

// blank is the document of a set of which nothing is said yet.
func blank(s *stored.Set) Set {
	return Set{
		Namespace: s.Pair.Key.Namespace, Name: s.Pair.Key.Name, key: s.Pair.Key, pair: s.Pair,
		Changes: []diff.Change{}, Order: []string{}, Moves: run.Moves{},
	}
}

// document says what a change does to a set. It was played as r, unless that is nil; refusal is nil if it is not
// refused. traps are those of the atlas that the version has.
func document(f *stored.Frame, s *stored.Set, r *run.Run, refusal *Refusal, traps []*atlas.Trap) *Set {
	alarms, noted := alarm.Of(&alarm.Subject{Set: s, Input: f.Input, Run: r, Traps: traps})
	base := blank(s)
	base.alarms, base.Changes, base.Notes = alarms, full(s.Changes), append(notes(f.Input, s, r), noted...)
	switch {
	case s.Fate == stored.Invalid:
		return base.refused("is invalid", &Refusal{
			Message: s.Message, Way: "correct it: this plan leaves it out", Unreadable: len(s.Pair.Wrong) > 0,
		})
	case refusal != nil:
		return base.refused("the API server refuses the change", refusal)
	case r == nil:
		base.Headline, base.Ends = notPlayed, "the run was ended before the change came: raise --max-events"
		return &base
	}
	return base.played(s, r)
}

func (set Set) refused(headline string, refusal *Refusal) *Set {
	set.Does, set.Headline, set.Ends, set.Refusal = Refused, headline, "it is refused", refusal
	return &set
}

func (set Set) played(s *stored.Set, r *run.Run) *Set {
	f, duration := r.Main, r.Duration
	duration.Timings = full(duration.Timings)
	word, sentence := does(s, f)
	set.Does, set.Headline, set.Shows = word, doubtful(s, sentence), s.Now
	set.Now, set.Then = judgements(s, f)
	set.Order, set.Moves = full(f.Moves.Order(false)), full(f.Moves)
	if !duration.Known {
		set.Moves = f.Moves.Untimed()
	}
	set.Completes, set.Ends, set.Volumes = f.Completes(), r.Ends(s), f.Volumes
	set.Fix, set.Duration, set.Budgets, set.Cases = r.Fix, &duration, r.Budgets, r.Cases
	set.Serving = &Serving{Before: f.Before, Fewest: f.Fewest, After: f.Serving, Replicas: f.Replicas}
	set.verdict, set.scales, set.onDelete, set.between = f.Verdict, s.Scales(), s.OnDelete(), f.StartsBetween()
	set.young, set.doubt, set.provided = r.Young(s), s.Doubt(), f.Provided
	return &set
}

// judgements says how a set stands before and after the change; nil if no dump shows its pods.
func judgements(s *stored.Set, f *run.Facts) (now, then *judge.Judgement) {
	switch {
	case s.Judged == nil:
		return nil, nil
	case s.Young(f.Stuck):
		return &s.Judged.Judgement, &s.Judged.Judgement
	}
	return &s.Judged.Judgement, judge.AtEnd(&judge.End{
		Set: s.Pair.Key, Verdict: f.Verdict, Gone: f.Gone, Stuck: f.Stuck, Takes: f.Takes(), Provided: f.Provided,
	})
}

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

// resting is the document of a set that does not change, played without a change; nil for a set at rest.
func resting(w *run.World, s *stored.Set) *Set {
	set := blank(s)
	set.Does, set.Completes, set.Shows, set.doubt = Stays, true, s.Now, s.Doubt()
	switch {
	case set.doubt != "":
		set.Shows = ""
		return set.alarmed(alarm.TrapNotAtRest, "nothing changes in it, but %s, and the dump does not show its pods: "+
			"whether it completes by itself is not known", set.doubt)
	case s.Now == "":
		return nil
	}
	if s.Judged != nil {
		set.Now, set.Then = &s.Judged.Judgement, &s.Judged.Judgement
	}
	if early := s.Early(); early != "" {
		set.Completes, set.young = false, true
		return set.alarmed(alarm.TrapNotAtRest, "nothing changes in it, and %s", early)
	}
	alone := w.Of(s.Still())
	script, _ := alone.Script(play.Deed{Verb: "wait", Does: "wait"})
	events := alone.Lab().Run(script)
	f := run.Doubted(alone, s, script, events)
	set.verdict, set.Ends, set.Completes = f.Verdict, f.Ending(), f.Completes()
	if s.Cured != "" {
		set.Notes = []string{s.Cured}
		_, set.Then = judgements(s, f)
	}
	if !f.Completes() {
		set.Fix = run.FixOf(alone, s, script, events)
	}
	return stuckOrNot(set, s, f)
}

func stuckOrNot(set Set, s *stored.Set, f *run.Facts) *Set {
	switch {
	case f.Completes() && s.Cured != "":
		return set.alarmed(alarm.TrapNotAtRest, "nothing changes in it, and it is not at rest: %s. %s. Most likely it then "+
			"completes by itself%s", s.Now, s.Cured, f.Proviso())
	case f.Completes() && s.Judged != nil && s.Judged.State == judge.Stuck:
		set.Completes = false
		return set.alarmed(alarm.TrapStops, "is stuck already, and the change does not touch it: %s", s.Judged.Why)
	case f.Completes():
		return set.alarmed(alarm.TrapNotAtRest, "nothing changes in it, and it is not at rest: %s. It completes by itself%s",
			s.Now, f.Proviso())
	case f.Stuck != nil && s.Cured != "":
		return set.alarmed(alarm.TrapStops, "is stuck already. %s, but that is not enough: %s", s.Cured, f.Holds())
	case f.Stuck != nil:
		return set.alarmed(alarm.TrapStops, "is stuck already, and the change does not touch it: %s", f.Holds())
	}
	return set.alarmed(alarm.TrapStops, "nothing changes in it, and %s", f.Ending())
}

func (set Set) alarmed(trap, format string, args ...any) *Set {
	set.alarms = []alarm.Alarm{alarm.One(set.key, trap, format, args...)}
	return &set
}

// removed is the document of a set that left the files, with what deletes it; nil if nothing does. kubectl apply leaves
// it alone; helm upgrade and --prune delete it. If that deletes claims too, it is played.
func removed(w *run.World, s *stored.Set) *Set {
	if !s.Pair.Gone() || w.Ends() || !w.Input.Released(s.Pair) {
		return nil
	}
	set := blank(s)
	set.Does, set.Completes, set.Ends = Removes, true, "nothing happens until somebody deletes it"
	set.Headline = fmt.Sprintf("is not in the new files: helm upgrade and --prune delete it with its %s; kubectl apply "+
		"deletes nothing", render.Count(int(s.Live.Spec.Replicas), "pod"))
	if retention := s.Live.Spec.Retention; retention != nil && retention.DeleteWithSet {
		alone := w.Of(s.Still())
		script, _ := alone.Script(play.DeleteSet(s.Key(), sim.Background))
		set.Volumes = run.Gather(alone.Lab().Run(script), s.Key(), len(script)).Volumes
	}
	empty := ""
	if !w.Input.HasNew() {
		empty = ". NEW has no StatefulSet at all: check that it was rendered"
	}
	if len(set.Volumes) > 0 {
		return set.alarmed(alarm.TrapVolumes, "is not in the new files: if it is deleted (helm upgrade, --prune), so are %s "+
			"permanently, with their volumes (whenDeleted: Delete)%s", render.List(set.Volumes, 4), empty)
	}
	return set.alarmed(alarm.TrapRemoved, "%s%s", set.Headline, empty)
}
