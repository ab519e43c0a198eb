// Package sim is the simulated world: a virtual clock, an API server, caches, a scheduler and a kubelet, in which a
// controller is run against what users do. It is given the controller as a model.Controller and knows none itself.
package sim

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/gc"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/kubelet"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/scheduler"
	"github.com/statefulsim/statefulsim/sim/storage"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// What the rooms are given, under the names of the world.
type (
	// Cluster is the nodes, and the times of those who watch over them.
	Cluster = nodes.Config
	// Node is a node of the cluster.
	Node = nodes.Spec
	// NodeRules says how a version of the control plane monitors nodes.
	NodeRules = nodes.Rules
	// Volumes says how claims come to their storage and how they go.
	Volumes = storage.Config
	// ClaimTimes are the delays in a claim's life, ClaimRule gives some claims other ones, ClaimMatch says which.
	ClaimTimes = storage.ClaimTimes
	ClaimRule  = storage.ClaimRule
	ClaimMatch = storage.ClaimMatch
	// BindingMode is a storage class's volumeBindingMode.
	BindingMode = storage.BindingMode
	// Collector says how long the garbage collector takes.
	Collector = gc.Config
	// DeletionPolicy says what happens to a set's pods when the set is deleted.
	DeletionPolicy = gc.DeletionPolicy
	// Machinery says how long calls to the API server, watches and syncs take.
	Machinery = manager.Latency
	// Beginning says how a controller begins after a restart.
	Beginning = manager.Beginning
	// Taint is a taint of a node, NodeFilter decides which nodes take a pod: Ask is the question, Place a node with its
	// pods, Refusal why one does not.
	Taint      = nodes.Taint
	NodeFilter = scheduler.Filter
	Ask        = scheduler.Ask
	Place      = scheduler.Place
	Refusal    = scheduler.Refusal
	// Crash says how a container ends.
	Crash = kubelet.Crash
	// Versions says what becomes of versions of objects that are replaced.
	Versions = store.Versions
	// Spare is memory that worlds use one after the other. The zero value is ready to use.
	Spare = kernel.Spare
)

// The words of the rooms that go with them.
const (
	Reused  = store.Reused
	Kept    = store.Kept
	Spoiled = store.Spoiled

	Immediate            = storage.Immediate
	WaitForFirstConsumer = storage.WaitForFirstConsumer

	Background = gc.Background
	Foreground = gc.Foreground
	Orphan     = gc.Orphan

	DefaultMonitorGrace = nodes.DefaultMonitorGrace
	DefaultToleration   = nodes.DefaultToleration

	// Unschedulable is the scheduler's message about a cordoned node.
	Unschedulable = scheduler.Unschedulable

	// TwinWarning is the beginning of the warning that two processes had one identity at the same time.
	TwinWarning = kubelet.TwinWarning
)

