package plan

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/plan/times"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/render"
)

// edit is a set of the world, and the result of its change in the API server. look fills it in; play and judge
// complete set. Copies stand for the same set under another role (still, stands).
type edit struct {
	// pair is the set in both streams. At least one of its sides is given, or it is wrong.
	pair *Pair
	// given is the running set as it would be if it were created again, live the same set as it is stored; both are nil
	// if there is none. live has the defaults of the version.
	given, live *model.StatefulSet
	// wanted is the new set as stored after the change, fresh the same set if it were created from nothing; both are
	// nil if nothing changes. If the change is refused, wanted is what was asked for.
	wanted, fresh *model.StatefulSet
	// timings are the times of the set's pods by stage, none of them nil once look has returned without an error.
	timings times.Timings
	// part is the dump of the set and of what concerns it; nil if the set is assumed to be at rest.
	part *dump.Dump
	// judged says how the set stands in the dump; nil if no dump shows its pods.
	judged *judge.Set
	// cured says what NEW brings that its pods lack, as a clause; "" for nothing.
	cured string
	// shownAs is the change of the set as the dump has it, nil if that is the change of live.
	shownAs *shownAs
	// resting is true if the dump shows the set at rest; now is its state otherwise.
	resting bool
	now     string
	// fixed is true if the change is of a field that nobody can change.
	fixed bool
	// bared is true if the set could not be created today and has no pods.
	bared bool
	// staged is the rollout that the set has begun and not ended, nil if it has none, or if the dump shows it.
	staged *staged
	// kept are the fields that the new manifest does not have, and that an apply which changes nothing leaves.
	kept []string
	// set is the answer about the change; nil if nothing changes.
	set *Set
	// alias is the name under which the set is played; nil means its own name.
	alias *model.Key
}

// key returns the name under which the set is played.
func (e *edit) key() model.Key {
	if e.alias != nil {
		return *e.alias
	}
	return e.pair.Key
}

// changes says whether there is a change to be played: one that the API server accepts.
func (e *edit) changes() bool { return e.set != nil && e.set.Refusal == nil }

// rolls says whether the template changes. It needs wanted, if the set runs.
func (e *edit) rolls() bool {
	return e.live != nil && e.live.Spec.Template.Data != e.wanted.Spec.Template.Data
}

// look finds out what the change does to a set as the API server stores it. An error of type invalid concerns this set
// alone; any other ends the plan. Several sets may be looked at at once.
func (in *Input) look(w *world, p *Pair) (*edit, error) {
	e := &edit{pair: p}
	if len(p.wrong) > 0 {
		return e, invalid{errors.New(strings.Join(p.wrong, "; "))}
	}
	if in.state != nil && in.state.Has(p.Key) {
		e.part, e.resting = w.state.Part(p.Key), in.state.AtRest(p.Key)
		e.cured = in.brings(p.Key)
		e.judged = w.judged[p.Key]
		if !e.resting {
			e.now = in.state.Now(p.Key)
		}
	}
	if err := e.stored(w); err != nil {
		return e, invalid{err}
	}
	e.among(in.crowd)
	timings, err := times.Of(&times.Sources{
		Flags: w.Times, Recordings: w.Recordings, Annotated: p.annotated, Dump: in.state, Key: p.Key, Live: e.live,
		Set: e.shown(),
	})
	e.timings = timings
	switch {
	case err != nil:
		return nil, err
	case p.New == nil:
		return e, nil
	case e.live == nil:
		e.set.Notes = in.renamed(p)
	case e.set.Refusal != nil:
		e.set.Does, e.set.Ends = Refused, "it is refused"
		e.set.Headline = "the API server refuses the change"
		e.set.Refusal.Changes = meant(e.set.Changes, w.profile)
		e.fixed = len(e.set.Refusal.Changes) > 0
	case len(e.set.Changes) == 0:
		e.set, e.wanted = nil, nil
	}
	if e.changes() && e.part == nil {
		e.staged = e.resumes()
	}
	return e, nil
}

// invalid is the mistake in a set of either stream, with its place.
type invalid struct{ error }

// refuse notes that the change of a set is not known, because something is wrong with the set.
func (e *edit) refuse(err error) {
	p := e.pair
	*e = edit{pair: p, set: &Set{
		Namespace: p.Key.Namespace, Name: p.Key.Name, key: p.Key, Does: Refused, Changes: []diff.Change{},
		Ends:     "it is refused",
		Headline: "is invalid",
		Refusal: &Refusal{Message: err.Error(), Way: "correct it: this plan leaves it out", invalid: true,
			unreadable: len(p.wrong) > 0},
	}}
}

