// Package sim is the simulated world: a virtual clock, an API server, caches, a scheduler and a kubelet, that run a
// controller against the acts of users. The caller passes the controller as a model.Controller; the package itself
// has none.
//
// The rooms of the world are packages below this one. This package wires them (world.go), lets time pass (run.go,
// drive.go), ends a run that has no end (limits.go, cycle.go), and has a method of User for everything that a step
// can do.
//
// Invariants:
//
//   - A run is a function of the configuration, the steps and the answers of the chooser. Nothing reads the wall
//     clock, and nothing depends on the order of a map.
//   - Within an instant everything that is due happens before a set is synced, unless a search asks for early syncs.
//   - At a fixed point nothing is due at the instant and no set waits for a sync that could start. Only there may a
//     world be looked at, saved, or acted on from outside.
//
// Package scenario makes a Config and the steps of a file, and everything that plays a run goes through it; tests
// and searches drive a world themselves (drive.go). A World belongs to one goroutine, and shares nothing mutable
// with another one.
package sim

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/gc"
	"github.com/statefulsim/statefulsim/sim/kubelet"
	"github.com/statefulsim/statefulsim/sim/manager"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/scheduler"
	"github.com/statefulsim/statefulsim/sim/storage"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// These are types of the rooms, under the names that they have for a caller of the world.
type (
	// Cluster is the nodes, and the times of the controllers that watch over them.
	Cluster = nodes.Config
	// Node is a node of the cluster.
	Node = nodes.Spec
	// NodeRules describe how a version of the control plane monitors nodes.
	NodeRules = nodes.Rules
	// Volumes configures how claims get their storage and lose it.
	Volumes = storage.Config
	// ClaimTimes are the delays in a claim's life. ClaimRule gives them to some claims, and ClaimMatch selects the
	// claims.
	ClaimTimes = storage.ClaimTimes
	ClaimRule  = storage.ClaimRule
	ClaimMatch = storage.ClaimMatch
	// BindingMode is a storage class's volumeBindingMode.
	BindingMode = storage.BindingMode
	// Collector sets how long the garbage collector takes.
	Collector = gc.Config
	// DeletionPolicy decides what happens to a set's pods when the set is deleted.
	DeletionPolicy = gc.DeletionPolicy
	// Machinery sets how long calls to the API server, watches and syncs take.
	Machinery = manager.Latency
	// Beginning describes how a controller starts after a restart.
	Beginning = manager.Beginning
	// Taint is a taint of a node. NodeFilter decides which nodes take a pod: Ask is the question, Place a node with its
	// pods, Refusal the reason why a node does not take the pod.
	Taint      = nodes.Taint
	NodeFilter = scheduler.Filter
	Ask        = scheduler.Ask
	Place      = scheduler.Place
	// Tally is how many pods of a Place a template has.
	Tally   = scheduler.Tally
	Refusal = scheduler.Refusal
	// Crash describes how a container ends.
	Crash = kubelet.Crash
	// Versions decides what happens to replaced versions of objects.
	Versions = store.Versions
	// Change is one committed write of the store.
	Change = store.Change
)

// These are constants of the rooms that go with the types.
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

	// TwinWarning is the start of the warning that two processes had one identity at the same time.
	TwinWarning = kubelet.TwinWarning
)