// Config holds everything that a world is created from.
type Config struct {
	// Controller is the StatefulSet controller of a version.
	Controller model.Controller
	// API says how the version's API server treats a StatefulSet.
	API model.APIRules
	// Kubelet says how pods behave.
	Kubelet behaviour.Behaviour
	// Cluster are the nodes, and the times of those who watch over them.
	Cluster Cluster
	// NodeFilter makes, for the nodes of the world, who decides which of them take a pod; nil goes by their state alone. A
	// world that goes on as another one has the other's.
	NodeFilter func(*Cluster) NodeFilter
	// Volumes says how claims come to their storage, Collector how the garbage collector keeps up.
	Volumes   Volumes
	Collector Collector
	// DNSDelay is the time from a change of a pod to the new answer of the DNS.
	DNSDelay time.Duration
	// Machinery says how long calls to the API server, watches and syncs take.
	Machinery Machinery
	// Faults are the faults, in the order of their numbers.
	Faults []Fault
	// Chooser answers what is not determined; nil is choose.Dull.
	Chooser choose.Chooser
	// EarlySyncs asks the Chooser whether a sync comes before what else is due at its instant. Otherwise it comes after.
	EarlySyncs bool
	// Until ends the run at that instant with the verdict limit; 0 is no limit.
	Until time.Duration
	// MaxEvents ends the run with the verdict limit when the timeline has that many events; 0 is no limit.
	MaxEvents int
	// Start is the state that the world begins with; nil is an empty cluster.
	Start *State
	// Versions says what becomes of the versions of objects that are replaced. A controller has to say that it keeps
	// none, by a method KeepsNoObjects: else they are all kept.
	Versions Versions
	// Admit, if it is given, is asked for each pod that the controller creates, as admission plugins are: a quota, a
	// PriorityClass that is not there. It returns the refusal, or nil.
	Admit func(*model.Pod) *model.APIError
	// MaxReplicas ends the run with the verdict limit when its sets want more replicas together; 0 is no limit.
	MaxReplicas int
	// Cycles ends a run with the verdict limit that repeats itself after its last step.
	Cycles bool
	// Header is the timeline's first event.
	Header timeline.Run
	// Written, if it is given, is handed the events of the timeline in their order, each once: those of an instant when it
	// is over, for they do not change any more then. The slice is valid during the call.
	Written func([]timeline.Event)
	// NoHistory forgets events that were handed to Written, so that the memory of a run does not grow with its length. The
	// world's Events, Run and End return the events of the last instants only.
	NoHistory bool
	// Watch, if it is given, is called at every fixed point of the controller: after each tick, and before each step.
	Watch func(*World)
	// Acted, if it is given, is called by Run at the fixed point after the last step, unless the run is over by then.
	Acted func(*World)
	// Interrupted, if it is given, is asked now and then; when it says true the run ends with that verdict.
	Interrupted func() bool
	// Spare, if it is given, is what worlds use that are played one after the other: see Leave.
	Spare *Spare
	// Exhausted, if it is given, is asked as often; what it says, if anything, ends the run with the verdict limit.
	Exhausted func() string
}

// Step is something a user does at a time.
type Step struct {
	// Number, Name, Verb and Does are for the timeline.
	Number           int
	Name, Verb, Does string
	When             When
	// Until is the command for which the step waits in the place of a time, or nil.
	Until *Wait
	// Refused is the text that the API server's refusal must contain, case apart; "" expects none.
	Refused string
	// Remedy says that the step may end a livelock: it changes what a StatefulSet asks for, beyond its replicas, or the
	// controller.
	Remedy bool
	// Act does it.
	Act func(*User) Outcome
}

// Wait is a command that waits, and returns before a step acts, as the line before it in a shell script does.
type Wait struct {
	// Command is the command as it is typed.
	Command string
	// Timeout is how long it waits, 0 for ever. Late is the error with which it ends then.
	Timeout time.Duration
	Late    string
	// Begin begins it. The error is "" or that with which it ends at once.
	Begin func(*User) (Returns, string)
}

// Returns says whether a command that waits returns now, and with which error, "" for none.
type Returns func(*User) (bool, string)

// When is the time of a step.
type When struct {
	Trigger Trigger
	// D is the instant for At, the delay since the previous step for After.
	D time.Duration
}

// Trigger says what a step waits for.
type Trigger uint8

// The triggers.
const (
	OnceSettled Trigger = iota
	At
	After
)

var triggerNames = [...]string{"settled", "at", "after"}

// String returns the trigger as in the timeline.
func (t Trigger) String() string { return triggerNames[t] }

// Outcome is the result of a step.
type Outcome struct {
	Effect timeline.Effect
	// Err is the API server's refusal, or nil.
	Err *model.APIError
	// Warning is printed at the end of the run; "" means none.
	Warning string
	// Pod is the pod that the step was about, if it was about one, Claim the claim.
	Pod, Claim model.Key
	// Sets are the sets that were created or changed, as stored; Removed those that were deleted.
	Sets    []*model.StatefulSet
	Removed []model.Key
}

// Untolerated returns the scheduler's message, in the words of a version, about a node with a taint that a pod does not
// tolerate.
func Untolerated(rules *NodeRules, key, value string) string {
	return scheduler.Untolerated(rules, key, value)
}

// Few names the first of some names.
func Few(names []string) string { return scheduler.Few(names) }
