// Package model is the vocabulary that all parts of the simulator share: the objects of the API (StatefulSet, Pod,
// Claim, Revision), what a controller sees (View), what it may do (Calls) and why it does it (Why).
//
// It imports the standard library only and holds no state. Objects are immutable once they have been handed over:
// to make another version, copy the object, change the copy and hand the copy over. So a pointer to an object is a
// snapshot, and defensive copies are not needed.
package model

import "time"

// Controller is the algorithm under simulation. It is a function of a view and of the replies to its calls: it knows
// neither time nor chance but through them, and it keeps nothing of a view.
type Controller interface {
	// Sync brings one set nearer to its spec.
	Sync(View, Calls) Result
	// Enqueue adds the sets that a change from a watch puts into the work queue, each with its delay (0 is at
	// once). The rules differ by version.
	Enqueue(Change, Sets, func(Key, time.Duration))
}

// Result is how a sync ended.
type Result struct {
	// Err makes the world retry the set with a growing delay; nil forgets earlier failures.
	Err error
	// After is the delay of another sync that the controller asks for. It only counts if Requeue is true. It counts from
	// the end of this sync, or with FromStart from the instant of its view.
	After              time.Duration
	Requeue, FromStart bool
	// Waits are what the controller waits for: for everything that it left undone, the reason. A sync that had
	// nothing left to do waits for nothing. The slice is only valid until the next sync.
	Waits []Why
}

// ChangeType is how an object changed.
type ChangeType uint8

// The types of change.
const (
	Added ChangeType = iota + 1
	Modified
	Deleted
)

// Change is a change of a set or a pod, as a watch delivers it to the controller. For Modified both versions are given,
// for Deleted only the old one.
type Change struct {
	Type        ChangeType
	OldPod, Pod *Pod
	OldSet, Set *StatefulSet
}

// Sets finds sets in the controller's cache.
type Sets interface {
	// Set returns the set of that name, or nil.
	Set(Key) *StatefulSet
	// Selecting calls yield for each set of the namespace whose selector matches the labels, in the order of names.
	Selecting(namespace string, labels map[string]string, yield func(*StatefulSet))
}
