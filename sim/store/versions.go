package store

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Versions decides what happens to a replaced version of a pod, or of the status of a set.
type Versions uint8

// Reused: its memory is overwritten once it is no longer held (see Release); that saves a third of a run's
// allocations. Kept: it stays, for callers that hold it. Spoiled, for tests: it is filled with garbage at that
// moment and not reused, which exposes code that still reads it.
const (
	Reused Versions = iota
	Kept
	Spoiled
)

// versions are the versions of pods, and the versions of sets that a status write makes. Other versions of sets,
// which users make, and claims and revisions are few and are never reused.
type versions struct {
	of   Versions
	pods keyed.Pool[model.Pod]
	sets keyed.Pool[model.StatefulSet]
	// ours has for each set the last version that a status write made, unless it was given away to be kept. Only
	// such a version is retired when the next status replaces it.
	ours map[model.UID]*model.StatefulSet
	// given are the versions of pods that were given away to be kept; at most mostGiven.
	given []*model.Pod
}

// mostGiven is the number of pods that may be given away before all versions are kept: looking through more of them
// would cost more than the memory is worth.
const mostGiven = 16

// Spare is memory for versions that stores use one after the other. The zero value is ready to use.
type Spare struct {
	pods keyed.Slab[model.Pod]
	sets keyed.Slab[model.StatefulSet]
}

// Use gives a new store the memory that another one has left.
func (s *Store) Use(spare *Spare) {
	if s.versions.sets.Slab = spare.sets; spare.pods.Most > 0 {
		s.versions.pods.Slab = spare.pods
	}
	*spare = Spare{}
}

// Leave gives memory of the store's versions to the next store. Nobody may hold a version then; forget is told of each
// that is written over.
func (s *Store) Leave(spare *Spare, forget func(object any)) {
	pods, sets := &s.versions.pods.Slab, &s.versions.sets.Slab
	for i := range pods.Used() {
		forget(&pods.Used()[i])
	}
	for i := range sets.Used() {
		forget(&sets.Used()[i])
	}
	spare.pods, spare.sets = pods.Left(), sets.Left()
}

// SetVersions says what becomes of versions that are replaced. It must be called before the first write.
func (s *Store) SetVersions(of Versions) { s.versions.of = of }

// Keep declares that any object may be held forever: no version is overwritten from now on.
func (s *Store) Keep() {
	s.versions.of = Kept
	s.versions.pods.Forget()
	s.versions.sets.Forget()
}

// Give returns a set for a caller that may keep it, or nil. It never changes; later versions may.
func (s *Store) Give(key model.Key) *model.StatefulSet {
	set := s.sets.Get(key)
	if set != nil {
		delete(s.versions.ours, set.UID)
	}
	return set
}

// GivePod is Give for a pod.
func (s *Store) GivePod(key model.Key) *model.Pod {
	pod := s.pods.Get(key)
	if pod != nil && s.versions.of != Kept {
		if len(s.versions.given) == mostGiven {
			s.Keep()
		}
		s.versions.given = append(s.versions.given, pod)
	}
	return pod
}

// retirePod notes that a pod has another version, or was deleted. Its memory is reused after the next Release,
// unless it was given away.
func (v *versions) retirePod(old *model.Pod) {
	if old != nil && v.of != Kept && (len(v.given) == 0 || !slices.Contains(v.given, old)) {
		v.pods.Retire(old)
	}
}

// another returns memory for another version of a set, which replaces old. It retires old if a status write made it
// and it was not given away.
func (v *versions) another(old *model.StatefulSet) *model.StatefulSet {
	if v.of == Kept {
		return v.sets.Next()
	}
	set := v.sets.Next()
	if v.ours[old.UID] == old {
		v.sets.Retire(old)
	}
	keyed.Put(&v.ours, old.UID, set)
	return set
}

// Ripe reports whether enough versions were replaced for Release to be worth its cost.
func (s *Store) Ripe() bool {
	return s.versions.pods.Retired() >= enough || s.versions.sets.Retired() >= enough
}

// enough is the number of retired versions that are released together.
const enough = 8

// Release declares that no replaced version is held any more: no room is at work, no sync is under way, and the
// controller's watches have delivered all changes. After that, old versions of pods and sets may be overwritten at
// any write. Only the manager calls it, because it alone knows all holders.
func (s *Store) Release() {
	if s.versions.of == Spoiled {
		s.versions.spoil()
		return
	}
	s.versions.pods.Release()
	s.versions.sets.Release()
}

// spoil fills memory that would be reused with garbage, so that a test fails if code still reads it.
func (v *versions) spoil() {
	const none = 1 << 60
	meta := model.Meta{
		Namespace: "none", Name: "spoiled-999", UID: none, ResourceVersion: none, Generation: none, Created: -none,
		Labels: map[string]string{"spoiled": "yes"}, Owners: []model.Owner{{Name: "spoiled", UID: none, Controller: true}},
	}
	for _, pod := range v.pods.Forget() {
		*pod = model.Pod{Meta: meta, Phase: 255, Node: "spoiled", Reason: "Spoiled", Ready: !pod.Ready, ReadySince: none}
	}
	for _, set := range v.sets.Forget() {
		*set = model.StatefulSet{Meta: meta, Status: model.Status{Replicas: -1, Ready: -1, Updated: -1, Current: -1}}
		set.Spec.Replicas = -1
	}
}
