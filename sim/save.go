package sim

import (
	"maps"

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
)

// Rest holds everything that a world has in addition to the copies of its objects, in the form that its rooms use.
// With it, another world continues as this one. It does not change while either world continues, so any number of
// worlds may start from it. Only a world makes one; a state that was read from a cluster has none. The
// configuration is not in it: the other world must have an equal one.
type Rest struct {
	kernel     kernel.Saved
	store      store.Saved
	audit      audit.Saved
	scheduler  scheduler.Saved
	kubelet    kubelet.Saved
	nodes      nodes.Saved
	storage    storage.Saved
	gc         gc.Saved
	disruption disruption.Saved
	dns        dns.Saved
	manager    manager.Saved
	faults     []met
	limits     limits
	// position is the position of the chooser, so that it continues with the same answers; nil if it does not
	// report one.
	position []byte
}

// met holds the counts of a fault, see armed; they are in the order of the faults of the configuration.
type met struct{ seen, fired int }

// resumes reports whether a world continues from where another one has stopped.
func (c *Config) resumes() bool { return c.Start != nil && c.Start.Rest != nil }

// save returns the rest of a world that is at a fixed point. It costs O(objects + events on their way).
func save(w *World) *Rest {
	r := &Rest{
		kernel: w.kernel.Save(), store: w.store.Save(), audit: w.audit.Save(), scheduler: w.scheduler.Save(),
		kubelet: w.kubelet.Save(), nodes: w.nodes.Save(), storage: w.storage.Save(), gc: w.gc.Save(),
		disruption: w.disruption.Save(), dns: w.dns.Save(), manager: w.manager.Save(), limits: w.limits,
	}
	for _, armed := range w.faults.all {
		r.faults = append(r.faults, met{armed.seen, armed.fired})
	}
	r.limits.seen = maps.Clone(w.limits.seen)
	if chooser, does := w.config.Chooser.(choose.Positioned); does {
		r.position = chooser.Position()
	}
	return r
}

// load fills a new world. The order follows from which rooms know which: the record before all rooms that hold
// lives, the nodes before those that hold nodes. The queue comes last, with the timers of all rooms, because a room
// must exist with its objects before it can take a timer.
func (r *Rest) load(w *World) {
	w.kernel.Rewind(r.kernel)
	w.store.Load(r.store)
	w.audit.Load(r.audit)
	w.nodes.Load(r.nodes)
	w.storage.Load(r.storage)
	w.scheduler.Load(r.scheduler)
	w.kubelet.Load(r.kubelet)
	w.gc.Load(r.gc)
	w.disruption.Load(r.disruption)
	w.dns.Load(r.dns)
	w.manager.Load(r.manager)
	for i, armed := range w.faults.all {
		armed.seen, armed.fired = r.faults[i].seen, r.faults[i].fired
	}
	w.limits = r.limits
	w.limits.world, w.limits.seen = w, maps.Clone(r.limits.seen)
	w.kernel.Load(r.kernel)
	if chooser, does := w.config.Chooser.(choose.Positioned); does && r.position != nil {
		chooser.Resume(r.position)
	}
}

// Spare is memory that worlds use one after the other. The zero value is ready to use.
type Spare struct {
	kernel kernel.Spare
	store  store.Spare
}

// Leave says that nobody uses a world or its timeline any more: the next world with the same Spare may use its memory.
// A timeline that was saved (State, Hold) is kept.
func Leave(w *World) {
	w.Release()
	if spare := w.config.Spare; w.kernel.Leave() && spare != nil {
		w.store.Leave(&spare.store, spare.kernel.Forget)
	}
}
