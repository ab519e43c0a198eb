// Package manager runs the StatefulSet controller as kube-controller-manager does: its watches and its cache, its work
// queue, the running syncs, its restarts, and the detection of a livelock, an instant that never ends. The caller
// passes the algorithm as a model.Controller.
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

// Manager is the process that the controller runs in. The world calls SyncNext when nothing else is due at an instant,
// so a sync sees everything that happened before it, unless a search asks for early syncs. Of one set at most one sync
// runs at a time, as in the real work queue.
type Manager struct {
	kernel     *kernel.Kernel   `print:"-"`
	store      *store.Store     `print:"-"`
	log        *audit.Log       `print:"-"`
	controller model.Controller `print:"-"`
	latency    Latency          `print:"-"`
	// patience is what a livelock is played on for. slowed says that one is played on, usual is the latency from before.
	usual    Latency `print:"-"`
	slowed   bool
	patience Patience `print:"-"`
	faults   Faults   `print:"-"`
	// admit is asked for each new pod of the controller; nil lets all pass.
	admit func(*model.Pod) *model.APIError `print:"-"`

	cache *cache.Cache `print:"-"`
	work  workqueue.Queue
	// enqueue is requeue as a function, made once.
	enqueue func(model.Key, time.Duration) `print:"-"`
	// requeues are the delayed syncs that the controller has asked for, the earliest of each set.
	requeues map[model.Key]*kernel.Timer `print:"-"`
	// watched are the writes that the watches deliver when the current sync or event has ended, if watches take no time.
	// watches hold the changes on their way if they do; late counts their deliveries.
	watched []store.Change
	watches [model.KindRevision + 1]watch
	late    int `print:"-"`
	// available are the timers of Ready pods that are not available yet, ripened counts those that have become so by time
	// alone.
	available map[model.UID]*kernel.Timer `print:"-"`
	ripened   int                         `print:"-"`

	// running are the suspended syncs in the order of their starts. straight is the sync that currently runs without
	// pauses, strand the coroutine that currently runs; both are nil between two events.
	running  []*running
	straight *running `print:"-"`
	// spare is the memory of the last sync that ran without a pause. notes is memory for the inputs of the next sync that
	// may be suspended.
	spare  *running `print:"-"`
	notes  []input  `print:"-"`
	strand *strand  `print:"-"`
	// ended is a sync that was suspended and has ended; its memory is used again. history is the last list of revisions
	// that a sync has read; see boxed.
	ended   *running `print:"-"`
	history any      `print:"-"`
	// idle are the coroutines that no strand runs on.
	idle coroutines `print:"-"`
	// by says who makes the current write, and why: the controller.
	by store.By `print:"-"`
	// throttle is the client's rate limit; nil means none. down is true while no controller runs: then start is the timer
	// of the next one.
	throttle *workqueue.Bucket
	down     bool
	// recent are the last changes, as far back as a new controller may begin; the next one begins behind.
	recent memory
	behind time.Duration
	// replaced counts the controllers that another one has replaced; see Replace.
	replaced int
	start    *kernel.Timer

	sets keyed.Map[*setState]
	// touched are the sets synced since the last fixed point.
	touched []model.Key `print:"-"`
	// instant watches for a tick that never ends; replicas are those of all sets together.
	instant  instant `print:"-"`
	replicas int     `print:"-"`
	syncs    int     `print:"-"`
}

// setState is what the manager remembers of one set between its syncs.
type setState struct {
	// waits are the waits of the last sync, open those that the timeline has as open.
	waits []model.Why
	open  []openWait
	// began is the progress at which the last sync began; failed is that sync's error, or "".
	began  progress
	failed string
	// saw is what the last sync saw, if syncs take time.
	saw sight
	// faulted is true if that sync has met a fault that its retry may not meet.
	faulted bool
}

type openWait struct {
	why   model.Why
	since model.Time `print:"-"`
	// like holds what the events of the wait have in common.
	like timeline.Like `print:"-"`
}

// Faults decides which of the controller's writes fail.
type Faults interface {
	// Armed says whether a write may go wrong at all.
	Armed() bool
	// AtWrite makes a write of the controller for a set, with the faults that it triggers. It calls send once, or not at
	// all if the write fails. It may change the world as a step can, after the write.
	AtWrite(set model.Key, call *model.Call, send func(*model.Call) model.Reply) (model.Reply, Met)
}

