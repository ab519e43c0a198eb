package manager

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// input is an input of a running sync: something that it has read or received since it began, or a choice that the
// world has made for it. A sync is a function of its view and of its inputs in their order, so these say how far it has
// got.
type input struct {
	kind  inputKind
	n     int
	value any
}

// inputKind is the kind of an input.
type inputKind uint8

// These are numbers: resumed is the strand that continues, waited is 1 if a wait has suspended the sync and 0 if it
// took no time, branch is the branch that comes next. reply is an answer of the API server. The others are answers of
// the caches at that time.
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

// readInput returns an input of a sync: the one noted at this place if the sync is started again, or else what read
// returns, which it notes.
func readInput[T any](r *running, of inputKind, read func() T) T {
	if value, known := r.recall(of); known {
		return value.value.(T)
	}
	value := read()
	r.inputs = append(r.inputs, input{kind: of, value: value})
	return value
}

// note notes an input that is a number.
func (r *running) note(of inputKind, n int) { r.inputs = append(r.inputs, input{kind: of, n: n}) }

// noteReply notes an answer of the API server: an error, one object, or nothing.
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

// recalls says whether the sync still gets inputs that were noted before it was started again.
func (r *running) recalls() bool { return r.next < len(r.inputs) }

// recall returns the noted input at the place that the sync has reached; false if there is none yet.
func (r *running) recall(of inputKind) (input, bool) {
	if r.next == len(r.inputs) {
		r.next++
		return input{}, false
	}
	value := r.inputs[r.next]
	if value.kind != of {
		panic(fmt.Sprintf("manager: the sync of %s asks for its %s, but the noted input is %s: the sync is no "+
			"function of its view and its inputs", r.key, inputNames[of], inputNames[value.kind]))
	}
	r.next++
	return value, true
}

// observed is the view of a sync that may be suspended. It notes every answer that is read live from the caches.
type observed struct {
	model.View
	r *running
}

// Set returns the set as the cache holds it at this moment.
func (v *observed) Set() *model.StatefulSet { return readInput(v.r, theSet, v.View.Set) }

// Claim returns a claim as the cache holds it at this moment.
func (v *observed) Claim(name string) *model.Claim {
	return readInput(v.r, aClaim, func() *model.Claim { return v.View.Claim(name) })
}

// Latest returns a pod as the cache holds it at this moment.
func (v *observed) Latest(name string) *model.Pod {
	return readInput(v.r, latest, func() *model.Pod { return v.View.Latest(name) })
}

// Orphans returns the pods that the set may adopt.
func (v *observed) Orphans() []*model.Pod { return readInput(v.r, orphans, v.View.Orphans) }

// Revisions returns the set's history.
func (v *observed) Revisions() []*model.Revision {
	history := readInput(v.r, revisions, func() any { return v.r.m.boxed(v.View.Revisions()) })
	return history.([]*model.Revision)
}

// boxed returns a history as a value of type any. If it is the same history as the last time, it returns the same
// value, which allocates nothing.
func (m *Manager) boxed(history []*model.Revision) any {
	last, known := m.history.([]*model.Revision)
	if !known || len(last) != len(history) || len(last) == 0 || &last[0] != &history[0] {
		m.history = history
	}
	return m.history
}

// OwnedClaims says whether a claim of the namespace has an owner.
func (v *observed) OwnedClaims() bool { return readInput(v.r, ownedClaims, v.View.OwnedClaims) }

// Stale says whether the caches lag behind the controller's own writes.
func (v *observed) Stale() bool { return readInput(v.r, stale, v.View.Stale) }

// With returns a view in which the set has these pods too.
func (v *observed) With(adopted []*model.Pod) model.View { return &observed{v.View.With(adopted), v.r} }
