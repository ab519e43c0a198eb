package sim

import (
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/queue"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// World is a simulated cluster in the middle of a run. Everything in it happens on one goroutine, in an order that its
// queue and its chooser determine.
type World struct {
	config  Config
	chooser choose.Chooser

	queue queue.Queue[event]
	store *store.Store
	cache *cache.Cache
	work  workqueue.Queue

	// watched are the writes that the watches have not delivered yet, where they deliver at once; watches are those that
	// take their time. late counts what these have delivered.
	watched []store.Change
	watches [model.KindRevision + 1]watch
	late    int
	// ripened counts the pods that have become available by time alone.
	ripened int
	// running are the syncs that are suspended, straight the one that runs straight through at this moment, and strand
	// the coroutine that runs at this moment.
	running  []*running
	straight *running
	strand   *strand
	// throttle holds the controller's calls back; nil does not. down is true while no controller runs, and start is when
	// the next one does.
	throttle *workqueue.Bucket
	down     bool
	start    *queue.Entry[event]

	pods      podLives
	gates     gates
	sets      map[model.Key]*setState
	claims    claimLives
	collector collector
	// requeues are the delayed syncs that the controller has asked for, the earliest of each set.
	requeues map[model.Key]*queue.Entry[event]
	// cluster are the nodes, and what runs there without a pod.
	cluster cluster
	// budgets are the PodDisruptionBudgets in the order of their keys, drains those that go on.
	budgets []*budget
	drains  []*drain

	// actor and why say who is acting at this moment, for the timeline. reason is why where it is none of the
	// controller's.
	actor  timeline.Actor
	why    model.Why
	reason string
	events []timeline.Event
	names  names
	// instant watches for a tick that never ends.
	instant instant
	// writeFaults and podFaults are the faults that wait for a write, or for a pod.
	writeFaults, podFaults []*armed
	// touched are the sets synced since the last fixed point.
	touched []model.Key

	syncs    int
	replicas int
	verdict  timeline.Verdict
	refusal  string
	warnings []string
	repeats  []string
}

// setState is what the world remembers of one set between its syncs.
type setState struct {
	// waits is what the last sync waited for, open what the timeline says it waits for.
	waits []model.Why
	open  []openWait
	// began is how far the world was when the last sync began, failed that sync's error, or "".
	began  progress
	failed string
	// saw is what the last sync has seen, where syncs take time.
	saw sight
	// faulted is true where that sync has met a fault that its retry may not meet.
	faulted bool
}

type openWait struct {
	why   model.Why
	since model.Time
}

// The actors of the event queue: what is due at one instant is done in an order of its own within each, and which of
// them is next is a choice.
const (
	byKubelet queue.Actor = iota
	byScheduler
	byController
	byFault
	byWatch
	byBinder
	byCollector
	byCluster
	byDNS
)

// New returns an empty world at time 0.
func New(config Config) *World {
	if config.Start != nil && len(config.Start.Nodes) > 0 {
		config.Cluster.Nodes = config.Start.nodesFrom()
	}
	w := &World{
		config:    config,
		chooser:   config.Chooser,
		sets:      map[model.Key]*setState{},
		requeues:  map[model.Key]*queue.Entry[event]{},
		pods:      newPodLives(),
		claims:    newClaimLives(),
		names:     names{delay: config.DNSDelay},
		collector: collector{owners: map[model.UID]bool{}},
		cluster:   newCluster(config.Cluster),
	}
	if w.chooser == nil {
		w.chooser = choose.Dull
	}
	w.throttle = config.Machinery.throttle()
	w.store = store.New(config.API, w.queue.Now, w.observe)
	w.cache = cache.New(w.seenPod)
	return w
}

// Now returns the current instant.
func (w *World) Now() model.Time { return w.queue.Now() }

// Events returns the timeline so far.
func (w *World) Events() []timeline.Event { return w.events }

// Sets returns the sets as the API server holds them, in the order of their keys.
func (w *World) Sets() []*model.StatefulSet { return w.store.Sets() }

// Pods returns the pods as the API server holds them, in the order of their keys.
func (w *World) Pods() []*model.Pod { return w.store.Pods() }

// Claims returns the claims as the API server holds them, in the order of their keys.
func (w *World) Claims() []*model.Claim { return w.store.Claims() }

// View returns what a sync of the set would see now, or nil if the controller does not know the set.
func (w *World) View(key model.Key) model.View { return w.cache.View(key, w.Now()) }

// Waits returns what the last sync of the set waited for.
func (w *World) Waits(key model.Key) []model.Why {
	if state := w.sets[key]; state != nil {
		return state.waits
	}
	return nil
}

// record adds an event to the timeline.
func (w *World) record(e timeline.Event) {
	e.T = w.Now()
	if len(w.events) == cap(w.events) {
		// A long run has hundreds of thousands of events: to grow in few steps leaves less behind than append does. Most runs
		// of a sweep have a few dozen.
		w.events = slices.Grow(w.events, max(32, 3*len(w.events)))
	}
	w.events = append(w.events, e)
}

// Resync puts every set into the work queue, as an informer's resync does, and lets the controller reach its fixed
// point.
func (w *World) Resync() {
	verdict := w.verdict
	w.verdict = ""
	for _, set := range w.store.Sets() {
		w.work.Add(set.Key())
	}
	w.tick()
	if w.verdict == "" {
		w.verdict = verdict
	}
}
