package plan

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// edit is what the API server makes of the change of one set.
type edit struct {
	pair *Pair
	// live is the set as it is stored, nil where there is none; wanted the set as it is to be.
	live, wanted *model.StatefulSet
	set          *Set
}

// rolls says whether the template changes.
func (e *edit) rolls() bool {
	return e.live != nil && e.live.Spec.Template.Data != e.wanted.Spec.Template.Data
}

// renews says whether the change gives pods another template: its own, or one that the set has held back.
func (e *edit) renews(w *world) bool { return e.rolls() || w.unfinished[e.pair.Key] != nil }

// look finds out what changes in a set. It returns nil where nothing does.
func (in *Input) look(plan *Plan, w *world, p *Pair) (*edit, error) {
	key := p.Key.String()
	of := p.New
	if of == nil {
		of = p.Old
		plan.Missing = append(plan.Missing, key)
	}
	given, refusal := of.New(p.Key.Namespace)
	if refusal != nil {
		return nil, fmt.Errorf("%s:%d: %s", of.File, of.Node.Line, refusal.Message)
	}
	timings, err := w.timingsOf(p, given)
	if err != nil {
		return nil, err
	}
	w.timings[p.Key] = timings
	if p.New == nil {
		return nil, nil
	}
	e := &edit{pair: p, set: &Set{Namespace: p.Key.Namespace, Name: p.Key.Name, key: p.Key}}
	if err := e.store(w); err != nil {
		return nil, err
	}
	if e.live != nil {
		e.set.Changes = diff("", tree(e.live), tree(e.wanted))
		fresh := &edit{pair: &Pair{Key: p.Key, New: p.New}, set: &Set{}}
		if err := fresh.store(w); err != nil {
			return nil, err
		}
		if fresh.wanted != nil && e.set.Refusal == nil {
			e.set.Notes = applyNotes(p, e.live, e.wanted, fresh.wanted)
		}
	}
	if e.live == nil {
		e.set.Notes = append(e.set.Notes, in.renamed(p)...)
	}
	switch {
	case e.set.Refusal != nil && e.live == nil:
		return nil, fmt.Errorf("%s:%d: %s", p.New.File, p.New.Node.Line, e.set.Refusal.Message)
	case e.set.Refusal != nil:
		e.set.Does, e.set.Ends = Refused, "it is refused"
		e.set.Headline = "the API server refuses the change"
		e.set.Refusal.Changes = meant(e.set.Changes, w.profile)
		e.around(w)
	case e.live != nil && len(e.set.Changes) == 0:
		plan.Unchanged = append(plan.Unchanged, key)
		return nil, nil
	}
	return e, nil
}

// store lets the API server take the old set and then the new one.
func (e *edit) store(w *world) error {
	var script script
	script.before([]*Pair{e.pair}, nil)
	number := script.after(0).change([]*Pair{e.pair})
	events := sim.New(sim.Config{
		Controller: statefulset.New(w.profile), API: w.profile.API(), MaxEvents: 1,
	}).Run(script.steps)
	for i := range events {
		step := events[i].Step
		switch {
		case step == nil:
		case step.Number == number && step.Effect == timeline.Refused:
			e.set.Refusal = &Refusal{Message: step.Refusal}
			if e.live == nil {
				continue
			}
			wanted, _, err := e.pair.New.Apply(e.live)
			if err != nil {
				return fmt.Errorf("%s: %s", e.pair.Key, err.Message)
			}
			e.wanted = wanted
		case step.Effect == timeline.Refused:
			return fmt.Errorf("%s:%d: Kubernetes %s would not have taken the set that runs now: %s",
				e.pair.Old.File, e.pair.Old.Node.Line, w.profile.Version(), step.Refusal)
		case step.Number == number:
			e.wanted = step.Sets[0]
		case len(step.Sets) > 0:
			e.live = step.Sets[0]
		}
	}
	return nil
}

