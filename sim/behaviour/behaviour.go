// Package behaviour says how pods behave: how long they take to be bound, to run, to be ready and to stop, and which of
// them never get there. It decides nothing else: the world moves the pods.
package behaviour

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// Behaviour is the kubelet section of a scenario. The first rule that matches a pod wins; the rest is that of Default.
type Behaviour struct {
	Default Times
	Rules   []Rule
	// Added are rules that have come while the cluster runs, each by its name. They win over all others, the newest first:
	// what one leaves out is as without it. It is replaced, never changed.
	Added []Named
	// Sets are the times of the pods of some sets: they complete the rules, and the defaults complete them.
	Sets map[model.Key]Times
	// MaxRestartWait is the longest wait of CrashLoopBackOff; 0 means Kubernetes' own.
	MaxRestartWait time.Duration
	// Probes says that the times come from the manifests; if it is nil, only the times of the rules count.
	Probes *Probes
	// SigKill says that a container that has not stopped by the end of its grace period is killed. With Probes all are.
	SigKill bool
}

// CrashLoop returns the back-off of containers that end again and again.
func (b *Behaviour) CrashLoop() BackOff {
	if b.MaxRestartWait > 0 {
		return CrashLoopBackOff.Capped(b.MaxRestartWait)
	}
	return CrashLoopBackOff
}

// Times are the delays in a pod's life. A nil Delay is not given. Pods share one, which never changes.
type Times struct {
	// Schedule is from creation to the binding, Start from the binding to Running, Ready from Running to Ready, Stop from
	// the deletion of a bound pod until it is gone, Fail from Running to phase Failed.
	Schedule, Start, Ready, Stop, Fail Delay
	// Pull says how the image is pulled; nil if Start includes the pull.
	Pull *Pull
	// Crash is from a container's start until it ends with an error; the kubelet starts it again. Crashes is how often it
	// does so in a pod's life, 0 is for ever.
	Crash   Delay
	Crashes int
	// Exit is the exit code of a container that ends by itself; nil is 1, an error.
	Exit *int
	// Healthy is the time from a container's start until its application answers the probes, Init the time that an init
	// container takes; both are for Probes. PreStop is the time that a preStop hook takes if the manifest does not say it.
	Healthy, Init, PreStop Delay
	// When is a further condition that must hold for the pod to be Ready.
	When *Condition
	// GiveUp is from a container's start until it ends because the pod has not become Ready by then.
	GiveUp Delay
	// Reason says why, if a pod does not get there: ImagePullBackOff.
	Reason string
}

// Endless says whether the container ends again and again for ever.
func (t *Times) Endless() bool { return t.Crash != nil && t.Crashes == 0 || t.GiveUp != nil }

// Hopeless says whether the container surely never lives long enough for the pod to become Ready.
func (t *Times) Hopeless() bool {
	if t.Ready == Never {
		return true
	}
	takes, known := t.Ready.(Constant)
	if !known {
		return false
	}
	for _, end := range []Delay{t.Crash, t.GiveUp} {
		if lives, known := end.(Constant); known && takes > lives && end != nil {
			return true
		}
	}
	return false
}

// InitTakes returns the default time of an init container: one second.
func (t *Times) InitTakes() Delay {
	if t.Init == nil {
		return Constant(time.Second)
	}
	return t.Init
}

// ExitCode returns the exit code of a container that ends by itself.
func (t *Times) ExitCode() int {
	if t.Exit == nil {
		return 1
	}
	return *t.Exit
}

// ErrorWord returns the status that kubectl shows for a container that has crashed: a reason such as OOMKilled.
func (t *Times) ErrorWord() string {
	if t.ExitCode() == 0 {
		return "Completed"
	}
	if t.Reason == "" || t.Reason == "CrashLoopBackOff" {
		return "Error"
	}
	return t.Reason
}

// Rule gives some pods other times.
type Rule struct {
	Match Match
	Times Times
	// Of says where all pods are that the rule can match, so that a world without them may leave it out.
	Of Whose
}

// Named is a rule with a name.
type Named struct {
	Name string
	Rule Rule
}

// Whose are the pods of a namespace, or of a set of it; those of any namespace if it is "". Word is in their templates:
// a string of the spec, or what the spec asks of nodes; "" is any.
type Whose struct{ Namespace, Set, Word string }

// May says whether pods of a set may be among them.
func (w *Whose) May(namespace, set string) bool {
	return (w.Namespace == "" || w.Namespace == namespace) && (w.Set == "" || w.Set == set)
}

// Match says which pods a rule is for: those that satisfy all that is given.
type Match struct {
	// Pod, Image, Node, StatefulSet and Namespace are globs, "" is any.
	Pod, Image, Node, StatefulSet, Namespace string
	// Ordinal is the pod's ordinal, Nth its life from 1; nil is any.
	Ordinal, Nth *int
	// Container is a glob too. It chooses containers where they are modelled one by one.
	Container string
	// Template is the N of the @N that the pod was made from, 0 is any.
	Template int
	// That is a further condition on the pod, which it must not change; nil means none.
	That func(*model.Pod) bool
}

// Delay says how long something takes. It has no state, so runs and pods share it.
type Delay interface {
	// Draw returns the delay in nanoseconds, drawn through the chooser; never is true if it does not happen at all.
	Draw(choose.Chooser) (ns int64, never bool)
	// String renders the delay as a scenario has it.
	String() string
}

// All calls yield for the times of all rules, and for the defaults at last. It is an iterator for range.
func (b *Behaviour) All(yield func(*Times) bool) {
	for i := range b.Rules {
		if !yield(&b.Rules[i].Times) {
			return
		}
	}
	yield(&b.Default)
}

// Printer is the writer that a back-off prints itself to.
type Printer interface {
	Int(int)
	Time(model.Time)
}

// Print prints what decides how long the next waits are.
func (r *Restarts) Print(p Printer) {
	p.Int(int(r.next))
	if r.next > 0 {
		p.Time(r.restarted)
	}
	p.Int(int(r.wait))
	p.Int(int(r.before))
	p.Int(r.rounds)
}

// Print prints what decides how long the next wait is.
func (a *Attempts) Print(p Printer) {
	p.Int(a.Failed)
	p.Int(int(a.wait))
}
