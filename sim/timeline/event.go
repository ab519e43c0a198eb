// Package timeline is the record of a run: a list of events that fold into the state at any instant. Expectations
// and reports look at nothing else.
//
// Invariants:
//
//   - The times of events never fall. The first event is the header (KindRun), the last one of a run that has ended
//     is the result (KindResult), and there is one of each.
//   - An event does not change after its instant, and shares parts with others; nobody writes to an event of somebody
//     else.
//   - Fold is the only code that turns events into state. What a report prints follows from the events alone.
//   - A timeline that AppendJSON has written, read by Read and written once more, has the same bytes. docs/timeline.md
//     describes the format, and tests compare its tables with what is written and read. A reader must tolerate names
//     and kinds that it does not know.
//
// The kernel records, and package sim closes the record. Everything else that looks at a run (expect, report,
// versus, promise) reads events or a Fold of them, and could just as well read them from a file.
package timeline

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// FormatVersion is the version of the JSON lines format, as the header states it. docs/timeline.md documents the
// format; TestFieldsAreWritten and TestFieldsAreRead hold it to the code.
const FormatVersion = 1

// Event is one thing that happened. Which fields mean something depends on Kind. It is small, because a run has very
// many: what several events have in common is kept once and pointed at, and so is what most events do not have. All
// of that is read as if it were the event's own (e.Pod, e.Why, e.Step); it is shared, and must not be changed. No
// pointer is nil in an event that was made of an Entry; the zero Event is none.
type Event struct {
	T     model.Time
	Kind  Kind
	Actor Actor
	// State is the state that a pod enters (KindPod).
	State State
	// Bare is true for a pod that no existing set owns: from its creation by hand or its release on, or from the
	// creation of a set with the name of its deleted owner. It does not count for any set.
	Bare bool
	// Warning is the type of a KindK8sEvent; if false it is Normal.
	Warning bool
	// Passing is true for a KindK8sEvent whose complaint was over in the same instant, so that it explains no wait.
	Passing bool
	*Subject
	*Cause
	*Detail
}

// Subject is the object that an event is about.
type Subject struct {
	*Origin
	// Pod, UID, Nth and Node, and the fields of Origin, describe a pod's change of state (KindPod). Pod also names the pod
	// that a wait is for. Nth counts the lives of the pod's name from 1.
	Pod  string
	UID  model.UID
	Nth  int
	Node string
	// IP is the pod's address, from the time it runs; it is only set in worlds that have a Service.
	IP string
}

// Origin is what all pods of one revision of a StatefulSet have in common. It is never nil.
type Origin struct {
	// Set is the StatefulSet that the object belongs to; zero if it belongs to none. A pod that no set owns is listed with
	// the set that it is named after.
	Set model.Key
	// Template is the N of @N, Revision the number of the ControllerRevision.
	Template int
	Revision int64
	Image    string
}

// About returns the subject of an event that is about a set, or a pod of it; pod is "" then.
func About(set model.Key, pod string) *Subject {
	about := &struct {
		Subject
		origin Origin
	}{Subject{Pod: pod}, Origin{Set: set}}
	about.Origin = &about.origin
	return &about.Subject
}

// Cause is why something happened.
type Cause struct {
	// Why is the reason if it is one of the model's. Otherwise Reason and Message are in the API's words (Evicted, an
	// error of the API server).
	Why     model.Why
	Reason  string
	Message string
	// Containers is the state of a pod's containers, with KindContainer, and with KindPod if the kubelet reports it.
	Containers *model.Containers
}

// Detail holds the fields that only events of one kind have. At most one of its fields, including the fields of
// Rare, is set; Rare itself is never nil.
type Detail struct {
	// Wait is set for KindWait; Status for KindStatus, nil if the set is gone (ReasonDeleted).
	Wait   *Wait
	Status *model.Status
	*Rare
}

// Rare holds the fields of kinds of events that are rare in a run.
type Rare struct {
	// Each is set in events of the kind of its name, and nil in all others. Rev is of KindRevision, Owned of KindOwner.
	Run    *Run
	Step   *Step
	Rev    *Rev
	Claim  *Claim
	Fault  *Fault
	DNS    *DNS
	Owned  *Owned
	Result *Result
	// NodeState, Process and Budget are set for KindNode, KindProcess and KindBudget.
	NodeState *Node
	Process   *Process
	Budget    *Budget
}

// ReasonDeleted is the Reason of a status event without a status: the set is gone. A set that a step removes at
// once is in the step's Removed instead.
const ReasonDeleted = "Deleted"

// Kind is the kind of event.
type Kind uint8

// The kinds. Their numbers are not part of the format; their names are.
const (
	KindRun Kind = iota + 1
	KindPod
	KindStep
	KindSync
	KindWait
	KindStatus
	KindRevision
	KindClaim
	KindK8sEvent
	KindFault
	KindResult
	// KindContainer is a change of a pod's containers that changes neither its phase nor its readiness.
	KindContainer
	// KindDNS is a change in the answers of the cluster's DNS.
	KindDNS
	// KindOwner is a change of the owner of a pod or a revision.
	KindOwner
	KindNode
	KindProcess
	KindBudget
)

