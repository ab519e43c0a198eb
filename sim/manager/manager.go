// Package manager runs the StatefulSet controller as kube-controller-manager does: its watches and its cache, its
// work queue, the running syncs, its restarts, and the detection of a livelock, an instant that never ends. The
// caller passes the algorithm as a model.Controller.
//
// Invariants:
//
//   - At most one sync of a set is under way, and at most Latency.Workers syncs in all (the rules of client-go's work
//     queue).
//   - While a controller runs, its caches lag behind the store by exactly the changes in watched and those that are
//     pending in a watch. Changes of one kind are delivered in the order of the writes.
//   - A sync sees its view as it was when it began. It depends on that view and on its inputs alone, so a suspended
//     sync can be saved, printed and started again (inputs.go).
//   - A controller that has died has no effect: its calls are answered with an error that nobody sees, and what it
//     had in mind is gone (restart.go).
//
// Two kinds of work keep a run open: timers of changes, calls and pods that become available, and syncs that may
// still see something new (MayHelp). Retries, delayed syncs and resyncs happen in the background.
//
// Package sim wires and drives it: SyncNext when nothing else is due, Deliver after each event and each sync,
// NewInstant after each move of the clock and each step, NoteWaits at each fixed point. The kernel calls Happen and
// Keep, the store See. The manager asks no other room; it calls the Faults of a scenario in the middle of a write.
package manager

