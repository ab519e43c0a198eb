package manager

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
)

// input is an input of a running sync: something that it has read or received since it began, or a choice that the
// world has made for it. A sync is a function of its view and of its inputs in their order, so these two say how far
// it has got. A stack cannot be copied or hashed; the inputs can, and stand for it in a saved state and in a
// fingerprint.
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
func readInput[T any](r *running, of inputKind, read func() T) T {
	if known := r.recall(of); known != nil {
		return known.value.(T)
	}
	value := read()
	r.noteValue(of, value)
	return value
}

// noteValue notes an input that is a value.
func (r *running) noteValue(of inputKind, value any) {
	r.inputs = append(r.inputs, input{kind: of, value: value})
}

// note notes an input that is a number.
func (r *running) note(of inputKind, n int) { r.inputs = append(r.inputs, input{kind: of, n: n}) }

// noteReply notes an answer of the API server: an error, one object, or nothing. A reply holds one object at most,
// and nobody looks at the object of a reply with an error, so one value is enough.
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

// recalls says whether a sync that was started again has inputs left that were noted before. While it has, its calls
// have no effect: they get their old answers.
func (r *running) recalls() bool { return r.next < len(r.inputs) }

// recall returns the noted input at the place that the sync has reached, and moves on to the next place. It returns
// nil if there is none, as in every sync that was not started again; then the caller must note one. The pointer is
// valid until another input is noted.
func (r *running) recall(of inputKind) *input {
	if !r.again {
		return nil
	}
	return r.recallNext(of)
}

// recallNext is recall for a sync that was started again. It panics if the input there is of another kind: the
// controller then depends on something that is neither in its view nor in its inputs. The next place never gets ahead
// of the inputs by more than the one that the caller is to note.
func (r *running) recallNext(of inputKind) *input {
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

// Every sync asks the questions below whose answers are noted without a function, which costs less.

// Set returns the set as the cache holds it at this moment.
func (v *observed) Set() *model.StatefulSet {
	if known := v.r.recall(theSet); known != nil {
		return known.value.(*model.StatefulSet)
	}
	set := v.Frozen.Set()
	v.r.noteValue(theSet, set)
	return set
}

// Claim returns a claim as the cache holds it at this moment.
func (v *observed) Claim(name string) *model.Claim {
	return readInput(v.r, aClaim, func() *model.Claim { return v.Frozen.Claim(name) })
}

// Latest returns a pod as the cache holds it at this moment.
func (v *observed) Latest(name string) *model.Pod {
	return readInput(v.r, latest, func() *model.Pod { return v.Frozen.Latest(name) })
}

// Orphans returns the pods that the set may adopt.
func (v *observed) Orphans() []*model.Pod {
	if known := v.r.recall(orphans); known != nil {
		return known.value.([]*model.Pod)
	}
	pods := v.Frozen.Orphans()
	v.r.noteValue(orphans, pods)
	return pods
}

// Revisions returns the set's history.
func (v *observed) Revisions() []*model.Revision {
	if known := v.r.recall(revisions); known != nil {
		return known.value.([]*model.Revision)
	}
	history := v.Frozen.Revisions()
	v.r.noteValue(revisions, v.r.m.boxed(history))
	return history
}

// boxed returns a history as a value of type any. For the same slice as the last time it returns the same value,
// which allocates nothing. It relies on the cache replacing the slice of a history when the history changes, never
// writing to it.
func (m *Manager) boxed(history []*model.Revision) any {
	last, known := m.history.([]*model.Revision)
	if !known || len(last) != len(history) || len(last) == 0 || &last[0] != &history[0] {
		m.history = history
	}
	return m.history
}

// OwnedClaims says whether a claim of the namespace has an owner.
func (v *observed) OwnedClaims() bool { return readInput(v.r, ownedClaims, v.Frozen.OwnedClaims) }

// Stale says whether the caches lag behind the controller's own writes.
func (v *observed) Stale() bool {
	if known := v.r.recall(stale); known != nil {
		return known.value.(bool)
	}
	lags := v.Frozen.Stale()
	v.r.noteValue(stale, lags)
	return lags
}

// With returns a view in which the set has these pods too. It notes nothing itself: the adopted pods come from the
// noted replies of the sync.
func (v *observed) With(adopted []*model.Pod) model.View {
	return &observed{v.Frozen.With(adopted).(*cache.Frozen), v.r}
}
