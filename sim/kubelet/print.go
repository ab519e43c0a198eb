package kubelet

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// Print prints what the kubelets remember of existing pods, the processes whose pod is gone, and the names that two
// processes have. Pods come in the order of the store. The timers are in the kernel's queue, except those that are
// held. The fold of the readiness conditions is left out: it follows from the timeline, of which only the present
// state counts for a condition.
func (k *Kubelets) Print(p *kernel.Print) {
	for _, pod := range k.store.Pods() {
		k.lives[pod.UID].print(p)
	}
	p.Int(len(k.gates.lives))
	for _, l := range k.gates.lives {
		p.UID(l.UID)
	}
	p.Bool(k.gates.again)
	p.Int(k.gates.most)
	p.Int(len(k.strays))
	for _, s := range k.strays {
		s.print(p)
	}
	p.Keys(keyed.Sorted(k.twins))
}

// print prints a process whose pod is gone. Since when it is one is left out: only the timeline shows that.
func (s *stray) print(p *kernel.Print) {
	p.Key(s.key)
	p.UID(s.uid)
	p.Key(s.set)
	p.Nth(s.nth)
	p.Text(s.node.Name)
	p.Int(int(s.ends))
	p.Bool(s.never)
}

// print prints a life with its held timers, which no queue has. Its other timers are printed with the queue.
func (l *life) print(p *kernel.Print) {
	l.Life.Print(p)
	p.Times(l.times)
	if p.Present(l.main != nil) {
		l.main.print(p)
	}
	if p.Present(l.manifest != nil) {
		l.manifest.print(p, l.gate != nil)
	}
	if g := l.gate; p.Present(g != nil) {
		p.Bool(g.warm, g.holds, g.open, g.shut)
	}
	p.Texts(l.killed)
	p.Int(len(l.held))
	for i := range l.held {
		h := &l.held[i]
		p.Int(int(h.left))
		p.Bool(h.background)
		p.Event(&h.event)
	}
	p.Bool(l.hung, l.ended, l.silenced)
	p.Int(int(l.was))
}

// print prints a container without what its probes know; see manifest.print.
func (c *container) print(p *kernel.Print) {
	p.Text(c.name)
	p.Times(&c.times)
	p.Int(int(c.state))
	p.Text(c.word)
	c.restarts.Print(p)
	c.pulls.Print(p)
	p.Int(c.ended)
	p.Int(c.started)
	p.Bool(c.idle)
	p.Bool(c.paused)
}

// print prints the containers of a pod and the positions of the tickers of their probes within their periods; the
// result of a probe that is under way is in the queue, but a probe of the next run of a container begins with the
// next tick. gated is true if the readiness probe is evaluated again in this run.
func (b *manifest) print(p *kernel.Print, gated bool) {
	p.Int(b.turn)
	p.Int(len(b.init))
	for c := range b.all {
		c.print(p)
		d := &c.probed
		p.Bool(d.isInit, d.up, d.ready, d.wasReady, d.spec.Sidecar)
		p.Text(d.killer)
		if c.state == isRunning && !d.up {
			p.Time(d.run.Started)
			p.Time(d.run.Healthy)
		}
		for _, probe := range [...]*model.Probe{d.spec.Startup, d.spec.Readiness, d.spec.Liveness} {
			if probe != nil {
				p.Phase(b.ticks, model.Time(probe.Period))
			}
		}
		if probe := d.spec.Readiness; gated && probe != nil {
			p.Phase(max(b.ticks, d.run.From), model.Time(probe.Period))
		}
	}
}
