package sim

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/choose"
	"github.com/statefulsim/statefulsim/sim/disruption"
	"github.com/statefulsim/statefulsim/sim/dns"
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

// World is a simulated cluster in the middle of a run. Everything in it happens on one goroutine, in an order that
// its queue and its chooser determine. It wires its rooms together and runs their loop; it has no state of its own
// except the limits.
type World struct {
	config Config
	kernel *kernel.Kernel
	store  *store.Store

	audit      *audit.Log
	scheduler  *scheduler.Scheduler
	kubelet    *kubelet.Kubelets
	nodes      *nodes.Controller
	storage    *storage.Controller
	gc         *gc.Collector
	disruption *disruption.Controller
	dns        *dns.Server
	manager    *manager.Manager

	run
}

// run is what a world has in addition to its rooms: the faults from outside, the limits of the run, and the part of
// its timeline that is handed on.
type run struct {
	faults  *faults
	limits  limits
	history history
}

// New returns an empty world at time 0. The rooms are created in the order in which they depend on each other.
// Nothing has happened yet: Begin or Run opens the timeline.
func New(config Config) *World {
	if config.Start != nil && len(config.Start.Nodes) > 0 {
		config.Cluster.Nodes = config.Start.nodes()
	}
	w := &World{config: config}
	w.limits.world, w.history.world = w, w
	w.kernel = kernel.New(w.limits.counting(&w.config))
	k, c := w.kernel, &w.config
	if c.Spare != nil {
		k.Use(&c.Spare.kernel)
	}
	k.Short = c.NoHistory
	w.store = store.New(c.API, k.Now)
	w.store.SetVersions(c.Versions)
	if c.Spare != nil {
		w.store.Use(&c.Spare.store)
	}
	keepFor(c.Controller, w.store)
	addresses := &audit.Addresses{}
	w.audit = audit.New(k, w.store, addresses)
	w.dns = dns.New(k, w.store, w.audit, addresses, c.DNSDelay)
	w.nodes = nodes.New(k, w.store, c.Cluster)
	w.storage = storage.New(k, w.store, w.audit, w.nodes, c.Volumes)
	w.scheduler = scheduler.New(k, w.store, w.audit, w.nodes, w.storage)
	w.kubelet = kubelet.New(kubelet.Needs{
		Kernel: k, Store: w.store, Log: w.audit, Nodes: w.nodes, Volumes: w.storage, Behaviour: &c.Kubelet,
		Pay: w.limits.pay,
	})
	w.gc = gc.New(k, w.store, c.Collector)
	w.disruption = disruption.New(k, w.store, w.audit, w.nodes)
	w.manager = manager.New(k, w.store, w.audit, c.Machinery)
	if counted, is := c.Chooser.(choose.Counted); c.Hasty && c.Admit == nil && (is || c.Chooser == nil) {
		if w.manager.Hasty = w.Fingerprint; is {
			w.manager.Asked = counted.Asked
		}
	}
	w.faults = newFaults(w)
	w.manager.Run(c.Controller, w.faults, c.Admit)
	w.scheduler.Takes(&c.Kubelet)
	if c.NodeFilter != nil && !c.resumes() {
		w.scheduler.Filters(c.NodeFilter(&c.Cluster))
	}
	w.watch()
	if c.Wrote != nil {
		for _, kind := range store.Kinds {
			w.store.Watch(kind, c.Wrote)
		}
	}
	if c.Endless {
		w.limits.patience = manager.AStepComes
	}
	return w
}

// keepFor keeps all versions of objects if the controller may hold them from one sync to the next.
func keepFor(controller model.Controller, s *store.Store) {
	if _, keepsNone := controller.(interface{ KeepsNoObjects() }); !keepsNone {
		s.Keep()
	}
}

// watch registers the rooms for writes, in this order: the record is first, and the controller's watches are last.
// The order is part of the meaning of a seed, since events are scheduled in it. A room is called only for the kinds
// that matter to it.
func (w *World) watch() {
	w.store.Watch(model.KindPod, func(change *store.Change) {
		w.audit.SeePod(change)
		w.scheduler.SeePod(change)
		w.faults.SeePod(change)
		w.nodes.SeePod(change)
		w.kubelet.SeePod(change)
		w.disruption.SeePod(change)
		w.storage.SeePod(change)
		w.gc.SeePod(change)
		w.dns.SeePod(change)
		w.manager.See(change)
	})
	if w.config.Cycles {
		w.store.Watch(model.KindPod, w.limits.seeBirth)
	}
	w.store.Watch(model.KindClaim, func(change *store.Change) {
		w.audit.SeeClaim(change)
		w.gc.SeeClaim(change)
		w.scheduler.SeeClaim(change)
		w.storage.SeeClaim(change)
		w.manager.See(change)
	})
	w.store.Watch(model.KindStatefulSet, func(change *store.Change) {
		w.audit.SeeSet(change)
		w.gc.SeeSet(change)
		w.manager.See(change)
	})
	w.store.Watch(model.KindRevision, func(change *store.Change) {
		w.audit.SeeRevision(change)
		w.gc.SeeRevision(change)
		w.manager.See(change)
	})
}

// Now returns the current instant.
func (w *World) Now() model.Time { return w.kernel.Now() }

// Events returns the timeline so far, or what Config.NoHistory leaves of it. The caller must not change it; the last
// event may still be completed within its instant.
func (w *World) Events() []timeline.Event { return w.kernel.Events() }

// Sets returns the sets as the API server holds them, in the order of their keys. The caller may keep them and must
// not change them. From the first such call on no version is written over, which costs memory.
func (w *World) Sets() []*model.StatefulSet {
	w.store.Keep()
	return w.store.Sets()
}

// Pods returns the pods as the API server holds them, in the order of their keys.
func (w *World) Pods() []*model.Pod {
	w.store.Keep()
	return w.store.Pods()
}

// Claims returns the claims as the API server holds them, in the order of their keys.
func (w *World) Claims() []*model.Claim { return w.store.Claims() }

// View returns what a sync of the set would see at this instant, or nil if the controller does not know the set. It
// is valid until the world moves on.
func (w *World) View(key model.Key) model.View {
	w.store.Keep()
	return w.manager.View(key)
}

// Lag returns how far the controller is behind the API server, at a fixed point. A controller that repeats its
// writes within one instant may stop once it sees a change: a real instant takes time, and the change arrives
// during it.
func (w *World) Lag() Lag { return w.manager.Lag() }

// Lag is how far the controller is behind the API server.
type Lag = manager.Lag

// The values of Lag.
const (
	CaughtUp = manager.CaughtUp
	AtWork   = manager.AtWork
	Unseen   = manager.Unseen
)

// Waits returns what the last sync of the set waited for; nil if it was never synced. It is valid until the world
// moves on.
func (w *World) Waits(key model.Key) []model.Why { return w.manager.Waits(key) }

// Resync puts every set into the work queue, as an informer's resync does, and lets the controller reach its fixed
// point. It works on a world that is over too: its verdict stays, unless the resync ends in another one. That is how
// a search finds out whether a set at rest would change if it were synced again.
func (w *World) Resync() {
	verdict := w.kernel.Result.Verdict
	w.kernel.Result.Verdict = ""
	w.manager.Resync()
	w.tick()
	if w.kernel.Result.Verdict == "" {
		w.kernel.Result.Verdict = verdict
	}
}
