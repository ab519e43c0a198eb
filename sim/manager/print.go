package manager

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// Print prints what the controller has in hand: its work queue and back-offs, the changes on their way to it, what it
// remembers of its sets, and the syncs that are suspended. What its caches hold follows from the store and from the
// changes on their way.
func (m *Manager) Print(p *kernel.Print) {
	p.Value(m)
	for _, key := range m.Known() {
		state := m.sets[key]
		p.Value(key)
		p.Value(state.waits)
		p.Value(state.open)
		p.Value(state.failed)
		p.Value(state.faulted)
		p.Value(state.began == m.progress())
		p.Value(state.saw == m.sight())
	}
	for _, r := range m.running {
		m.printSync(p, r)
	}
}

// printSync prints a sync that is suspended. Where it stands follows from what it has seen and been told.
func (m *Manager) printSync(p *kernel.Print, r *running) {
	p.Value(r.key)
	p.Value(r.began)
	p.Value(r.saw == m.sight())
	p.Value(r.idle)
	p.Value(r.faulted)
	p.Value(r.misled)
	p.Value(r.set)
	p.Value(r.view.Set())
	if len(r.set.Spec.ClaimTemplates) > 0 {
		// A sync reads claims as they are at that moment, which nobody notes: it is only like one that began as it did.
		p.Value(int64(r.began))
		p.Value(r.saw.version)
	}
	for _, group := range []model.Group{model.Replicas, model.Condemned} {
		for i := range r.view.Len(group) {
			p.Value(r.view.Pod(group, i))
		}
	}
	p.Value(r.view.Revisions())
	p.Value(r.answers)
	for _, s := range r.strands {
		p.Value([]int{s.calls, s.branch, s.branches})
	}
}
