package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
	"unsafe"
)

// Time is an instant of virtual time: nanoseconds since the run began.
type Time int64

// Add returns the instant d after t.
func (t Time) Add(d time.Duration) Time { return t + Time(d) }

// Sub returns the time that passes from u to t.
func (t Time) Sub(u Time) time.Duration { return time.Duration(t - u) }

// mostSeconds is half of what a time.Duration holds: 146 years. Adding so many seconds to an instant of a run does
// not overflow.
const mostSeconds = int64(math.MaxInt64 / 2 / time.Second)

// Seconds returns a number of seconds, as an object of the API has it: at least 0, and at most 146 years.
func Seconds(n int64) time.Duration { return time.Duration(min(max(n, 0), mostSeconds)) * time.Second }

// Seconds renders t as decimal seconds without an exponent, with at most nine places and no trailing zeros.
func (t Time) Seconds() string {
	sign, n := "", uint64(t)
	if t < 0 {
		sign, n = "-", uint64(-t)
	}
	whole, frac := n/1e9, n%1e9
	s := sign + strconv.FormatUint(whole, 10)
	if frac == 0 {
		return s
	}
	digits := strconv.FormatUint(1e9+frac, 10)[1:]
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return s + "." + digits
}

// Clock renders t for people: 0s, 12.5s, 1m03s, 2h00m07.25s. Nothing is rounded.
func (t Time) Clock() string {
	if t < 0 {
		return "-" + (-t).Clock()
	}
	const minute = Time(time.Minute)
	if t < minute {
		return t.Seconds() + "s"
	}
	seconds := (t % minute).Seconds()
	if t%minute < Time(10*time.Second) {
		seconds = "0" + seconds
	}
	minutes := int64(t / minute)
	if minutes < 60 {
		return strconv.FormatInt(minutes, 10) + "m" + seconds + "s"
	}
	return fmt.Sprintf("%dh%02dm%ss", minutes/60, minutes%60, seconds)
}

// UID distinguishes objects with the same name: an object that is deleted and created again has another UID. 0
// means no object.
type UID uint64

// String renders the uid as in output.
func (u UID) String() string { return "uid-" + strconv.FormatUint(uint64(u), 10) }

// Key names an object of a kind that lives in a namespace.
type Key struct{ Namespace, Name string }

// Shares reports whether two keys are equal and have their texts in the same memory, as the keys of one object have
// that one room hands to the next. It compares no text, so it is faster than ==; keys that share nothing may still
// be equal.
func (k Key) Shares(other Key) bool {
	return len(k.Name) == len(other.Name) && unsafe.StringData(k.Name) == unsafe.StringData(other.Name) &&
		len(k.Namespace) == len(other.Namespace) && unsafe.StringData(k.Namespace) == unsafe.StringData(other.Namespace)
}

// SameText reports whether two texts are equal, and is the quicker the more often they are one text in the same
// memory.
func SameText(a, b string) bool {
	return len(a) == len(b) && (unsafe.StringData(a) == unsafe.StringData(b) || a == b)
}

// String renders the key as NAMESPACE/NAME.
func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Compare orders keys by namespace, then by name.
func (k Key) Compare(other Key) int {
	return cmp.Or(cmp.Compare(k.Namespace, other.Namespace), cmp.Compare(k.Name, other.Name))
}

// Meta holds the metadata that all objects of the API have.
type Meta struct {
	Namespace, Name string
	UID             UID
	// ResourceVersion grows with every write to the store, over all objects.
	ResourceVersion uint64
	// Generation grows with every change of the object's spec.
	Generation  int64
	Labels      map[string]string
	Annotations map[string]string
	Owners      []Owner
	Finalizers  []string
	Created     Time
	// Deletion is nil until the object's deletion is requested.
	Deletion *Deletion
}

// Key returns the object's namespace and name.
func (m *Meta) Key() Key { return Key{m.Namespace, m.Name} }

// Terminating reports whether the object's deletion has been asked for (metadata.deletionTimestamp is set).
func (m *Meta) Terminating() bool { return m.Deletion != nil }

// Controller returns the owner that is the object's controller, or nil.
func (m *Meta) Controller() *Owner {
	for i := range m.Owners {
		if m.Owners[i].Controller {
			return &m.Owners[i]
		}
	}
	return nil
}

// Deletion is a deletion that has been asked for but is not complete.
type Deletion struct {
	// At is the time of the request.
	At Time
	// Grace is the time the object's process is given to end.
	Grace time.Duration
}

// Owner is an owner reference. Its apiVersion is the one of the Kind; a kind that the simulator does not know is
// KindNone.
type Owner struct {
	Kind       Kind
	Name       string
	UID        UID
	Controller bool
}

// SameOwners reports whether two lists of owners are equal. Objects are never changed, so most are one and the
// same.
func SameOwners(a, b []Owner) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || slices.Equal(a, b))
}

// Kind is a kind of API object.
type Kind uint8

// The kinds the simulator knows.
const (
	KindNone Kind = iota
	KindStatefulSet
	KindPod
	KindClaim
	KindRevision
)

var kindNames = [...]string{"", "StatefulSet", "Pod", "PersistentVolumeClaim", "ControllerRevision"}

// String returns the kind's name in the API.
func (k Kind) String() string { return kindNames[k] }
