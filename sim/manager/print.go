package manager

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
)

// Print prints what the controller has in hand: its work queue and back-offs, the changes on their way to it, what it
// remembers of its sets, and the suspended syncs. It leaves out the caches: they follow from the store, which is
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

// printWritten prints which of the controller's writes for a set its caches have not seen yet, by kind. The
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

// print prints the changes on their way with the times that are left, and what faults have done to the watch. The timer
// follows from them.
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

// printChange prints both versions of the object, of whatever kind; those of the other kinds are nil. The actor and the
// reason of a change are no part of it: they are gone when it is delivered.
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

// print prints a suspended sync: its view, and its inputs since it began. Together these say where it stands; its
// stack does not have to be looked at.
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

// Ripens says whether a pod has to be Ready for a while to be available, in any set that there is or that is on its
// way to the cache. Only then is the time since when pods have been Ready part of a fingerprint.
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