import (
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// Manager is the process that the controller runs in. The world calls SyncNext when nothing else is due at an
// instant, so a sync sees everything that happened before it, unless a search asks for early syncs. Each set has at
// most one running sync, as in the real work queue.
//
// The tag print:"-" marks fields that Print leaves out: wiring, reused memory, and fields that follow from the
// rest. A test in package sim checks the tags against what Print does.
type Manager struct {
	kernel     *kernel.Kernel   `print:"-"`
	store      *store.Store     `print:"-"`
	log        *audit.Log       `print:"-"`
	controller model.Controller `print:"-"`
	latency    Latency          `print:"-"`
	// patience is the degree that the world has last given to NewInstant. slowed is true while a livelock is being
	// played on; then usual is the latency from before, and otherwise it has no meaning.
	usual    Latency `print:"-"`
	slowed   bool
	patience Patience `print:"-"`
	faults   Faults   `print:"-"`
	// admit is asked for each new pod of the controller before it is sent, as an admission webhook would be; nil lets
	// all pass. A refusal is the reply of the call.
	admit func(*model.Pod) *model.APIError `print:"-"`

	// cache is what the watches have delivered so far. A new controller gets a new one; older views keep theirs.
	cache *cache.Cache `print:"-"`
	// work has the sets that wait for a worker, those that a worker is at, and the back-off of those that have failed.
	work workqueue.Queue
	// enqueue is requeue as a function, made once.
	enqueue func(model.Key, time.Duration) `print:"-"`
	// requeues are the delayed syncs that the controller has asked for and the back-offs of failed ones, one timer
	// per set: the earliest. An expired timer stays here until the next one replaces it, so readers ask Pending.
	requeues map[model.Key]*kernel.Timer `print:"-"`
	// watched are the writes that Deliver hands to the controller when the current sync or event ends, in the order
	// of the writes of all kinds. A watch that takes time has its changes in watches instead, by kind. late counts
	// deliveries out of watches, the lists after a break included: it grows when the caches change without a write.
	watched []store.Change
	watches [model.KindRevision + 1]watch
	late    int `print:"-"`
	// available has the timer of each Ready pod that is not available yet. ripened counts the pods that have become
	// available by time alone; like late it is a change that no write shows.
	available map[model.UID]*kernel.Timer `print:"-"`
	ripened   int                         `print:"-"`

	// running are the suspended syncs in the order of their starts, of different sets. straight is the sync that
	// currently runs without pauses, strand the coroutine that currently runs; both are nil between two events.
	running  []*running
	straight *running `print:"-"`
	// spare is the memory of the last sync that ran without a pause; nil while one runs.
	spare  *running `print:"-"`
	strand *strand  `print:"-"`
	// ended is a suspended sync that has since ended, whose memory the next one reuses; nil if there is none.
	ended *running `print:"-"`
	// idle are the coroutines that no strand is using.
	idle coroutines `print:"-"`
	// by is the writer of the current write, and its reason: the controller. It is a field to save allocations,
	// valid for one call.
	by store.By `print:"-"`
	// throttle is the client's rate limit; nil means none. down is true while no controller runs: from Stop to Start.
	throttle *workqueue.Bucket
	down     bool
	// recent are the last changes, as far back as a new controller may start; empty if Latency.Behind is 0. behind
	// is how far behind the next controller starts; 0 while one runs.
	recent memory
	behind time.Duration
	// replaced counts the controllers that were replaced by another one; see Replace. If it is 0, the controller is
	// the one that Run was given. A restart does not count, because it starts the same controller again.
	replaced int
	// start is the timer for the start of the next controller; nil or no longer pending if none will start. While
	// it is pending, down is true.
	start *kernel.Timer

	// sets has what is remembered about each set that was synced, until the set is found to be gone (dropSet).
	sets keyed.Map[*setState]
	// touched are the sets that were synced since the last fixed point, with repetitions; NoteWaits empties it.
	touched []model.Key `print:"-"`
	// instant watches for an instant that never ends; replicas is the sum of spec.replicas of all sets in the
	// store, which measures how many syncs are normal. syncs counts all syncs of the run, including those of dead
	// controllers.
	instant  instant `print:"-"`
	replicas int     `print:"-"`
	syncs    int     `print:"-"`
	// Hasty is the fingerprint of the world, if livelocks are not to be played to their end (haste); nil otherwise.
	Hasty func() kernel.Fingerprint `print:"-"`
	// Asked is how many questions the chooser of a hasty world was asked; nil if it has none.
	Asked func() int `print:"-"`
	haste haste      `print:"-"`
}

// setState is what the manager remembers of one set between its syncs. It outlives the controller, except failed and
// saw (Stop): the waits stay open in the timeline until the next controller's sync ends them.
type setState struct {
	// waits are the waits of the last sync, in the controller's order. open are those that the timeline has as open: at
	// a fixed point both have the same reasons, and between fixed points open is older.
	waits []model.Why
	open  []openWait
	// began is the progress when the last sync started; failed is that sync's error, or "". A set has a back-off
	// exactly while failed is not "".
	began  progress
	failed string
	// saw is what the last sync saw, if syncs may be suspended; the zero value otherwise, and after a restart.
	saw sight
	// faulted is true if the last sync failed and has met a fault that its retry may not meet.
	faulted bool
}

// openWait is a wait that the timeline has as open. since is the instant when it was recorded; the numbers in why
// come from the latest sync, and may differ from the recorded ones.
type openWait struct {
	why   model.Why
	since model.Time `print:"-"`
	// like holds the parts of the wait's event, so that the event of its end shares them.
	like timeline.Like `print:"-"`
}

// Faults decides which of the controller's writes fail. A scenario's faults implement it; apart from admit it is the
// only code outside this package, the store and the record that a sync calls.
type Faults interface {
	// Armed reports whether a write may go wrong at all. While it is false, AtWrite is not called.
	Armed() bool
	// AtWrite makes a write of the controller for a set, with the faults that it triggers. It calls send once, or not at
	// all if the write fails. It may change the world as a step can, after the write. It must not keep the call.
	AtWrite(set model.Key, call *model.Call, send func(*model.Call) model.Reply) (model.Reply, Met)
}

// Met is what faults did to a write.
type Met struct {
	// Lost is true if the write was made and the controller does not learn it: the reply has an error all the same.
	Lost bool
	// Passing is true if another attempt may not meet the fault.
	Passing bool
	// Misled is the pod that the controller believes to be deleted because of a false answer; "" if there is none.
	Misled string
}

// The kinds of events. enqueue: the time of a delayed sync has come. becomeAvailable: a pod is Ready for
// minReadySeconds. goOn: a suspended strand continues; N is its number. deliver and list: a watch of the kind Of
// delivers its first change, or lists after a break. begin: a new controller begins. resync: the informers resync.
const (
	enqueue uint8 = iota
	becomeAvailable
	goOn
	deliver
	list
	begin
	resync
)

var eventNames = []string{"enqueue", "available", "go on", "deliver", "list", "begin", "resync"}

// usualChanges is the initial capacity for changes between two deliveries.
const usualChanges = 4

// New returns a manager with an empty cache, and takes over the events of the room. Run must be called before the
// first event, and the caller lets See watch the store.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, l Latency) *Manager {
	m := &Manager{
		kernel: k, store: s, log: log, latency: l, faults: noFaults{}, watched: make([]store.Change, 0, usualChanges),
	}
	m.throttle, m.enqueue = l.throttle(), m.requeue
	k.Handle(kernel.Manager, eventNames, m)
	return m
}