// describe fills in what the run tells.
func (s *Set) describe(e *edit, f *facts, goesOn *staged) {
	s.Order, s.Moves = f.order(), f.moves
	s.Completes, s.Ends = f.verdict == timeline.Settled, f.ending()
	s.Serving = &Serving{Before: f.before, Fewest: f.fewest, After: f.serving, Replicas: f.replicas}
	replaced := f.of("replaced")
	spec := under(s.Changes, "spec.")
	switch {
	case e.live == nil:
		s.Does, s.Headline = Creates, "creates the set with "+count(f.replicas, "pod")
	case e.rolls():
		s.Does, s.Headline = Rolls, e.headline(f, replaced)
	case goesOn != nil:
		s.Does, s.Headline = Rolls, "goes on with the rollout: "+e.headline(f, replaced)
		s.Notes = append([]string{goesOn.why}, s.Notes...)
	case e.live.Spec.Replicas != e.wanted.Spec.Replicas:
		s.Does, s.Headline = Scales, "only scales"+e.scaling()
	case len(spec) > 0:
		s.Does, s.Headline = Policy, "changes only policy: no pod is touched"
	default:
		s.Does, s.Headline = Labels, "changes only labels or annotations of the set itself: no pod is touched"
	}
	if e.rolls() {
		s.Notes = append(e.causes(), s.Notes...)
	}
	if e.live != nil {
		s.Notes = append(s.Notes, e.pair.status.notes(goesOn != nil)...)
		s.Notes = append(s.Notes, e.leftByHand(goesOn)...)
	}
	s.Notes = append(s.Notes, e.owners()...)
	if e.pair.live && e.live.Annotations[manifest.LastApplied] == "" {
		s.Notes = append(s.Notes, "the live object was not made by kubectl apply: a first apply removes nothing from it")
	}
}

// owners says which controller of its own writes the set.
func (e *edit) owners() []string {
	var owners []struct {
		Kind       string `yaml:"kind"`
		Name       string `yaml:"name"`
		Controller bool   `yaml:"controller"`
	}
	if e.pair.Old == nil {
		return nil
	}
	// References that cannot be read are none: the server gives them, and a file rarely does.
	if n := field(field(e.pair.Old.Node, "metadata"), "ownerReferences"); n == nil || n.Decode(&owners) != nil {
		return nil
	}
	for _, owner := range owners {
		if owner.Controller {
			return []string{fmt.Sprintf("the set belongs to %s %s: its operator writes it, and may undo what anybody else "+
				"changes in it", owner.Kind, owner.Name)}
		}
	}
	return nil
}

func (e *edit) scaling() string {
	if e.live.Spec.Replicas == e.wanted.Spec.Replicas {
		return ""
	}
	return fmt.Sprintf(" from %d to %d", e.live.Spec.Replicas, e.wanted.Spec.Replicas)
}

func (e *edit) headline(f *facts, replaced []Move) string {
	text := ""
	switch n, all := len(replaced), min(f.before, f.replicas); {
	case n == 0 && e.wanted.Spec.Strategy.Type == model.OnDeleteStrategy:
		text = "changes the template and replaces no pod: with OnDelete a pod gets it when somebody deletes the pod"
	case n == 0:
		text = "changes the template and replaces no pod"
	case n < all:
		text = fmt.Sprintf("replaces %d of %d pods, %s", n, all, pace(replaced))
	case n == 1:
		text = "replaces its only pod"
	default:
		text = fmt.Sprintf("replaces all %d pods, %s", n, pace(replaced))
	}
	if partition := e.wanted.Partition(); partition > 0 && len(replaced) < f.replicas {
		text += fmt.Sprintf(" (partition %d)", partition)
	}
	if scaling := e.scaling(); scaling != "" {
		text += ", and scales" + scaling
	}
	return text
}

// causes says what it is in the template that makes pods new.
func (e *edit) causes() []string {
	changes := under(e.set.Changes, "spec.template.")
	annotations := under(changes, "spec.template.metadata.annotations")
	var images []string
	for _, c := range changes {
		if strings.HasSuffix(c.Path, ".image") && c.Old != nil && c.New != nil {
			images = append(images, c.String())
		}
	}
	switch {
	case len(changes) == len(annotations):
		var names []string
		for _, c := range annotations {
			names = append(names, strings.Trim(strings.TrimPrefix(c.Path, "spec.template.metadata.annotations"), ".[]"))
		}
		return []string{"only an annotation of the template changes (" + strings.Join(names, ", ") +
			"): the pods restart with the same images"}
	case len(images) == len(changes):
		return nil
	case slices.ContainsFunc(changes, func(c Change) bool { return strings.Contains(c.Path, "annotations[checksum/") }):
		return []string{"a checksum in the template's annotations changes too"}
	}
	return nil
}

// renamed says of a new set which of those that are gone it may have been.
func (in *Input) renamed(p *Pair) []string {
	var notes []string
	for _, gone := range in.Pairs {
		if gone.New != nil {
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
		notes = append(notes, fmt.Sprintf("%s is gone from the files: if this is to be it under another %s, it is another "+
			"set nevertheless, which begins with pods and claims of its own", gone.Key, what))
	}
	return notes
}
