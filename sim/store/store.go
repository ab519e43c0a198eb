// Package store is the simulated API server. It keeps the objects, numbers their versions, applies the defaults and
// the validation of a StatefulSet, refuses what the real one refuses, in its words, and notifies watches of every
// change.
//
// Invariants:
//
//   - Objects are never changed after they are stored; a write stores another version. What Release may write over is
//     said there.
//   - Each committed change has a resource version of its own, one more than the last, over all kinds. A write that
//     is refused or changes nothing has none.
//   - The watches of a kind are told of each change within the write, in the order of their registration, and none of
//     them writes. So when a write returns, every room knows of it.
//   - Lists are in the order of keys, so that nothing depends on the order of a map.
//
// It calls only the watches. Rooms read the Store and write through a Writer of their own; the controller's calls
// come from package manager, a user's from package sim.
package store

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Change is one committed write, as watches see it: the object before (Old...) and after. For an added object the old
// one is nil, for a removed one the new one is nil. Only the pair of the Kind is set. The Change itself is valid only
// during the call of the watch. A watch may keep a copy without its By; the objects in it keep their contents until
// Release.
type Change struct {
	Kind model.Kind
	Type model.ChangeType

	OldSet, Set           *model.StatefulSet
	OldPod, Pod           *model.Pod
	OldClaim, Claim       *model.Claim
	OldRevision, Revision *model.Revision

	// By is the writer, and the reason. It is only valid while the watches are told; it is nil in a list.
	By *By
}

// By is the writer of a write, and the reason. It becomes part of the record's event for the write.
type By struct {
	Actor timeline.Actor
	// Why is the reason of a controller, as one of the model's. Reason is any other reason, in the API's own words. At
	// most one of them is set.
	Why    model.Why
	Reason string
}

// Writer is the store for one actor: every change that it writes carries the actor and the reason. All writes go
// through a Writer, reads through the Store. Every method of it that returns an APIError has changed nothing if the
// error is not nil. The objects that its methods return are the stored ones: they must not be changed.
type Writer struct {
	*Store
	by *By
}

// As returns a writer for an actor and a reason. It allocates; see In. A writer may be used for several writes.
func (s *Store) As(by By) Writer { return Writer{s, &by} }

// In is As without the allocation, for a room that writes often. The room keeps *hands, and must not change it while
// the writer is in use.
func (s *Store) In(hands *By) Writer { return Writer{s, hands} }

// write starts the account of a write; once the caller has filled in the objects, tell notifies the watches. There
// is one Change at a time, in memory of the store, which is possible because no watch writes; a watch that does
// panics here.
func (w Writer) write(kind model.Kind, is model.ChangeType) *Change {
	if w.telling {
		panic(fmt.Sprintf("store: who hears of a write of %s has written a %s", w.change.Key(), kind))
	}
	w.change = Change{Kind: kind, Type: is, By: w.by}
	return &w.change
}

// tell notifies all watches of the kind, in the order of their registration. The store has the new object already.
func (w Writer) tell(change *Change) {
	w.telling = true
	for _, see := range w.watches[change.Kind] {
		see(change)
	}
	w.telling = false
}

// Store holds all objects.
//
// Objects that it returns or stores are shared and immutable: a caller that wants to change one changes a copy and
// writes the copy. So a pointer to an old version of an object stays valid, and keeps its contents, until Release;
// callers outside the rooms, which may keep objects longer, get them from Give, or call Keep. Every committed
// change increases the resource version by one, and notifies all watches of the kind before the write returns. An
// update that changes nothing makes no version and does not notify, as in the real API.
type Store struct {
	// rules are the rules of the version; SetRules replaces them in an upgrade.
	rules model.APIRules
	// watches are called for every write of a kind, in their order. All are added before the first write.
	watches [model.KindRevision + 1][]func(*Change)
	// alone is the memory of watches as long as a kind has one.
	alone [model.KindRevision + 1][1]func(*Change)
	// change is the write that the watches are being told of while telling is true.
	change  Change
	telling bool
	// versions decides what happens to replaced versions.
	versions versions
	// deletions are the memory of the deletions of pods, which are allocated together. None is used twice.
	deletions keyed.Slab[model.Deletion]
	now       func() model.Time

	// version is the resource version of the last write, uid the UID of the last new object. Both only grow.
	version uint64
	uid     model.UID

	sets      keyed.Map[*model.StatefulSet]
	pods      keyed.Map[*model.Pod]
	claims    keyed.Map[*model.Claim]
	revisions keyed.Map[*model.Revision]
	// users counts the pods that use each claim, by the rule of InUse, without unused claims. It follows from pods.
	users map[model.Key]int
	// templates are the distinct templates that each set has had, by set, in the order of their IDs.
	templates keyed.Map[[]*model.Template]
}

// podsAtOnce is how many versions of pods are allocated together. One that stays keeps its lot in memory.
const podsAtOnce = 8

// New returns an empty API server that follows the rules of a version. now is its clock; it is called at each write.
func New(rules model.APIRules, now func() model.Time) *Store {
	s := &Store{rules: rules, now: now}
	s.versions.pods.Most = podsAtOnce
	return s
}

// Kinds are the kinds of object that a store keeps. Services and PodDisruptionBudgets are kept by the rooms that use
// them, since no StatefulSet controller looks at them.
var Kinds = []model.Kind{model.KindStatefulSet, model.KindPod, model.KindClaim, model.KindRevision}

