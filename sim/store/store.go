// Package store is the simulated API server: it keeps the objects, numbers their versions, applies the defaults and the
// validation of a StatefulSet, refuses what the real one refuses in its words, and tells watchers of every change.
package store

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/slab"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Change is one committed write. Old is the object before, New the object after; for an added object Old is nil, for a
// removed one New is nil. Exactly one pair is set, that of the Kind.
type Change struct {
	Kind model.Kind
	Type model.ChangeType

	OldSet, Set           *model.StatefulSet
	OldPod, Pod           *model.Pod
	OldClaim, Claim       *model.Claim
	OldRevision, Revision *model.Revision

	// By says who has made the write, and why. It is only there for who hears of the write when it is made.
	By *By
}

// By is who makes a write, and why.
type By struct {
	Actor timeline.Actor
	// Why is the reason where it is one of the model's: a controller's. Reason is another one in the API's own words.
	Why    model.Why
	Reason string
}

// Writer is the store in the hands of somebody: all that it writes is by them.
type Writer struct {
	*Store
	by *By
}

// As returns the store in somebody's hands.
func (s *Store) As(by By) Writer { return Writer{s, &by} }

// In is As for who writes very often, and keeps who they are: what it points at must not change before the writes.
func (s *Store) In(hands *By) Writer { return Writer{s, hands} }

// write begins the account of a write, of which tell lets others hear once it has its objects. Since none of them
// writes, there is one change at a time.
func (w Writer) write(kind model.Kind, is model.ChangeType) *Change {
	if w.telling {
		panic(fmt.Sprintf("store: who hears of a write of %s has written a %s", w.change.Key(), kind))
	}
	w.change = Change{Kind: kind, Type: is, By: w.by}
	return &w.change
}

// tell lets all who watch the kind hear of a write, in the order in which they have begun to.
func (w Writer) tell(change *Change) {
	w.telling = true
	for _, see := range w.watches[change.Kind] {
		see(change)
	}
	w.telling = false
}

// Store holds all objects. Objects that it returns and takes are shared and immutable.
type Store struct {
	rules model.APIRules
	// watches are who hears of every write of a kind, in the order of the resource versions.
	watches [model.KindRevision + 1][]func(*Change)
	// change is the write that they hear of at this moment, while telling is true.
	change  Change
	telling bool
	// versions are those of pods, statuses those of sets that a status makes, deletions those of pods.
	versions  slab.Slab[model.Pod]
	statuses  slab.Slab[model.StatefulSet]
	deletions slab.Slab[model.Deletion]
	now       func() model.Time

	version uint64
	uid     model.UID

	sets      keyed.Map[*model.StatefulSet]
	pods      keyed.Map[*model.Pod]
	claims    keyed.Map[*model.Claim]
	revisions keyed.Map[*model.Revision]
	// users counts the pods that use each claim; one that none uses is not in it.
	users map[model.Key]int
	// templates are the distinct templates that each set has had, by set; the N-th has the ID N.
	templates keyed.Map[[]*model.Template]
}

// podsAtOnce is how many versions of pods are made at a time. One that is there to stay keeps the others in memory.
const podsAtOnce = 8

// New returns an empty API server that follows the rules of a version. now is its clock.
func New(rules model.APIRules, now func() model.Time) *Store {
	return &Store{
		rules: rules, now: now, versions: slab.Slab[model.Pod]{Most: podsAtOnce}, users: map[model.Key]int{},
	}
}

// Kinds are the kinds of object that a store keeps.
var Kinds = []model.Kind{model.KindStatefulSet, model.KindPod, model.KindClaim, model.KindRevision}

// Watch lets somebody hear of every write of a kind from now on, when it is made and after those who have asked before.
// Nobody who hears of a write may write: that is for an event of its own, at the same instant. The change is theirs
// only until they return.
func (s *Store) Watch(kind model.Kind, see func(*Change)) {
	s.watches[kind] = append(s.watches[kind], see)
}

// SetRules makes the API server follow the rules of another version from now on. Objects stay as they are stored.
func (s *Store) SetRules(rules model.APIRules) { s.rules = rules }

// Version returns the resource version of the last write.
func (s *Store) Version() uint64 { return s.version }

// Set returns the set, or nil.
func (s *Store) Set(key model.Key) *model.StatefulSet { return s.sets.Get(key) }

// Pod returns the pod, or nil.
func (s *Store) Pod(key model.Key) *model.Pod { return s.pods.Get(key) }

// Claim returns the claim, or nil.
func (s *Store) Claim(key model.Key) *model.Claim { return s.claims.Get(key) }

// Revision returns the revision, or nil.
func (s *Store) Revision(key model.Key) *model.Revision { return s.revisions.Get(key) }

// Sets returns all sets in the order of their keys.
func (s *Store) Sets() []*model.StatefulSet { return s.sets.Values() }

// Pods returns all pods in the order of their keys.
func (s *Store) Pods() []*model.Pod { return s.pods.Values() }

// Claims returns all claims in the order of their keys.
func (s *Store) Claims() []*model.Claim { return s.claims.Values() }

// Revisions returns all revisions in the order of their keys.
func (s *Store) Revisions() []*model.Revision { return s.revisions.Values() }

// ClaimSet returns the set that a claim is made for: the one whose name, with an ordinal, ends the claim's. Where there
// is none it has no name. It costs O(sets).
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

// stamp gives a new object its identity.
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

// plural is what the API calls a kind in its messages.
var plural = [...]string{
	model.KindStatefulSet: "statefulsets.apps",
	model.KindPod:         "pods",
	model.KindClaim:       "persistentvolumeclaims",
	model.KindRevision:    "controllerrevisions.apps",
}

// qualified is what the API calls a kind where it names one object as invalid.
var qualified = [...]string{
	model.KindStatefulSet: "StatefulSet.apps",
	model.KindPod:         "Pod",
	model.KindClaim:       "PersistentVolumeClaim",
	model.KindRevision:    "ControllerRevision.apps",
}

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

func modified(kind model.Kind, name string) *model.APIError {
	return &model.APIError{Reason: model.Conflict, Message: fmt.Sprintf(
		"Operation cannot be fulfilled on %s %q: the object has been modified; "+
			"please apply your changes to the latest version and try again",
		plural[kind], name)}
}

// check says whether a write that was made from the object old may replace the one that is stored. A zero version or
// uid in the write is no precondition.
func check(kind model.Kind, write, stored *model.Meta) *model.APIError {
	if write.ResourceVersion != 0 && write.ResourceVersion != stored.ResourceVersion {
		return modified(kind, stored.Name)
	}
	return checkUID(kind, write.UID, stored)
}

func checkUID(kind model.Kind, uid model.UID, stored *model.Meta) *model.APIError {
	if uid == 0 || uid == stored.UID {
		return nil
	}
	return &model.APIError{Reason: model.Conflict, Message: fmt.Sprintf(
		"Operation cannot be fulfilled on %s %q: Precondition failed: UID in precondition: %s, UID in object meta: %s",
		plural[kind], stored.Name, uid, stored.UID)}
}
