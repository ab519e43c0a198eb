package store

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// Objects are the objects that an API server holds, each list in any order. The names of a kind and all UIDs are
// unique, and no UID is 0; Restore relies on that.
type Objects struct {
	Sets      []*model.StatefulSet
	Pods      []*model.Pod
	Claims    []*model.Claim
	Revisions []*model.Revision
}

// Restore fills an empty store with copies of objects as they are: with their UIDs, their states and their deletions,
// but new resource versions. Nothing is validated or defaulted, and no watch is notified; see Announce. The templates
// of a set get their numbers in the order of its history.
func (s *Store) Restore(o Objects) {
	revisions := slices.Clone(o.Revisions)
	slices.SortStableFunc(revisions, func(a, b *model.Revision) int {
		return cmp.Or(historyOf(a).Compare(historyOf(b)), model.CompareRevisions(a, b))
	})
	for _, r := range revisions {
		revision := *r
		revision.Template = s.intern(historyOf(r), r.Template)
		s.keep(&revision.Meta)
		s.revisions.Put(revision.Key(), &revision)
	}
	for _, given := range o.Sets {
		set := *given
		set.Spec.Template = s.intern(set.Key(), set.Spec.Template)
		s.keep(&set.Meta)
		s.sets.Put(set.Key(), &set)
	}
	for _, given := range o.Claims {
		claim := *given
		s.keep(&claim.Meta)
		s.claims.Put(claim.Key(), &claim)
	}
	for _, given := range o.Pods {
		pod := *given
		if pod.Template != nil {
			pod.Template = s.intern(templatesOf(&pod), pod.Template)
		}
		s.keep(&pod.Meta)
		s.pods.Put(pod.Key(), &pod)
		s.use(&pod, 1)
	}
}

// Announce notifies the watches of a kind of its objects as if they had just been added, in the order of keys. The
// caller decides in which order the kinds come.
func (w Writer) Announce(kind model.Kind) {
	for _, change := range w.listOf(nil, kind) {
		change.By = w.by
		w.tell(&change)
	}
}

// keep gives an object that keeps its identity a version. New objects get uids above all that are kept.
func (s *Store) keep(meta *model.Meta) {
	s.uid = max(s.uid, meta.UID)
	s.touch(meta)
}

// historyOf returns the set to whose history a revision belongs: its owner, or the one that it is named after.
func historyOf(revision *model.Revision) model.Key {
	if owner := revision.Controller(); owner != nil {
		return model.Key{Namespace: revision.Namespace, Name: owner.Name}
	}
	name := revision.Name[:max(0, strings.LastIndexByte(revision.Name, '-'))]
	return model.Key{Namespace: revision.Namespace, Name: name}
}

// templatesOf returns the set whose templates that of a pod is one of: its owner, or the one that it is named after.
func templatesOf(pod *model.Pod) model.Key {
	if owner := pod.Controller(); owner != nil {
		return model.Key{Namespace: pod.Namespace, Name: owner.Name}
	}
	parent, _ := model.SplitPodName(pod.Name)
	return model.Key{Namespace: pod.Namespace, Name: parent}
}
