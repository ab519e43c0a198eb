package sim

import (
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// Fingerprint is a hash of what decides the future of a world.
type Fingerprint = kernel.Fingerprint

// Fingerprint returns a hash of what decides the future of the world, which is at a fixed point: two worlds of one
// configuration and one fingerprint that are given the same answers and the same acts go on alike. docs/design.md says
// what is in it. It costs O(everything there is), about as much as a few dozen events for a small world.
func (w *World) Fingerprint() Fingerprint { return w.kernel.Fingerprint(w.print) }

func (w *World) print(p *kernel.Print) {
	p.Nth = w.config.countsLives()
	w.store.Print(p)
	w.kernel.Print(p)
	w.manager.Print(p)
	w.faults.print(p)
	for _, room := range []any{w.scheduler, w.kubelet, w.nodes, w.storage, w.gc, w.disruption, w.dns} {
		p.Value(room)
	}
}

// countsLives says whether a rule asks which life of its name something is.
func (c *Config) countsLives() bool {
	for i := range c.Kubelet.Rules {
		if c.Kubelet.Rules[i].Match.Nth != nil {
			return true
		}
	}
	for i := range c.Volumes.Rules {
		if c.Volumes.Rules[i].Match.Nth != nil {
			return true
		}
	}
	return false
}

// print prints how often each fault has been met, as far as that still decides something.
func (f *faults) print(p *kernel.Print) {
	for _, armed := range f.all {
		if armed.Write != nil {
			p.Value(min(armed.seen, armed.Write.Nth))
		}
		p.Value(armed.Times > 0 && armed.fired >= armed.Times)
		if armed.Times > 0 {
			p.Value(min(armed.fired, armed.Times))
		}
	}
}