var kindNames = [...]string{
	"", "run", "pod", "step", "sync", "wait", "status", "revision", "claim", "k8sEvent", "fault", "result", "container",
	"dns", "owner", "node", "process", "budget",
}

// String returns the kind as in JSON.
func (k Kind) String() string { return kindNames[k] }

// Actor says who caused an event: who made the write that it records, or who found out what it says.
type Actor uint8

// The actors.
const (
	NoActor Actor = iota
	User
	Controller
	Scheduler
	Kubelet
	APIServer
	// Dump describes the start state of a run that starts from a dump.
	Dump
)

var actorNames = [...]string{"", "user", "controller", "scheduler", "kubelet", "apiserver", "dump"}

// String returns the actor as in JSON.
func (a Actor) String() string { return actorNames[a] }

// ActorNames lists the names of all actors.
func ActorNames() []string { return slices.Clone(actorNames[1:]) }

// ActorOf returns the actor of that name, NoActor if there is none.
func ActorOf(name string) Actor { return Actor(nameOf(actorNames[:], name)) }

// State is a state that a pod enters.
type State uint8

// The states, in the order of a pod's life. A pod that is Terminating enters no other state but Gone. Ready and
// Unready are changes of the Ready condition of a pod that runs.
const (
	NoState State = iota
	Pending
	Running
	Ready
	Unready
	Failed
	Succeeded
	Terminating
	Gone
)

var stateNames = [...]string{"", "Pending", "Running", "Ready", "Unready", "Failed", "Succeeded", "Terminating", "Gone"}

// String returns the state as in JSON.
func (s State) String() string { return stateNames[s] }

// StateNames lists the names of all states, in the order of a pod's life.
func StateNames() []string { return stateNames[1:] }

// StateOf returns the state of that name, NoState if there is none.
func StateOf(name string) State { return State(nameOf(stateNames[:], name)) }

// Run is the header: the first event of a timeline. It tells what was run: the scenario, the version of Kubernetes,
// the seed.
type Run struct {
	// Format is FormatVersion, Sim the program's version, Scenario the scenario's name, Kubernetes its MAJOR.MINOR.PATCH.
	Format     int
	Sim        string
	Scenario   string
	Kubernetes string
	// PreRelease is the exact version that Kubernetes was compared with, if it is not out yet: v1.38.0-beta.0.
	PreRelease string
	// Gates are the feature gates that differ from the profile's defaults or that the scenario names, by name.
	Gates []Gate
	// Seed is the seed of the chooser. It means nothing if the choices were made in another way.
	Seed uint64
	// Digest is the digest of the scenario as it was read.
	Digest string
	// Until is the limit of virtual time of the run; 0 means none.
	Until time.Duration
	// DNSTTL is how long the DNS caches its answers, including negative ones; 0 means that it does not cache.
	DNSTTL time.Duration
}

// Version returns the version of Kubernetes for people, who are told if it is not out yet.
func (r *Run) Version() string { return model.VersionTitle(r.Kubernetes, r.PreRelease) }

// Gate is a feature gate and whether it is on, whatever its default is.
type Gate struct {
	Name string
	On   bool
}

// Step describes an action of the user, and Effect its result. It comes before the events that follow from it, so
// the world completes it after the action.
type Step struct {
	// Number counts from 1. Name is "" if the scenario gives none. Verb is the step's key in the scenario: setImage.
	Number int
	Name   string
	Verb   string
	// Does describes the step in words: "set image of web to app:v2".
	Does string
	// Trigger is what the step waited for: "at" or "after", each with the number Delay, "settled", or a waiting
	// command, as it is typed.
	Trigger string
	Delay   time.Duration
	Effect  Effect
	// Refusal is the API server's refusal; ExpectedRefusal is the text that the scenario expects in it, or "".
	Refusal         string
	ExpectedRefusal string
	// Cause is the part of a refusal that the API returns in addition to the message, and kubectl does not print.
	Cause string
	// Sets are the sets that the step created or changed, as they are stored afterwards; the fold takes them in.
	// Removed are the sets that it removed at once, not sets whose deletion has only started.
	Sets    []*model.StatefulSet
	Removed []model.Key
}

// Effect is the result of a step or a fault, in the words of kubectl where it has any.
type Effect string

// The effects. None: there was nothing to act on. Refused: the API server refused it.
const (
	Created    Effect = "created"
	Configured Effect = "configured"
	Unchanged  Effect = "unchanged"
	Deleted    Effect = "deleted"
	Done       Effect = "done"
	None       Effect = "none"
	Refused    Effect = "refused"
)

// Changes reports whether something is different afterwards.
func (e Effect) Changes() bool { return e != None && e != Unchanged && e != Refused }

