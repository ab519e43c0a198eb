package store

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/slab"
)

// Versions says what becomes of a version of a pod, or of the status of a set, that another one has replaced.
type Versions uint8

// The values: it is written over once nobody holds it any more (see Release), which is a third of what a run would
// allocate; it is kept for who holds it; or, for tests, it is filled with garbage and not used again, which shows who
// still looks at it.
const (
	Reused Versions = iota
	Kept
	Spoiled
)

// versions are the versions of pods, and those of sets that a status makes.
type versions struct {
	of   Versions
	pods slab.Pool[model.Pod]
	sets slab.Pool[model.StatefulSet]
	// ours is for each set the last version that a status has made, as long as nobody has been given it to keep.
	ours keyed.UIDs[*model.StatefulSet]
	// given are the versions of pods that somebody was given to keep.
	given []*model.Pod
}

// mostGiven is the number of pods that may be given away until all versions are kept.
const mostGiven = 16

// SetVersions says what becomes of versions that are replaced. It is called before the first write.
func (s *Store) SetVersions(of Versions) { s.versions.of = of }

// Keep says that somebody may hold any object for good: no version is used again from now on.
func (s *Store) Keep() {
	s.versions.of = Kept
	s.versions.pods.Forget()
	s.versions.sets.Forget()
}

// Give returns a set for somebody who may keep it, or nil. GivePod does so with a pod.
func (s *Store) Give(key model.Key) *model.StatefulSet {
	set := s.sets.Get(key)
	if set != nil {
		s.versions.ours.Delete(set.UID)
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

// retirePod notes that a pod has another version, or is gone.
func (v *versions) retirePod(old *model.Pod) {
	if old != nil && v.of != Kept && (len(v.given) == 0 || !slices.Contains(v.given, old)) {
		v.pods.Retire(old)
	}
}

// another returns memory for another version of a set, which takes the place of an old one.
func (v *versions) another(old *model.StatefulSet) *model.StatefulSet {
	if v.of == Kept {
		return v.sets.Next()
	}
	set := v.sets.Next()
	if v.ours.Get(old.UID) == old {
		v.sets.Retire(old)
	}
	v.ours.Put(old.UID, set)
	return set
}

// Ripe says whether so much has been replaced that Release is worth its while.
func (s *Store) Ripe() bool {
	return s.versions.pods.Retired() >= enough || s.versions.sets.Retired() >= enough
}

// enough is the number of retired versions that are released together.
const enough = 8

// Release says that nobody holds a version any more that has been replaced: no room is at work, no sync is under way,
// and the controller's watches have delivered all changes.
func (s *Store) Release() {
	if s.versions.of == Spoiled {
		s.versions.spoil()
		return
	}
	s.versions.pods.Release()
	s.versions.sets.Release()
}

// spoil fills what would be used again with garbage.
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
