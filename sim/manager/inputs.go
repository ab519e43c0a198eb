package manager

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
)

// input is an input of a running sync: something that it has read or received since it began, or a choice that the
// world has made for it. A sync is a function of its view and of its inputs in their order, so these two determine
// how far it has got. A stack cannot be copied or hashed; the inputs can, and represent it in a saved state and in
// a fingerprint.
type input struct {
	// kind says which of the other two fields holds the input: n for the first three kinds, value for the rest. A value
	// is an object of the API, a list of them, a bool, an *model.APIError, or nil.
	kind  inputKind
	n     int
	value any
}

// inputKind is the kind of an input.
type inputKind uint8

// The kinds. resumed, waited and branch are numbers: resumed is the strand that continues, waited is 1 if a wait has
// suspended the sync and 0 if it took no time, branch is the branch that comes next. reply is an answer of the API
// server. The others are answers that the caches gave when the sync asked.
const (
	resumed inputKind = iota
	waited
	branch
	reply
	theSet
	aClaim
	latest
	orphans
	revisions
	ownedClaims
	stale
)

var inputNames = [...]string{
	"resumed", "waited", "branch", "reply", "set", "claim", "latest", "orphans", "revisions", "owned claims", "stale",
}

// readInput returns an input of a sync: the one noted at this place if the sync is started again, or else the result
// of read, which it notes. Every read of something that may change while a sync is suspended must go through it; a
// read that does not makes a restarted sync take another path.
func readInput[T any](v *observed, of inputKind, read func(*cache.Frozen) T) T {
	if known := v.r.recall(of); known != nil {
		return known.value.(T)
	}
	value := read(v.Frozen)
	v.r.inputs = append(v.r.inputs, input{kind: of, value: value})
	return value
}

// note notes an input that is a number.
func (r *running) note(of inputKind, n int) { r.inputs = append(r.inputs, input{kind: of, n: n}) }

// noteReply notes an answer of the API server: an error, one object, or nothing. A reply holds one object at most,
// and the object of a reply with an error is never read, so one value is enough.
func (r *running) noteReply(answer model.Reply) {
	note := input{kind: reply}
	switch {
	case answer.Err != nil:
		note.value = answer.Err
	case answer.Pod != nil:
		note.value = answer.Pod
	case answer.Claim != nil:
		note.value = answer.Claim
	case answer.Revision != nil:
		note.value = answer.Revision
	case answer.Set != nil:
		note.value = answer.Set
	}
	r.inputs = append(r.inputs, note)
}

// reply returns the answer of the API server that noteReply has noted.
func (t *input) reply() (answer model.Reply) {
	switch value := t.value.(type) {
	case *model.APIError:
		answer.Err = value
	case *model.Pod:
		answer.Pod = value
	case *model.Claim:
		answer.Claim = value
	case *model.Revision:
		answer.Revision = value
	case *model.StatefulSet:
		answer.Set = value
	}
	return answer
}

// recall returns the noted input at the sync's current place, and moves on to the next place. It returns nil if
// there is none, as in every sync that was not restarted; then the caller must note one. The pointer is valid until
// another input is noted. It panics if the input there is of another kind: the controller then depends on something
// that is neither in its view nor in its inputs. The next place is never more than one ahead of the inputs: the one
// that the caller must note.
func (r *running) recall(of inputKind) *input {
	if !r.again {
		return nil
	}
	if r.next == len(r.inputs) {
		r.next++
		return nil
	}
	value := &r.inputs[r.next]
	if value.kind != of {
		panic(fmt.Sprintf("manager: the sync of %s asks for its %s, but the noted input is %s: the sync is no "+
			"function of its view and its inputs", r.key, inputNames[of], inputNames[value.kind]))
	}
	r.next++
	return value
}

// observed is the view of a sync that may be suspended. The embedded view is frozen, and its answers are the same at
// any time. The methods below are those that are answered from the caches as they are at that moment, so they note
// their answers.
type observed struct {
	*cache.Frozen
	r *running
}

// Set returns the set as the cache holds it at this moment.
func (v *observed) Set() *model.StatefulSet { return readInput(v, theSet, (*cache.Frozen).Set) }

// Claim returns a claim as the cache holds it at this moment.
func (v *observed) Claim(name string) *model.Claim {
	return readInput(v, aClaim, func(f *cache.Frozen) *model.Claim { return f.Claim(name) })
}

// Latest returns a pod as the cache holds it at this moment.
func (v *observed) Latest(name string) *model.Pod {
	return readInput(v, latest, func(f *cache.Frozen) *model.Pod { return f.Latest(name) })
}

// Orphans returns the pods that the set may adopt.
func (v *observed) Orphans() []*model.Pod { return readInput(v, orphans, (*cache.Frozen).Orphans) }

// Revisions returns the set's history.
func (v *observed) Revisions() []*model.Revision {
	return readInput(v, revisions, (*cache.Frozen).Revisions)
}

// OwnedClaims reports whether a claim of the namespace has an owner.
func (v *observed) OwnedClaims() bool { return readInput(v, ownedClaims, (*cache.Frozen).OwnedClaims) }

// Stale reports whether the caches lag behind the controller's own writes.
func (v *observed) Stale() bool { return readInput(v, stale, (*cache.Frozen).Stale) }

// With returns a view that adds these pods to the set. It notes nothing itself: the adopted pods come from the
// noted replies of the sync.
func (v *observed) With(adopted []*model.Pod) model.View {
	return &observed{v.Frozen.With(adopted).(*cache.Frozen), v.r}
}
