package store

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Saved is all that an API server holds, field by field as in Store. It does not change while the store goes on, and
// many stores may be loaded from it: objects are shared, because they never change.
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

// Save returns what the store holds; O(objects). From then on no version is written over any more, since the saved
// state may hold each (Keep).
func (s *Store) Save() Saved {
	s.Keep()
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
