package store

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Objects are what an API server holds at one moment.
type Objects struct {
	Sets      []*model.StatefulSet
	Revisions []*model.Revision
	Pods      []*model.Pod
	Claims    []*model.Claim
}

// Load puts objects into an empty store as they are: nothing is defaulted or validated, and no watch hears of it. An
// object without a uid or a resource version gets one. Templates are numbered as they are in a run: those of a set's
// revisions in the order of the history, then its own. A pod has the template of the revision that its label names.
func (s *Store) Load(o Objects) {
	s.loadIdentities(o)
	for _, set := range o.Sets {
		stored := *set
		s.identify(&stored.Meta)
		s.loadHistory(&stored, o.Revisions)
		stored.Spec.Template = s.intern(stored.Key(), stored.Spec.Template)
		s.sets[stored.Key()] = &stored
	}
	for _, revision := range o.Revisions {
		if s.revisions[revision.Key()] == nil {
			s.loadRevision(revision, model.Key{Namespace: revision.Namespace})
		}
	}
	for _, claim := range o.Claims {
		stored := *claim
		s.identify(&stored.Meta)
		s.claims[stored.Key()] = &stored
	}
	for _, pod := range o.Pods {
		stored := *pod
		s.identify(&stored.Meta)
		stored.Template = s.templateOf(&stored)
		s.pods[stored.Key()] = &stored
		s.use(&stored, 1)
	}
}

// loadIdentities lets the store count on from the highest uid and resource version.
func (s *Store) loadIdentities(o Objects) {
	see := func(meta *model.Meta) {
		s.uid, s.version = max(s.uid, meta.UID), max(s.version, meta.ResourceVersion)
	}
	for _, set := range o.Sets {
		see(&set.Meta)
	}
	for _, revision := range o.Revisions {
		see(&revision.Meta)
	}
	for _, pod := range o.Pods {
		see(&pod.Meta)
	}
	for _, claim := range o.Claims {
		see(&claim.Meta)
	}
}

// identify gives an object a uid and a resource version where it has none.
func (s *Store) identify(meta *model.Meta) {
	if meta.UID == 0 {
		s.uid++
		meta.UID = s.uid
	}
	if meta.ResourceVersion == 0 {
		s.touch(meta)
	}
}

// loadHistory stores the revisions of a set in the order of their numbers.
func (s *Store) loadHistory(set *model.StatefulSet, revisions []*model.Revision) {
	var own []*model.Revision
	for _, revision := range revisions {
		owner := revision.Controller()
		if revision.Namespace == set.Namespace && owner != nil && owner.UID == set.UID {
			own = append(own, revision)
		}
	}
	slices.SortFunc(own, model.CompareRevisions)
	for _, revision := range own {
		s.loadRevision(revision, set.Key())
	}
}

func (s *Store) loadRevision(revision *model.Revision, set model.Key) {
	stored := *revision
	s.identify(&stored.Meta)
	stored.Template = s.intern(set, stored.Template)
	s.revisions[stored.Key()] = &stored
}

// templateOf returns the template that a loaded pod was made from.
func (s *Store) templateOf(pod *model.Pod) *model.Template {
	if revision := s.revisions[model.Key{Namespace: pod.Namespace, Name: pod.Revision()}]; revision != nil {
		return revision.Template
	}
	if pod.Template == nil {
		return nil
	}
	set := model.Key{Namespace: pod.Namespace}
	if owner := pod.Controller(); owner != nil {
		set.Name = owner.Name
	}
	return s.intern(set, pod.Template)
}
