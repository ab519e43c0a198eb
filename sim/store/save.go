package store

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
)

// Saved is all that an API server holds. It stays as it is while the store goes on.
type Saved struct {
	rules     model.APIRules
	version   uint64
	uid       model.UID
	sets      map[model.Key]*model.StatefulSet
	pods      map[model.Key]*model.Pod
	claims    map[model.Key]*model.Claim
	revisions map[model.Key]*model.Revision
	users     map[model.Key]int
	templates map[model.Key][]*model.Template
}

// Save returns what the store holds; O(objects).
func (s *Store) Save() Saved {
	return Saved{
		rules: s.rules, version: s.version, uid: s.uid,
		sets: maps.Clone(s.sets), pods: maps.Clone(s.pods), claims: maps.Clone(s.claims),
		revisions: maps.Clone(s.revisions), users: maps.Clone(s.users), templates: cloneLists(s.templates),
	}
}

// Load fills an empty store with what another one held, versions and uids included. It tells nobody.
func (s *Store) Load(from Saved) {
	s.rules, s.version, s.uid = from.rules, from.version, from.uid
	s.sets, s.pods, s.claims = maps.Clone(from.sets), maps.Clone(from.pods), maps.Clone(from.claims)
	s.revisions, s.users, s.templates = maps.Clone(from.revisions), maps.Clone(from.users), cloneLists(from.templates)
}

// cloneLists copies lists so that one may grow without the other.
func cloneLists[T any](lists map[model.Key][]T) map[model.Key][]T {
	clone := maps.Clone(lists)
	for _, key := range keysOf(lists) {
		clone[key] = slices.Clip(lists[key])
	}
	return clone
}