// Met says what faults did to a write.
type Met struct {
	// Lost says that the controller does not learn the result of the write.
	Lost bool
	// Passing says that another attempt may not meet the fault.
	Passing bool
	// Misled is the pod that the controller believes to be deleted because of a false answer; "" if there is none.
	Misled string
}

// The events: a sync that was put off; a pod becomes available; a sync that was suspended goes on; a watch delivers its
// first change, and lists after a break; a new controller begins; the informers resync.
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

// New returns a manager with a controller that knows nothing yet.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, l Latency) *Manager {
	m := &Manager{
		kernel: k, store: s, log: log, latency: l, faults: noFaults{},
		requeues: map[model.Key]*kernel.Timer{}, available: map[model.UID]*kernel.Timer{},
	}
	m.throttle, m.enqueue = l.throttle(), m.requeue
	m.cache = cache.New(m.seenPod)
	k.Handle(kernel.Manager, eventNames, m.happen)
	k.Keep(kernel.Manager, m.keep)
	return m
}

type noFaults struct{}

func (noFaults) Armed() bool { return false }

func (noFaults) AtWrite(_ model.Key, call *model.Call, send func(*model.Call) model.Reply) (model.Reply, Met) {
	return send(call), Met{}
}

// Run sets the controller, the faults of its writes, and the admission of each pod that it creates; a nil admit accepts
// all. It is called once, before the first event.
func (m *Manager) Run(controller model.Controller, faults Faults, admit func(*model.Pod) *model.APIError) {
	m.controller, m.faults, m.admit = controller, faults, admit
}

func (m *Manager) happen(e kernel.Event) {
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

// See is the watch of all kinds in the store. It sets the timers of pods that become available, and passes the write to
// the controller's watch of its kind, which delivers it later. It is the last room that watches each kind, so all
// other rooms have seen the write before.
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

// followSet counts the replicas of all sets.
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

// A pod that is created has about so many events, those of its set included; so has one that is replaced. A write of a
// set has a few besides.
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

// SyncNext starts a sync of a set in the work queue, the oldest unless the chooser picks another one; without latency
// the sync has ended when it returns. It returns false, and does nothing, if the queue is empty, no controller runs, or
// all workers are busy; and where it is early, if nothing else is due or the chooser lets that be first.
func (m *Manager) SyncNext(early bool) bool {
	waiting := m.work.Len()
	if waiting == 0 || m.down || m.work.Busy() >= m.latency.workers() {
		return false
	}
	if early && (!m.kernel.Due() || m.kernel.Choose(choose.Sync, 2) == 0) {
		return false
	}
	pick := 0
	if waiting > 1 {
		pick = m.kernel.Choose(choose.Sync, waiting)
	}
	m.sync(m.work.Take(pick))
	return true
}

// MayHelp says whether a pending retry or a running sync may see a change that the sync before it has not seen. If not,
// they do not keep a run open.
func (m *Manager) MayHelp() bool { return m.retryMayHelp() || m.unseen() }

// Resync puts every set of the API server into the work queue.
func (m *Manager) Resync() {
	for _, set := range m.store.Sets() {
		m.work.Add(set.Key())
	}
}

// ResyncLater arranges for the next resync, which puts every set that the controller knows into the work queue. Pods
// are looked at by a resync, too, but one that has not changed puts no set into the queue.
func (m *Manager) ResyncLater() {
	if m.latency.Resync > 0 {
		m.kernel.Behind(m.kernel.Now().Add(m.latency.Resync), kernel.ByController, event(resync, model.Key{}))
	}
}

// event returns an event about a set.
func event(kind uint8, set model.Key) kernel.Event {
	return kernel.Event{Room: kernel.Manager, Kind: kind, Key: set}
}

// Ripened counts the pods that have become available by time alone.
func (m *Manager) Ripened() int { return m.ripened }

// Syncs counts the syncs so far.
func (m *Manager) Syncs() int { return m.syncs }

// View returns what a sync of the set would see now, or nil if the controller does not know the set.
func (m *Manager) View(key model.Key) model.View { return m.cache.View(key, m.kernel.Now()) }