// Config holds everything that a world is created from. New copies it; the data that it points at must not change
// while the world exists. The zero value lacks a Controller.
type Config struct {
	// Controller is the StatefulSet controller of a version.
	Controller model.Controller
	// API describes how the version's API server treats a StatefulSet. It must have the version of the Controller.
	API model.APIRules
	// Kubelet sets how long each stage of a pod takes, by rules that match pods.
	Kubelet behaviour.Behaviour
	// Cluster holds the nodes, and the times of the controllers that watch over them.
	Cluster Cluster
	// NodeFilter creates, for the nodes of the world, the filter that decides which of them take a pod; nil means that
	// only the state of the nodes counts. A world that continues another one uses that one's filter.
	NodeFilter func(*Cluster) NodeFilter
	// Volumes configures how claims get their storage, and Collector how fast the garbage collector is.
	Volumes   Volumes
	Collector Collector
	// DNSDelay is the time from a change of a pod to the new answer of the DNS. 0 means that it answers with the change
	// at the fixed point of the same instant.
	DNSDelay time.Duration
	// Machinery sets how long calls to the API server, watches and syncs take.
	Machinery Machinery
	// Faults are the faults in the order of their numbers. They are tried at a write in that order.
	Faults []Fault
	// Chooser decides everything that is not determined; nil means choose.Dull, which makes every run the same. The
	// world asks it in an order that is part of the meaning of a seed.
	Chooser choose.Chooser
	// EarlySyncs asks the Chooser whether a sync comes before the other events that are due at its instant.
	// Otherwise it comes after them.
	EarlySyncs bool
	// Until ends the run with the verdict limit before the clock would pass that instant; 0 means no limit.
	Until time.Duration
	// MaxEvents ends the run with the verdict limit after the instant when the timeline exceeds this many events; 0
	// is no limit.
	MaxEvents int
	// Start is the initial state of the world; nil means an empty cluster. Its nodes replace the nodes of Cluster.
	Start *State
	// Versions says what happens to the old versions of objects. They may be reused only if the controller has the
	// method KeepsNoObjects; otherwise all are kept.
	Versions Versions
	// Admit, if it is given, is asked for each pod that the controller creates, as admission plugins are: a quota, a
	// PriorityClass that does not exist. It returns the refusal, or nil. It must not change the pod.
	Admit func(*model.Pod) *model.APIError
	// MaxReplicas ends the run with the verdict limit after a step that makes all sets together want more replicas;
	// 0 is no limit.
	MaxReplicas int
	// Cycles ends a run that repeats itself after its last step, with the verdict limit; see cycle.
	Cycles bool
	// Hasty skips the rounds of a livelock that only repeat earlier ones. The timeline and the result are the same.
	// The world is then at an earlier round, so its objects may have smaller uids and versions. It has no effect
	// with Admit, or with a Chooser that is not choose.Counted.
	Hasty bool
	// Header is the timeline's first event.
	Header timeline.Run
	// Written, if set, gets the events of the timeline in their order, each once. It gets the events of an instant
	// when the instant is over, because they do not change after that. The slice is valid during the call.
	Written func([]timeline.Event)
	// NoHistory drops the events that Written has got, so that the memory of a run does not grow with its length. The
	// world's Events, Run and End return the events of the last instants only, and at least the last Keep.
	NoHistory bool
	Keep      int
	// Watch, if it is given, is called at every fixed point of the controller: after each tick, and before each step.
	Watch func(*World)
	// Wrote, if it is given, hears of every write of the store, within it and after all rooms. It must not write. The
	// change and its objects are valid only during the call.
	Wrote func(*Change)
	// Endless lets a world that is driven from outside continue whatever happens: a refused step does not end it,
	// and the calls of a controller in a livelock take time.
	Endless bool
	// Settled, if set, is called by Run when everything has settled after the last step, unless the run is over by
	// then. The world may be saved there, as if more steps were to come.
	Settled func(*World)
	// Interrupted, if it is given, is asked before each move of the clock and every few syncs; if it returns true, the
	// run ends with that verdict.
	Interrupted func() bool
	// Spare, if set, is memory that worlds use one after the other: see Leave. Two worlds must not use it at the
	// same time.
	Spare *Spare
	// Remarks, if set, is called at the end of a run at rest, for what else a user should know. It gets all events.
	Remarks func([]timeline.Event) []string
	// MaxCost is the most that the readiness conditions of the run may cost, in units of behaviour.Pay; 0 is no
	// limit.
	MaxCost int64
	// Exhausted, if it is given, is called as often as Interrupted. A text ends the run with the verdict limit.
	Exhausted func() string
}

// Step is something a user does at a time. Steps are played in order; each acts once.
type Step struct {
	// Number, Name, Verb and Does are for the timeline.
	Number           int
	Name, Verb, Does string
	When             When
	// Until is the command that the step waits for instead of a time, or nil. If it is given, When is ignored.
	Until *Wait
	// Refused is the text that the API server's refusal must contain, ignoring case; "" expects no refusal, and a
	// refusal then ends the run.
	Refused string
	// Remedy is true if the step may end a livelock: it changes the controller, or a StatefulSet other than in its
	// replicas.
	Remedy bool
	// Act does it, and returns the outcome. It must not keep the User.
	Act func(*User) Outcome
}

// Wait is a command that waits, and returns before a step acts, as the line before it in a shell script does.
type Wait struct {
	// Command is the command as it is typed.
	Command string
	// Timeout is how long it waits; 0 means forever. Late is its error after that time.
	Timeout time.Duration
	Late    string
	// Begin starts it, at a fixed point. The error is "", or the error that it ends with at once. From then on,
	// Returns is called at each fixed point.
	Begin func(*User) (Returns, string)
}

// Returns reports whether a waiting command returns now, and its error, "" for none.
type Returns func(*User) (bool, string)

// When is the time of a step. The zero value is once the world has settled.
type When struct {
	Trigger Trigger
	// D is the instant for At, the delay since the previous step for After.
	D time.Duration
}

// Trigger is what a step waits for.
type Trigger uint8

// OnceSettled acts when nothing is left that could change something. At acts at an instant of the run, After a time
// after the step before; an instant that has passed means at once.
const (
	OnceSettled Trigger = iota
	At
	After
)

var triggerNames = [...]string{"settled", "at", "after"}

// String returns the trigger as in the timeline.
func (t Trigger) String() string { return triggerNames[t] }

// Outcome is the result of a step or of a fault's act.
type Outcome struct {
	// Effect is the result of the act. With an Err it means nothing: the timeline then says Refused.
	Effect timeline.Effect
	// Err is the API server's refusal, or nil.
	Err *model.APIError
	// Warning is printed at the end of the run; "" means none.
	Warning string
	// Pod is the pod that the step was about, if it was about one, Claim the claim. They place the step in the
	// timeline if it has changed no set.
	Pod, Claim model.Key
	// Sets are the sets that were created or changed, as stored; Removed those that were removed at once.
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
