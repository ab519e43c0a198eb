package timeline

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Revision is a ControllerRevision of a set at one point of a timeline. It is a value.
type Revision struct {
	Name string
	// Number is its number at this point, Template the N of its @N.
	Number   int64
	Template int
	// Cause is its annotation kubernetes.io/change-cause. Made is the instant of its creation, or of the first event
	// about it.
	Cause string
	Made  model.Time
}

// History returns the set's revisions in the order of their numbers, the oldest first. The caller must not change it.
func (s *Set) History() []Revision { return s.revisions }

// applyRevision takes in a change of the set's history. A renumbered revision keeps its Made.
func (s *Set) applyRevision(rev *Rev, now model.Time) {
	r := Revision{rev.Name, rev.Number, rev.Template, rev.Cause, now}
	if at := slices.IndexFunc(s.revisions, func(r Revision) bool { return r.Name == rev.Name }); at >= 0 {
		r.Made = s.revisions[at].Made
		s.revisions = slices.Delete(s.revisions, at, at+1)
	}
	if rev.Type != model.Deleted {
		s.revisions = append(s.revisions, r)
	} else {
		s.past = slices.DeleteFunc(s.past, func(r Revision) bool { return r.Name == rev.Name })
	}
	s.sortRevisions()
}

// applyRevisionOwner lets a set gain or lose a revision. A revision that a deleted set leaves behind stays with it
// until there is another set with the name, or a set adopts it.
func (f *Fold) applyRevisionOwner(e *Event) {
	if e.Owned.Change == LeftBehind {
		return
	}
	r, set := f.takeRevision(e), f.set(e.Set)
	if e.Owned.Change == Released {
		set.past = append(set.past, r)
		return
	}
	set.revisions = append(set.revisions, r)
	set.sortRevisions()
}

// takeRevision takes a revision out of the history that it is listed in. If the timeline does not have it, it is
// made from the event.
func (f *Fold) takeRevision(e *Event) Revision {
	for _, set := range f.sets {
		for _, list := range []*[]Revision{&set.revisions, &set.past} {
			at := slices.IndexFunc(*list, func(r Revision) bool { return r.Name == e.Owned.Revision })
			if at >= 0 && set.Key.Namespace == e.Set.Namespace {
				r := (*list)[at]
				*list = slices.Delete(*list, at, at+1)
				return r
			}
		}
	}
	return Revision{Name: e.Owned.Revision, Number: e.Revision, Template: e.Template, Made: e.T}
}

// sortRevisions puts the history in the order in which the controller looks at it (model.CompareRevisions).
func (s *Set) sortRevisions() {
	slices.SortFunc(s.revisions, func(a, b Revision) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Made, b.Made), cmp.Compare(a.Name, b.Name))
	})
}

// learn remembers a template, by its N.
func (s *Set) learn(t *model.Template) {
	if t == nil || t.ID <= 0 {
		return
	}
	if s.templates == nil {
		s.templates = map[int]*model.Template{}
	}
	s.templates[t.ID] = t
}

// Template returns the set's N-th template, or nil if the timeline does not have it.
func (s *Set) Template(n int) *model.Template { return s.templates[n] }

// Template returns the N-th template of a set, even of a deleted one, or nil if the timeline does not have it.
func (f *Fold) Template(set model.Key, n int) *model.Template {
	if s := f.byKey.Get(set); s != nil {
		return s.templates[n]
	}
	return nil
}

// Labels returns the labels that the pod was created with: its template's labels, and its identity labels. A
// timeline does not have later changes of labels. It returns a new map.
func (s *Set) Labels(p *Pod) map[string]string {
	labels := map[string]string{}
	if t := s.templates[p.Template]; t != nil {
		maps.Copy(labels, t.Labels)
	}
	known := slices.Concat(s.revisions, s.past)
	if at := slices.IndexFunc(known, func(r Revision) bool { return r.Template == p.Template }); at >= 0 {
		labels[model.LabelRevision] = known[at].Name
	}
	labels[model.LabelPodName] = p.Name
	if s.run.labelsIndex() && p.Ordinal >= 0 {
		labels[model.LabelPodIndex] = strconv.Itoa(p.Ordinal)
	}
	return labels
}

// firstWithIndex is the first minor version that labels pods with their ordinals by default (KEP-4017).
const firstWithIndex = 28

// labelsIndex reports whether the version labels pods with their ordinals.
func (r *Run) labelsIndex() bool {
	if r == nil {
		return true
	}
	for _, gate := range r.Gates {
		if gate.Name == "PodIndexLabel" {
			return gate.On
		}
	}
	parts := strings.Split(r.Kubernetes, ".")
	if len(parts) < 2 {
		return true
	}
	minor, err := strconv.Atoi(parts[1])
	return err != nil || minor >= firstWithIndex
}