// noFaults lets every write pass.
type noFaults struct{}

// Armed is always false, so that AtWrite is not called.
func (noFaults) Armed() bool { return false }

// AtWrite sends the call as it is.
func (noFaults) AtWrite(_ model.Key, call *model.Call, send func(*model.Call) model.Reply) (model.Reply, Met) {
	return send(call), Met{}
}

// Run sets the controller, the faults of its writes, and the admission of each pod that it creates; a nil admit
// accepts all. It is called once, before the first event. It starts nothing: a new manager is up and has an empty
// cache, which the watches fill.
func (m *Manager) Run(controller model.Controller, faults Faults, admit func(*model.Pod) *model.APIError) {
	m.faults, m.admit = faults, admit
	m.controller = controller
	m.cache = m.emptyCache()
}

// emptyCache returns a cache for the controller. The cache interprets pod names as the controller does.
func (m *Manager) emptyCache() *cache.Cache {
	empty := cache.New(m.seenPod)
	if c, says := m.controller.(interface{ ExactNames() bool }); says {
		empty.ExactNames = c.ExactNames()
	}
	return empty
}

// Happen carries out an event of the room. Only the kernel calls it.
func (m *Manager) Happen(e kernel.Event) {
	switch e.Kind {
	case enqueue:
		m.work.Add(e.Key)
	case becomeAvailable:
		m.ripened++
		m.work.Add(m.log.Pod(e.Key).Set)
	case goOn:
		m.goOn(e.Key, int(e.N))
	case deliver:
		m.deliverNext(e.Of)
	case list:
		m.list(e.Of)
	case begin:
		m.begin()
	case resync:
		m.cache.EachSet(m.work.Add)
		m.ResyncLater()
	}
}

// See is the watch of all kinds in the store. It sets the timers of pods that become available, and passes the write
// to the controller's watch of its kind, which delivers it later. It is the last room that watches each kind, so all
// other rooms have seen the write before. It must not write, and keeps copies of the change only.
func (m *Manager) See(change *store.Change) {
	switch change.Kind {
	case model.KindPod:
		m.followPod(change)
	case model.KindStatefulSet:
		m.followSet(change)
	}
	m.watch(change)
}

// Replicas returns the sum of spec.replicas of all sets in the store.
func (m *Manager) Replicas() int { return m.replicas }

// followSet keeps the sum of replicas, and moves the timers of pods if minReadySeconds changes.
func (m *Manager) followSet(change *store.Change) {
	if change.OldSet != nil {
		m.replicas -= int(change.OldSet.Spec.Replicas)
	}
	if change.Set != nil {
		m.replicas += int(change.Set.Spec.Replicas)
	}
	m.expect(change)
	if change.Type == model.Modified && change.Set.Spec.MinReadySeconds != change.OldSet.Spec.MinReadySeconds {
		m.availableAgain(change.Set.Key())
	}
}

