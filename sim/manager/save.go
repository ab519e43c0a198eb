package manager

import (
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// Saved holds the manager's part of a state: its queue and back-offs, its caches and the changes on their way to
// them, what it remembers of its sets, and the suspended syncs. Nothing in it is shared with the manager that it came
// from, except objects, which never change, and the controller, if it was replaced. So many worlds may begin from one
// Saved.
//
// It has no timers: they belong to the kernel's part, which hands them to keep.
type Saved struct {
	// controller is nil if it is the one that the world is made with; a replaced one is shared. The other fields have the
	// names of those of Manager and of nothing else; objects in them are shared, slices and maps are copies.
	controller model.Controller
	replaced   int
	down       bool
	recent     memory
	behind     time.Duration
	slowed     bool
	work       workqueue.Queue
	throttle   *workqueue.Bucket
	cache      cache.Saved
	watches    [model.KindRevision + 1]watch
	late       int
	ripened    int
	sets       map[model.Key]setState
	running    []savedSync
	replicas   int
	syncs      int
}

// savedSync is a suspended sync. Its view and its inputs since it began say where it stands. Strands, which are stacks,
// are nil, and so is the view of the embedded running: view has it in a form that no cache shares.
type savedSync struct {
	running
	view cache.SavedView
}

// Save returns what the manager holds. It must be called at a fixed point: no sync runs straight through, nothing is
// left in watched, and no waits are to be noted. Its cost is proportional to the objects in the caches.
func (m *Manager) Save() Saved {
	s := Saved{
		replaced: m.replaced, down: m.down, recent: slices.Clone(m.recent), behind: m.behind, slowed: m.slowed,
		work: m.work.Copy(), throttle: m.throttle.Copy(), cache: m.cache.Save(),
		watches: m.watches, late: m.late, ripened: m.ripened, sets: map[model.Key]setState{},
		replicas: m.replicas, syncs: m.syncs,
	}
	if m.replaced > 0 {
		s.controller = m.controller
	}
	for kind := range s.watches {
		s.watches[kind] = s.watches[kind].copy()
	}
	for _, key := range m.Known() {
		s.sets[key] = m.sets.Get(key).copy()
	}
	for _, r := range m.running {
		saved := savedSync{running: *r, view: r.view.Save()}
		saved.m, saved.running.view, saved.strands = nil, nil, nil
		saved.first, saved.body, saved.seen = strand{}, nil, observed{}
		saved.inputs, saved.writes = slices.Clone(r.inputs), slices.Clone(r.writes)
		s.running = append(s.running, saved)
	}
	return s
}

// Load fills a new manager that has had its Run. The store must be loaded before. The kernel's timers come after,
// through keep: the strands to which they belong must exist by then.
func (m *Manager) Load(s Saved) {
	if s.controller != nil {
		m.take(s.controller)
	}
	if s.slowed {
		m.slowDown()
	}
	m.replaced, m.down, m.work, m.throttle = s.replaced, s.down, s.work.Copy(), s.throttle.Copy()
	m.recent, m.behind = slices.Clone(s.recent), s.behind
	m.cache.Load(s.cache, m.kernel.Now())
	for kind := range s.watches {
		m.watches[kind] = s.watches[kind].copy()
	}
	m.late, m.ripened, m.replicas, m.syncs = s.late, s.ripened, s.replicas, s.syncs
	for _, key := range keyed.Sorted(s.sets) {
		state := s.sets[key]
		state = state.copy()
		m.sets.Put(key, &state)
	}
	for i := range s.running {
		m.takeUp(&s.running[i])
	}
}

// takeUp starts a sync that was suspended.
func (m *Manager) takeUp(s *savedSync) {
	r := s.running
	r.m = m
	r.inputs, r.writes = slices.Clone(s.inputs), slices.Clone(s.writes)
	r.view = m.cache.Restore(s.view, r.began)
	m.running = append(m.running, &r)
	m.repeat(&r)
}

// repeat lets a sync run from its beginning on coroutines, and gives it its earlier inputs once more, the order of its
// strands included, until it stands where it stood. Nothing is drawn, sent or recorded meanwhile. idle and wrote are
// put back at the end, because the repetition changes them.
func (m *Manager) repeat(r *running) {
	r.strands, r.body, r.next, r.again = nil, nil, 0, true
	idle, wrote := r.idle, r.wrote
	m.resume(r.root())
	for r.recalls() {
		next := r.recall(resumed)
		m.resume(r.strands[next.n])
	}
	r.idle, r.wrote, r.again = idle, wrote, false
}

// copy returns the watch with slices of its own, and without the timer: that is saved by the kernel.
func (w watch) copy() watch {
	w.pending, w.due, w.timer = slices.Clone(w.pending), slices.Clone(w.due), nil
	return w
}

// copy returns the state with slices of its own; the reasons in them never change.
func (s *setState) copy() setState {
	c := *s
	c.waits, c.open = slices.Clone(s.waits), slices.Clone(s.open)
	return c
}

// Keep stores a timer where its owner looks for it. Resyncs have no owner: nobody cancels them. Only the kernel calls
// it.
func (m *Manager) Keep(e kernel.Event, timer *kernel.Timer) {
	switch e.Kind {
	case enqueue:
		keyed.Put(&m.requeues, e.Key, timer)
	case becomeAvailable:
		keyed.Put(&m.available, e.UID, timer)
	case goOn:
		m.syncOf(e.Key).strands[e.N].timer = timer
	case deliver, list:
		m.watches[e.Of].timer = timer
	case begin:
		m.start = timer
	}
}