// about says how well a time is known that was played with the times of the set.
func (e *edit) about() string {
	return e.timings.About(e.live != nil && times.Regraced(e.live, e.shown()))
}

// shown returns the set whose template says how long its pods take: the new one, or else the one that runs.
func (e *edit) shown() *model.StatefulSet {
	if e.wanted != nil {
		return e.wanted
	}
	return e.live
}

// stored lets the API server take the set that runs now, and then the one to come.
func (e *edit) stored(w *world) error {
	p, lab := e.pair, w.of().lab()
	if p.Old != nil {
		given, refusal := p.old()
		if refusal == nil {
			e.given = given
			if e.live, refusal = lab.Store(given); refusal != nil && len(given.Spec.Template.Wrong) > 0 {
				if e.bare(lab) {
					refusal, lab.World = nil, e.part.Begin(lab.World)
				}
			}
		}
		if refusal != nil {
			return fmt.Errorf("%s:%d: Kubernetes %s would not have accepted the set that runs now: %s",
				p.Old.File, p.Old.Node.Line, w.profile.Version(), refusal.Message)
		}
	}
	if p.New == nil {
		return nil
	}
	e.set = &Set{Namespace: p.Key.Namespace, Name: p.Key.Name, key: p.Key}
	if e.live != nil && !e.bared && p.same {
		e.wanted = e.live
		return nil
	}
	wrong := func(refusal *model.APIError) error {
		if w.profile.CheckClaims && len(p.pods) > 0 {
			return p.pods.Err()
		}
		return fmt.Errorf("%s:%d: %s", p.New.File, p.New.Node.Line, refusal.Message)
	}
	fresh, refusal := p.New.NewApplied(p.Key.Namespace)
	if refusal != nil {
		return wrong(refusal)
	}
	e.fresh = fresh
	if e.live == nil {
		if e.wanted, refusal = lab.Store(fresh); refusal != nil {
			return wrong(refusal)
		}
		return nil
	}
	return e.applied(lab)
}

// bare takes a set that runs, and that the API server would not create today, as it is: it was created when the API
// server did not look at pod templates. None of its pods can be created, so that it has none. It has the defaults of
// the version all the same. It is false if something else is wrong with the set.
func (e *edit) bare(lab *play.Lab) bool {
	right, template := *e.given, *e.given.Spec.Template
	template.Wrong, template.WrongBefore = nil, nil
	right.Name, right.Spec.ServiceName, right.Spec.Wrong, right.Spec.Template = "right", "", nil, &template
	stored, refusal := lab.Store(&right)
	if refusal != nil {
		return false
	}
	live := *stored
	live.Name, live.Spec.ServiceName = e.given.Name, e.given.Spec.ServiceName
	live.Spec.Wrong, live.Spec.Template = e.given.Spec.Wrong, e.given.Spec.Template
	e.live, e.bared = &live, true
	if e.part == nil {
		e.part = &dump.Dump{State: &sim.State{From: e.pair.Old.File, Sets: []*model.StatefulSet{&live}}}
		e.now = "none of its pods can be created: " + e.given.Spec.Template.Wrong[0]
		if more := len(e.given.Spec.Template.Wrong) - 1; more > 0 {
			e.now += " (and " + render.Count(more, "more error") + ")"
		}
	}
	return true
}

// applied lets the API server take the change of an existing set, and compares the set before and after. A refusal is
// no error: wanted is then what was asked for.
func (e *edit) applied(lab *play.Lab) error {
	p := e.pair
	asked, _, refusal := p.New.Apply(e.live)
	if refusal != nil {
		return fmt.Errorf("%s: %s", p.Key, refusal.Message)
	}
	_, stored, refusal := lab.Change(e.given, func(live *model.StatefulSet) (*model.StatefulSet, *model.APIError) {
		next := *live
		next.Spec, next.Labels, next.Annotations = asked.Spec, asked.Labels, asked.Annotations
		return &next, nil
	})
	e.wanted = stored
	if refusal != nil {
		e.wanted, e.set.Refusal = asked, &Refusal{Message: refusal.Message}
	}
	known := templates{}
	before, after := known.tree(e.live), known.tree(e.wanted)
	e.set.Changes = diff.Of("", before, after)
	diff.ByWeight(e.set.Changes)
	if len(e.set.Changes) == 0 || refusal != nil {
		e.keeps(lab, known, after)
		return nil
	}
	e.shows()
	if e.bared {
		return nil
	}
	fresh, refusal := lab.Store(e.fresh)
	if refusal == nil {
		e.set.Notes = applyNotes(p, e.live, e.wanted, after, known.tree(fresh))
	}
	return nil
}