// eventsOfCreation is about the number of events of a new pod, including its set's; eventsOfReplacement is the
// number for a replaced pod; a write of a set adds eventsOfWrite. They only decide how much memory is allocated.
const (
	eventsOfCreation    = 8
	eventsOfReplacement = 14
	eventsOfWrite       = 4
)

// expect makes room for the events that a user's write of a set is likely to lead to.
func (m *Manager) expect(change *store.Change) {
	switch old, set := change.OldSet, change.Set; {
	case set == nil || change.Type == model.Modified && old.Generation == set.Generation:
	case old == nil:
		m.kernel.Expect(eventsOfCreation*int(set.Spec.Replicas) + eventsOfWrite)
		// Most steps after a creation replace pods.
		m.kernel.ExpectLater(eventsOfReplacement*int(set.Spec.Replicas) + eventsOfWrite)
	case old.Spec.Template != set.Spec.Template:
		m.kernel.Expect(eventsOfReplacement*int(set.Spec.Replicas) + eventsOfWrite)
	default:
		m.kernel.Expect(eventsOfCreation * int(set.Spec.Replicas-old.Spec.Replicas))
	}
}

// SyncNext starts a sync of a set in the work queue, the oldest unless the chooser picks another one; without
// latency the sync is over when SyncNext returns. It returns false, and does nothing, if the queue is empty, no
// controller runs, or all workers are busy.
//
// early means that other events may be due at this instant. Then it also returns false if none is, or if the chooser
// lets that one be first: only a real alternative is a choice.
func (m *Manager) SyncNext(early bool) bool {
	waiting := m.work.Len()
	if waiting == 0 || m.down || m.work.Busy() >= m.latency.workers() {
		return false
	}
	if early && (!m.kernel.Due() || m.kernel.Choose(choose.Sync, 2) == 0) {
		return false
	}
	m.hurry()
	pick := 0
	if waiting > 1 {
		pick = m.kernel.Choose(choose.Sync, waiting)
	}
	m.sync(m.work.Take(pick))
	return true
}

// MayHelp reports whether a pending retry or a running sync may see a change that the previous sync has not seen.
// If not, they do not keep a run open: the same sync would end in the same way. It is meant for fixed points.
func (m *Manager) MayHelp() bool { return m.retryMayHelp() || m.unseen() }

// Resync puts every set of the API server into the work queue, whether the cache has it yet or not. A set that the
// cache does not have is dropped by its sync.
func (m *Manager) Resync() {
	for _, set := range m.store.Sets() {
		m.work.Add(set.Key())
	}
}

// ResyncLater arranges for the next resync, which puts every set that the controller knows into the work queue, and
// then arranges for the one after it. The world calls it once, at its start. A resync of the pod informer is left
// out: the controller ignores an update of a pod whose version is unchanged (podUpdated in package statefulset).
func (m *Manager) ResyncLater() {
	if m.latency.Resync > 0 {
		m.kernel.Behind(m.kernel.Now().Add(m.latency.Resync), kernel.ByController, event(resync, model.Key{}))
	}
}

// event returns an event about a set.
func event(kind uint8, set model.Key) kernel.Event {
	return kernel.Event{Room: kernel.Manager, Kind: kind, Key: set}
}

// Ripened counts the pods that have become available by time alone. It never falls; a reader that keeps the number
// learns from it whether the state has changed without a write.
func (m *Manager) Ripened() int { return m.ripened }

// Syncs counts the syncs so far.
func (m *Manager) Syncs() int { return m.syncs }

// View returns what a sync of the set would see at this instant, or nil if the controller does not know the set. It
// is valid until the next delivery to the cache.
func (m *Manager) View(key model.Key) model.View { return m.cache.View(key, m.kernel.Now()) }
