package manager

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// told is an input of a running sync: something that it has learned since it began, or that was decided for it. A sync
// is a function of its view and of its inputs, in their order, so they say where it stands.
type heard struct {
	what  what
	n     int
	value any
}

// what is the kind of an input.
type what uint8

// resumed is which of its strands goes on, waited whether a wait has suspended it (1) or took no time (0), branch which
// branch comes next, reply an answer of the API server. The others are answers of the caches, as they were then.
const (
	resumed what = iota
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

var whatNames = [...]string{
	"resumed", "waited", "branch", "reply", "set", "claim", "latest", "orphans", "revisions", "owned claims", "stale",
}

// hear passes an input to a sync, and notes it.
func hear[T any](r *running, of what, ask func() T) T {
	if value, known := r.recall(of); known {
		return value.value.(T)
	}
	value := ask()
	r.told = append(r.told, heard{what: of, value: value})
	return value
}

// note notes an input that is a number.
func (r *running) note(of what, n int) { r.told = append(r.told, heard{what: of, n: n}) }

// noteReply notes an answer of the API server, which is an error, or one object, or nothing.
func (r *running) noteReply(answer model.Reply) {
	note := heard{what: reply}
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
	r.told = append(r.told, note)
}

// reply returns the API server's answer, if it is an input from before.
func (t *heard) reply() (answer model.Reply) {
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

// recalls says whether the sync is getting its earlier inputs once more.
func (r *running) recalls() bool { return r.next < len(r.told) }

// recall returns the earlier input of the sync at this place; false if there is none yet.
func (r *running) recall(of what) (heard, bool) {
	if r.next == len(r.told) {
		r.next++
		return heard{}, false
	}
	value := r.told[r.next]
	if value.what != of {
		panic(fmt.Sprintf("manager: the sync of %s asks for its %s, and was told %s before: it is no function of its view "+
			"and of what it is told", r.key, whatNames[of], whatNames[value.what]))
	}
	r.next++
	return value, true
}

// observed is the view of a sync that may be suspended. What is read live from the caches is noted.
type observed struct {
	model.View
	r *running
}

// Set returns the set as the cache holds it at this moment.
func (v *observed) Set() *model.StatefulSet { return hear(v.r, theSet, v.View.Set) }

// Claim returns a claim as the cache holds it at this moment.
func (v *observed) Claim(name string) *model.Claim {
	return hear(v.r, aClaim, func() *model.Claim { return v.View.Claim(name) })
}

// Latest returns a pod as the cache holds it at this moment.
func (v *observed) Latest(name string) *model.Pod {
	return hear(v.r, latest, func() *model.Pod { return v.View.Latest(name) })
}

// Orphans returns the pods that the set may adopt.
func (v *observed) Orphans() []*model.Pod { return hear(v.r, orphans, v.View.Orphans) }

// Revisions returns the set's history.
func (v *observed) Revisions() []*model.Revision {
	history := hear(v.r, revisions, func() any { return v.r.m.boxed(v.View.Revisions()) })
	return history.([]*model.Revision)
}

// boxed is a history as a value of any type. The same again is the same value, which takes no room of its own.
func (m *Manager) boxed(history []*model.Revision) any {
	last, known := m.history.([]*model.Revision)
	if !known || len(last) != len(history) || len(last) == 0 || &last[0] != &history[0] {
		m.history = history
	}
	return m.history
}

// OwnedClaims says whether a claim of the namespace has an owner.
func (v *observed) OwnedClaims() bool { return hear(v.r, ownedClaims, v.View.OwnedClaims) }

// Stale says whether the caches lag behind the controller's own writes.
func (v *observed) Stale() bool { return hear(v.r, stale, v.View.Stale) }

// With returns a view in which the set has these pods too.
func (v *observed) With(adopted []*model.Pod) model.View { return &observed{v.View.With(adopted), v.r} }