// leaves says of a set that does not change what its manifest does not have, and why that stays; "" if that is
// nothing.
func (e *edit) leaves() string {
	if len(e.kept) == 0 {
		return ""
	}
	n := len(e.kept)
	return fmt.Sprintf("%s: %s %s, though the new manifest does not have %s: the live object was not created with "+
		"kubectl apply, and a first apply removes nothing from it; kubectl replace does, or the tool that has created it",
		e.pair.Key, render.List(e.kept, 3), render.Agree(n, "stays", "stay"), render.Agree(n, "it", "them"))
}

// keeps notes what an apply that changes nothing leaves of a live set although its new manifest does not have it:
// nobody knows that a manifest once had it.
func (e *edit) keeps(lab *play.Lab, known templates, after map[string]any) {
	fresh, refusal := lab.Store(e.fresh)
	if refusal != nil || !e.pair.live || e.live.Annotations[manifest.LastApplied] != "" {
		return
	}
	for _, c := range diff.Of("", known.tree(fresh), after) {
		if strings.HasPrefix(c.Path, "spec.") && c.New != nil && c.Old == nil {
			e.kept = append(e.kept, c.Path)
		}
	}
}

// describe fills in what the run in which nothing goes wrong shows.
func (s *Set) describe(e *edit, f *facts) {
	goesOn := e.staged
	s.Order, s.Moves = f.order(false), f.moves
	s.verdict, s.scales = f.verdict, e.live != nil && e.live.Spec.Replicas != e.wanted.Spec.Replicas
	s.onDelete, s.between = e.onDelete(), f.startsBetween()
	s.Completes, s.Ends, s.provided, s.young = f.completes(), f.ending(), f.provided, e.young(f)
	if s.young {
		s.Ends = "it is too early to say: " + f.stuck.Why.Object + " may become Ready. If it does not, " + s.Ends
	}
	s.Volumes = f.volumes
	s.Serving = &Serving{Before: f.before, Fewest: f.fewest, After: f.serving, Replicas: f.replicas}
	replacements := f.of(replaced)
	spec := diff.Under(s.Changes, "spec.")
	switch {
	case e.live == nil:
		s.Does, s.Headline = Creates, "creates the set with "+render.Count(f.replicas, "pod")
	case e.rolls():
		s.Does, s.Headline = Rolls, e.headline(f, replacements)
	case goesOn != nil || f.goesOn && e.part != nil:
		s.Does, s.Headline = Rolls, "continues the rollout: "+e.headline(f, replacements)
		if goesOn != nil {
			s.Notes = append([]string{goesOn.why}, s.Notes...)
		}
	case e.live.Spec.Replicas != e.wanted.Spec.Replicas:
		s.Does, s.Headline = Scales, "only scales"+e.scaling()
		if e.renumbers() {
			s.Headline = "scales" + e.scaling() + ", and " + e.renumbering(f)
		}
	case e.renumbers() && len(f.moves) > 0:
		s.Does, s.Headline = Renumbers, e.renumbering(f)
	case len(spec) > 0:
		s.Does, s.Headline = Policy, "changes only policy: no pod is touched"
	default:
		s.Does, s.Headline = Labels, "changes only labels or annotations of the set itself: no pod is touched"
	}
	if e.rolls() {
		s.Notes = append(e.causes(f), s.Notes...)
	}
	if e.live != nil && e.part == nil {
		s.Notes = append(s.Notes, e.pair.status.notes(goesOn != nil)...)
		s.Notes = append(s.Notes, e.leftByHand(goesOn)...)
	}
	if e.cured != "" {
		s.Notes = append(s.Notes, e.cured)
	}
	s.Shows, s.doubt, s.Now, s.Then = e.now, e.doubt(), e.before(), e.then(f)
	switch {
	case e.part != nil && e.pair.deleting:
		s.Headline = "is being deleted, and a change that is applied now is lost with it"
	case s.doubt != "" && e.pair.deleting:
		s.Headline = "is being deleted; if it stays, and all its pods exist and are Ready: " + s.Headline
	case s.doubt != "":
		s.Headline = "if all its pods exist and are Ready: " + s.Headline
	}
	s.Notes = append(s.Notes, e.owners()...)
	if e.pair.live && e.live.Annotations[manifest.LastApplied] == "" {
		s.Notes = append(s.Notes, "the live object was not created with kubectl apply: a first apply removes nothing from it")
	}
}