// Watch calls see for every write of a kind from now on, within the write, after the watches that were added before.
// see must not write to the store (this panics): it schedules an event for the same instant instead. It may read: the
// store already has the new object. The change is valid only until see returns; see Change.
func (s *Store) Watch(kind model.Kind, see func(*Change)) {
	if s.watches[kind] == nil {
		s.watches[kind] = s.alone[kind][:0]
	}
	s.watches[kind] = append(s.watches[kind], see)
}

// SetRules makes the API server follow the rules of another version from now on. Stored objects do not change: they are
// defaulted and validated by the new rules when a user writes them next.
func (s *Store) SetRules(rules model.APIRules) { s.rules = rules }

// Version returns the resource version of the last write, 0 before the first: two equal answers mean that nothing was
// written in between.
func (s *Store) Version() uint64 { return s.version }

// DrawVersion returns a resource version for an object that is not the store's own.
func (s *Store) DrawVersion() uint64 {
	s.version++
	return s.version
}

// Set returns the set, or nil.
func (s *Store) Set(key model.Key) *model.StatefulSet { return s.sets.Get(key) }

// Pod returns the pod, or nil.
func (s *Store) Pod(key model.Key) *model.Pod { return s.pods.Get(key) }

// Claim returns the claim, or nil.
func (s *Store) Claim(key model.Key) *model.Claim { return s.claims.Get(key) }

// Revision returns the revision, or nil.
func (s *Store) Revision(key model.Key) *model.Revision { return s.revisions.Get(key) }

// Sets returns all sets in the order of their keys. The caller must not change the slice; it stays intact when sets
// are created or deleted, so a caller may write while iterating. The other lists behave the same.
func (s *Store) Sets() []*model.StatefulSet { return s.sets.Values() }

// Pods returns all pods in the order of their keys.
func (s *Store) Pods() []*model.Pod { return s.pods.Values() }

// Claims returns all claims in the order of their keys.
func (s *Store) Claims() []*model.Claim { return s.claims.Values() }

// Revisions returns all revisions in the order of their keys.
func (s *Store) Revisions() []*model.Revision { return s.revisions.Values() }

// ClaimSet returns the set that a claim is created for: the one whose name, with an ordinal, ends the claim's, and that
// has such a claim template. If there is none, the result has the claim's namespace and no name. It costs O(sets).
func (s *Store) ClaimSet(claim model.Key) model.Key {
	prefix, ordinal := model.SplitPodName(claim.Name)
	for _, set := range s.Sets() {
		for i := range set.Spec.ClaimTemplates {
			if ordinal >= 0 && set.Namespace == claim.Namespace && prefix == set.Spec.ClaimTemplates[i].Name+"-"+set.Name {
				return set.Key()
			}
		}
	}
	return model.Key{Namespace: claim.Namespace}
}

// stamp gives a new object its identity: uid, time of creation, generation 1, and its first version.
func (s *Store) stamp(meta *model.Meta) {
	s.uid++
	meta.UID = s.uid
	meta.Created = s.now()
	meta.Generation = 1
	meta.Deletion = nil
	s.touch(meta)
}

// touch gives a changed object its new version.
func (s *Store) touch(meta *model.Meta) {
	s.version++
	meta.ResourceVersion = s.version
}

// plural is the API's name of a kind in its messages.
var plural = [...]string{
	model.KindStatefulSet: "statefulsets.apps",
	model.KindPod:         "pods",
	model.KindClaim:       "persistentvolumeclaims",
	model.KindRevision:    "controllerrevisions.apps",
}

// qualified is the API's name of a kind in a message about one invalid object.
var qualified = [...]string{
	model.KindStatefulSet: "StatefulSet.apps",
	model.KindPod:         "Pod",
	model.KindClaim:       "PersistentVolumeClaim",
	model.KindRevision:    "ControllerRevision.apps",
}

// notFound words the refusal of a read or a write of an object that does not exist.
func notFound(kind model.Kind, name string) *model.APIError {
	return &model.APIError{Reason: model.NotFound, Message: fmt.Sprintf("%s %q not found", plural[kind], name)}
}

// alreadyExists words the refusal as the API does; a name whose object is still being deleted is taken, too.
func alreadyExists(kind model.Kind, name string, holder *model.Meta) *model.APIError {
	message := fmt.Sprintf("%s %q already exists", plural[kind], name)
	if holder.Terminating() {
		message = "object is being deleted: " + message
	}
	return &model.APIError{Reason: model.AlreadyExists, Message: message}
}

// modified words the Conflict of a write whose version differs from the stored object's.
func modified(kind model.Kind, name string) *model.APIError {
	return &model.APIError{Reason: model.Conflict, Message: fmt.Sprintf(
		"Operation cannot be fulfilled on %s %q: the object has been modified; "+
			"please apply your changes to the latest version and try again",
		plural[kind], name)}
}

// check tests the preconditions of a write: its resource version and its UID must match the stored object. Zero
// means no precondition. A failure is a Conflict, as in the real API.
func check(kind model.Kind, write, stored *model.Meta) *model.APIError {
	if write.ResourceVersion != 0 && write.ResourceVersion != stored.ResourceVersion {
		return modified(kind, stored.Name)
	}
	return checkUID(kind, write.UID, stored)
}

// checkUID tests the precondition of a deletion: the uid must match the stored object, or be 0. A failure is a
// Conflict, in the API's words for preconditions, which differ from the words of check.
func checkUID(kind model.Kind, uid model.UID, stored *model.Meta) *model.APIError {
	if uid == 0 || uid == stored.UID {
		return nil
	}
	return &model.APIError{Reason: model.Conflict, Message: fmt.Sprintf(
		"Operation cannot be fulfilled on %s %q: Precondition failed: UID in precondition: %s, UID in object meta: %s",
		plural[kind], stored.Name, uid, stored.UID)}
}
