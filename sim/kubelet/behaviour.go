// Package kubelet says how pods behave: how long they take to be bound, to run, to be ready and to stop, and which of
// them never get there. It decides nothing else: the world moves the pods.
package kubelet

import "github.com/statefulsim/statefulsim/sim/choose"

// Behaviour is the kubelet section of a scenario. The first rule that matches a pod wins; what it leaves out falls back
// to Default.
type Behaviour struct {
	Default Times
	Rules   []Rule
}

// Times are the delays in a pod's life. A nil Delay is not given.
type Times struct {
	// Schedule is from creation to the binding, Start from the binding to Running, Ready from Running to Ready, Stop from
	// the deletion of a bound pod until it is gone, Fail from Running to phase Failed.
	Schedule, Start, Ready, Stop, Fail Delay
	// Reason says why, where a pod does not get there: ImagePullBackOff.
	Reason string
}

// Rule gives some pods other times.
type Rule struct {
	Match Match
	Times Times
}

// Match says which pods a rule is for: those that satisfy all that is given.
type Match struct {
	// Pod, Image, Node, StatefulSet and Namespace are globs, "" is any.
	Pod, Image, Node, StatefulSet, Namespace string
	// Ordinal is the pod's ordinal, Nth its life from 1; nil is any.
	Ordinal, Nth *int
	// Template is the N of the @N that the pod was made from, 0 is any.
	Template int
}

// Delay is how long something takes.
type Delay interface {
	// Draw returns the delay in nanoseconds, drawn through the chooser; never is true where it does not happen at all.
	Draw(choose.Chooser) (ns int64, never bool)
	// String renders the delay as a scenario has it.
	String() string
}