// owners says which controller of its own writes the set.
func (e *edit) owners() []string {
	if owner := e.pair.operator; owner != nil {
		return []string{fmt.Sprintf("the set belongs to %s: its operator writes it, and may undo other changes of it", owner)}
	}
	return nil
}

// scaling words a change of the number of replicas, "" if there is none.
func (e *edit) scaling() string {
	if e.live.Spec.Replicas == e.wanted.Spec.Replicas {
		return ""
	}
	return fmt.Sprintf(" from %d to %d", e.live.Spec.Replicas, e.wanted.Spec.Replicas)
}

// onDelete says whether the new set has the strategy OnDelete.
func (e *edit) onDelete() bool {
	return e.wanted != nil && e.wanted.Spec.Strategy.Type == model.OnDeleteStrategy
}

// headline words in a sentence what a change of the template does to the pods.
func (e *edit) headline(f *facts, replacements []Move) string {
	text, scaling := "", e.scaling()
	switch n, all := len(replacements), min(f.there, f.replicas); {
	case n == 0 && f.stuck != nil && e.part != nil && !e.onDelete():
		text = "changes the template"
		if scaling != "" {
			text += " and scales" + scaling
			scaling = ""
		}
		switch {
		case e.young(f):
			text += ", and the rollout starts when " + f.stuck.Why.Object + " is Ready"
		case f.startsBetween():
			text += ", and the rollout starts " + dump.BetweenTwo(f.comes)
		case f.when != "":
			text += ", and the rollout starts " + f.when
		default:
			text += ", and the rollout does not start: no pod is replaced"
		}
	case n == 0 && e.onDelete():
		text = "changes the template and replaces no pod: with OnDelete a pod gets the new template when somebody deletes it"
	case n == 0:
		text = "changes the template and replaces no pod"
	case n < all && n == 1:
		text = fmt.Sprintf("replaces 1 of %d pods", all)
	case n < all:
		text = fmt.Sprintf("replaces %d of %d pods, %s", n, all, pace(replacements))
	case n == 1:
		text = "replaces its only pod"
	case n == 2:
		text = "replaces both pods, " + pace(replacements)
	default:
		text = fmt.Sprintf("replaces all %d pods, %s", n, pace(replacements))
	}
	if partition := e.wanted.Partition(); partition > 0 && len(replacements) < f.replicas {
		text += fmt.Sprintf(" (partition %d)", partition)
	}
	if scaling != "" {
		text += ", and scales" + scaling
	}
	if e.renumbers() {
		text += ", and " + e.renumbering(f)
	}
	return text
}

// causes says what in the template changes, if it is not an image, and what that does to the pods.
func (e *edit) causes(f *facts) []string {
	images := "the same images"
	if f.behind {
		images = "the images of the template"
	}
	then := "the pods restart all the same, with " + images
	switch {
	case f.there == 0:
		then = "there is no pod that could restart"
	case len(f.of(replaced)) == 0:
		then = "no pod restarts; one that somebody deletes comes back with " + images
	}
	changes := diff.Under(e.set.Changes, "spec.template.")
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

// renamed says of a new set which of those that are gone it may have been.
func (in *Input) renamed(p *Pair) []string {
	var notes []string
	for _, gone := range in.Pairs {
		if gone.New != nil || gone.Old == nil || len(gone.wrong) > 0 {
			// It is there, or something is wrong in it.
			continue
		}
		selector := func(p *manifest.Set) any { return p.Object.Spec.Selector }
		moved := gone.Key.Name == p.Key.Name
		if !moved && (gone.Key.Namespace != p.Key.Namespace || !reflect.DeepEqual(selector(gone.Old), selector(p.New))) {
			continue
		}
		what := "name"
		if moved {
			what = "namespace"
		}
		notes = append(notes, fmt.Sprintf("%s is gone from the files: if this is meant to be the same set under another "+
			"%s, it is nevertheless a new set, with new pods and new claims", gone.Key, what))
	}
	return notes
}