// Fault is something that went wrong: an action of the scenario's faults, and its trigger.
type Fault struct {
	// Number counts the faults of the scenario from 1. Name is "" if the scenario gives none. Verb is its action's key in
	// the scenario: error, restartController, delete.
	Number int
	Name   string
	Verb   string
	// Does describes in words what happened, Trigger what it had waited for.
	Does    string
	Trigger string
	Effect  Effect
	// Refusal is the API server's refusal of the fault's action.
	Refusal string
	// Sets are the sets that it created or changed, as they are stored afterwards. Removed are those that it removed.
	Sets    []*model.StatefulSet
	Removed []model.Key
}

// Wait is the start or the end of a wait of the controller. The event's Why says what it waits for; the events of
// one wait have the same code, object and rule.
type Wait struct {
	// Ended is false when the wait starts. Since is when it started, in both events.
	Ended bool
	Since model.Time
}

// Rev is a change of a set's history.
type Rev struct {
	// Type tells whether the revision was made, changed (renumbered) or removed.
	Type model.ChangeType
	Name string
	// Number is its number after the change, Template the N of its @N.
	Number   int64
	Template int
	// Cause is its annotation kubernetes.io/change-cause, copied from the set when the revision was created.
	Cause string
}

// Claim is a change of a claim.
type Claim struct {
	Type model.ChangeType
	Name string
	// Phase is Pending or Bound, or Terminating once the claim's deletion has been asked for.
	Phase string
	// Owners are the objects that the claim is deleted with, as KIND/NAME: Pod/web-2.
	Owners []string
}

// PhaseTerminating is the Phase of a claim that is being deleted.
const PhaseTerminating = "Terminating"

// Owned is the event that a pod or a revision has another controller or none. For a pod, the event has everything
// that other events about a pod have, with the pod's present State; for a revision, its Template and its Revision.
type Owned struct {
	Change OwnerChange
	// Revision is the name of the revision; "" for a pod.
	Revision string
}

// OwnerChange is how the owners change.
type OwnerChange uint8

// The changes.
const (
	// Adopted: a set that it matches has become its owner.
	Adopted OwnerChange = iota + 1
	// Released: it no longer matches its set, and has no owner.
	Released
	// LeftBehind: its set was deleted without it. It has no owner, but a set that is created again may adopt it.
	LeftBehind
)

var ownerChangeNames = [...]string{"", "adopted", "released", "leftBehind"}

// String returns the change as in JSON.
func (c OwnerChange) String() string { return ownerChangeNames[c] }

// Result is the last event of a finished timeline.
type Result struct {
	Verdict Verdict
	// Stuck lists, for the verdict stuck, what each stuck set waits for; for livelock, Repeats lists the writes that
	// repeat. Warnings are what a user should know, whatever the verdict.
	Stuck    []Stuck
	Repeats  []string
	Warnings []string
	// Digest is the digest of all events before this one, in a timeline that was read. A run leaves it empty; the
	// function Digest computes it. Events counts the events before the result.
	Digest string
	Events int
	// Syncs counts the syncs of the controller in the run; 0 in a timeline that does not say.
	Syncs int
}

// Of returns how the run ended for one set: a run that is stuck on another set has settled for this one. It also
// returns what holds the set up, nil if nothing does; it prefers a rule that blocks something to the rule of
// Parallel, which waits for all pods at once and blocks nothing.
func (r *Result) Of(set model.Key) (Verdict, *Stuck) {
	var found *Stuck
	for i := range r.Stuck {
		if s := &r.Stuck[i]; s.Set == set && (found == nil || found.Why.Rule == model.RuleParallel) {
			found = s
		}
	}
	if r.Verdict == IsStuck && found == nil {
		return Settled, nil
	}
	return r.Verdict, found
}

// Stuck is a set that cannot progress, and the rule that holds it. A set that is stuck for several reasons has one
// entry for each.
type Stuck struct {
	Set model.Key
	Why model.Why
	// Since is when the wait for Why started.
	Since model.Time
	// Error is the error of the set's last sync, or "".
	Error string
}

// Verdict is how a run ended.
type Verdict string

// The verdicts. Settled: nothing more happens, and no set is stuck. IsStuck: nothing more happens, and a set waits
// for something that its spec does not ask for. Livelock: an instant, or a cycle, has no end. WasRefused: the API
// server refused a step, and the scenario did not expect it. Limit: a limit of the run was reached. Interrupted: it
// was stopped from outside.
const (
	Settled     Verdict = "settled"
	IsStuck     Verdict = "stuck"
	Livelock    Verdict = "livelock"
	WasRefused  Verdict = "refused"
	Limit       Verdict = "limit"
	Interrupted Verdict = "interrupted"
)

// Verdicts lists all verdicts.
func Verdicts() []string {
	var names []string
	for _, v := range []Verdict{Settled, IsStuck, Livelock, WasRefused, Limit, Interrupted} {
		names = append(names, string(v))
	}
	return names
}
