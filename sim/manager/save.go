package manager

import (
	"fmt"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/workqueue"
)

// Saved holds the manager's part of a state: its queue and back-offs, its caches and the changes on their way to
// them, what it remembers of its sets, and the suspended syncs. It shares nothing with its manager, except objects,
// which never change, and the controller, if it was replaced. So many worlds may start from one Saved.
//
// It has no timers: they belong to the kernel's part, which hands them to keep.
type Saved struct {
	// controller is nil if it is the world's original controller; a replaced one is shared. The other fields are
	// named like the fields of Manager; objects in them are shared, slices and maps are copies.
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

// savedSync is a suspended sync. Its view and its inputs since its start determine how far it has got. Strands,
// which are stacks, are nil, and so is the view of the embedded running: view has it in a form that no cache
// shares.
type savedSync struct {
	running
	view cache.SavedView
}

// Save returns what the manager holds. It must be called at a fixed point: no sync runs straight through, watched
// is empty, and no waits remain to be noted. It costs O(objects in the caches).
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

// Load fills a new manager that has had its Run. The store must be loaded before. The kernel's timers come
// afterwards, through keep: their strands must exist by then.
func (m *Manager) Load(s Saved) {
	if s.controller != nil {
		m.controller = s.controller
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

// repeat runs a sync from its start on coroutines, and gives it its earlier inputs again, including the order of
// its strands, until it reaches its earlier point. Nothing is drawn, sent or recorded meanwhile. idle and wrote are
// put back at the end, because the repetition changes them.
func (m *Manager) repeat(r *running) {
	r.strands, r.body, r.next, r.again = nil, nil, 0, true
	idle, wrote := r.idle, r.wrote
	m.resume(r.root())
	for r.next < len(r.inputs) {
		m.resume(r.strands[r.recall(resumed).n])
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

// Keep stores a timer where its owner looks for it. Resyncs have no owner. Only the kernel calls it.
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

// Print prints what the controller holds: its work queue and back-offs, the changes on their way to it, what it
// remembers about its sets, and the suspended syncs. It leaves out the caches: they follow from the store, which is
// printed elsewhere, and from the changes on their way. It is called at fixed points.
func (m *Manager) Print(p *kernel.Print) {
	m.work.Print(p)
	m.throttle.Print(p)
	p.Bool(m.down, m.slowed)
	p.Int(int(m.behind))
	m.recent.print(p, m.kernel.Now().Add(-m.latency.Behind))
	p.Int(m.replaced)
	for _, kind := range store.Kinds {
		m.watches[kind].print(p)
	}
	known := m.Known()
	p.Int(len(known))
	for _, key := range known {
		p.Key(key)
		m.sets.Get(key).print(p, m)
		m.printWritten(p, key)
	}
	p.Int(len(m.running))
	for _, r := range m.running {
		r.print(p)
	}
}

// printWritten prints, by kind, which of the controller's writes for a set its caches have not seen yet. The
// stale-cache guard of 1.36 depends on nothing else.
func (m *Manager) printWritten(p *kernel.Print, set model.Key) {
	for _, kind := range store.Kinds {
		p.Version(m.cache.Unseen(set, kind))
	}
}

// The two snapshots are printed as whether they are the present ones: what counts is only whether something has
// changed since, not what it was.
func (s *setState) print(p *kernel.Print, m *Manager) {
	p.Int(len(s.waits))
	for i := range s.waits {
		p.Why(&s.waits[i])
	}
	p.Int(len(s.open))
	for i := range s.open {
		p.Why(&s.open[i].why)
	}
	p.Text(s.failed)
	p.Bool(s.faulted, s.began == m.progress(), s.saw == m.sight())
}

// print prints the changes on their way with their times, and what faults have done to the watch. They make the timer.
func (w *watch) print(p *kernel.Print) {
	p.Int(len(w.pending))
	for i := range w.pending {
		printChange(p, &w.pending[i])
		p.Time(w.due[i])
	}
	p.Bool(w.broken)
	p.Left(w.slowUntil)
	p.Int(int(w.slow))
}

// printChange prints both versions of the object, of whatever kind; the fields of the other kinds are nil. It
// leaves out the actor and the reason of a change: they are gone when it is delivered.
func printChange(p *kernel.Print, change *store.Change) {
	p.Int(int(change.Type))
	p.Set(change.OldSet)
	p.Set(change.Set)
	p.Pod(change.OldPod)
	p.Pod(change.Pod)
	p.Claim(change.OldClaim)
	p.Claim(change.Claim)
	p.Revision(change.OldRevision)
	p.Revision(change.Revision)
}

// print prints a suspended sync: its view, and its inputs since its start. Together these determine how far it has
// got, so its stack is not needed.
func (r *running) print(p *kernel.Print) {
	p.Key(r.key)
	p.Time(r.began)
	p.Bool(r.saw == r.m.sight(), r.idle, r.faulted)
	p.Text(r.misled)
	r.view.Print(p)
	p.Int(len(r.inputs))
	for i := range r.inputs {
		r.inputs[i].print(p)
	}
}

// print prints an input by its content. A kind of value that has no case here panics, so that a new kind of input
// cannot be forgotten in the fingerprint.
func (t *input) print(p *kernel.Print) {
	p.Int(int(t.kind))
	switch value := t.value.(type) {
	case nil:
		p.Int(t.n)
	case bool:
		p.Bool(value)
	case *model.StatefulSet:
		p.Set(value)
	case *model.Claim:
		p.Claim(value)
	case *model.Pod:
		p.Pod(value)
	case []*model.Pod:
		p.Int(len(value))
		for _, pod := range value {
			p.Pod(pod)
		}
	case []*model.Revision:
		p.Int(len(value))
		for _, revision := range value {
			p.Revision(revision)
		}
	case *model.Revision:
		p.Revision(value)
	case *model.APIError:
		p.Refusal(value)
	default:
		panic(fmt.Sprintf("manager: nobody prints a %T, an input of a sync of the kind %s", value, inputNames[t.kind]))
	}
}

// Ripens reports whether a pod has to be Ready for a while to be available, in any set that exists or is on its way
// to the cache. Only then does a fingerprint include since when pods have been Ready.
func (m *Manager) Ripens() bool {
	for _, set := range m.store.Sets() {
		if set.Spec.MinReadySeconds > 0 {
			return true
		}
	}
	for _, change := range m.watches[model.KindStatefulSet].pending {
		if change.OldSet != nil && change.OldSet.Spec.MinReadySeconds > 0 ||
			change.Set != nil && change.Set.Spec.MinReadySeconds > 0 {
			return true
		}
	}
	return false
}
