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

// applyRevision takes in a change of the set's history. A revision that gets another number keeps its Made.
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

// applyRevisionOwner lets a set gain or lose a revision. One that it leaves behind when it goes is its own until there
// is another set of the name, or one that adopts it.
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

// takeRevision takes a revision out of the history of whatever set it stands with. If the timeline does not have it,
// it is made up of what the event says.
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

// Template returns the N-th template of a set, also of one that is gone, or nil if the timeline does not have it.
func (f *Fold) Template(set model.Key, n int) *model.Template {
	if s := f.byKey.Get(set); s != nil {
		return s.templates[n]
	}
	return nil
}

// Labels returns the labels that the pod was created with: those of its template, and those that give it its
// identity. Labels that were changed later are not in a timeline. It returns a new map.
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

// firstWithIndex is the minor version from which on pods are labelled with their ordinals by default (KEP-4017).
const firstWithIndex = 28

// labelsIndex says whether the version labels pods with their ordinals.
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
