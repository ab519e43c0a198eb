package store

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
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

// Announce notifies the watches of a kind about its objects as if they had just been added, in the order of keys.
// The caller decides the order of the kinds.
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

// templatesOf returns the set that the pod's template belongs to: its owner, or the set that it is named after.
func templatesOf(pod *model.Pod) model.Key {
	if owner := pod.Controller(); owner != nil {
		return model.Key{Namespace: pod.Namespace, Name: owner.Name}
	}
	parent, _ := model.SplitPodName(pod.Name)
	return model.Key{Namespace: pod.Namespace, Name: parent}
}

// Saved is everything that an API server holds, field by field as in Store. It does not change while the store
// continues, and many stores may be loaded from it: objects are shared, because they never change.
type Saved struct {
	rules     model.APIRules
	version   uint64
	uid       model.UID
	sets      keyed.Map[*model.StatefulSet]
	pods      keyed.Map[*model.Pod]
	claims    keyed.Map[*model.Claim]
	revisions keyed.Map[*model.Revision]
	users     map[model.Key]int
	templates keyed.Map[[]*model.Template]
}

// Save returns what the store holds; O(objects). From then on no version is overwritten, since the saved state may
// hold each (Keep).
func (s *Store) Save() Saved {
	s.Keep()
	// A continued world asks for the lists, so they are made once here for all.
	s.Sets()
	s.Pods()
	s.Revisions()
	s.templates.Keys()
	return Saved{
		rules: s.rules, version: s.version, uid: s.uid,
		sets: s.sets.Clone(), pods: s.pods.Clone(), claims: s.claims.Clone(), revisions: s.revisions.Clone(),
		users: keyed.Copy(s.users), templates: s.templates.CloneWith(slices.Clip),
	}
}

// Load fills an empty store with what another one held, including versions and UIDs. It notifies no watch: the other
// rooms are loaded too.
func (s *Store) Load(from Saved) {
	s.Keep()
	s.rules, s.version, s.uid = from.rules, from.version, from.uid
	s.sets, s.pods, s.claims = from.sets.Clone(), from.pods.Clone(), from.claims.Clone()
	s.revisions = from.revisions.Clone()
	s.users = keyed.Copy(from.users)
	s.templates = from.templates.CloneWith(slices.Clip)
}

// Rules returns the API server's behaviour for StatefulSets.
func (s *Store) Rules() model.APIRules { return s.rules }

// Templates calls yield for each set that has had templates, in the order of the keys; the templates are in the
// order of their numbers. Deleted sets are included. The caller must not change the slices.
func (s *Store) Templates(yield func(set model.Key, templates []*model.Template)) {
	for _, key := range s.templates.Keys() {
		yield(key, s.templates.Get(key))
	}
}
