package sim

import (
	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
)

// Fingerprint is a hash of everything that decides the future of a world.
type Fingerprint = kernel.Fingerprint

// Fingerprint returns a hash of everything that decides the future of the world, which must be at a fixed point:
// two worlds with one configuration and one fingerprint that get the same answers and the same acts behave alike
// from then on. docs/design.md lists what is in it and what is left out. It costs O(objects), but only reads
// objects that have changed since the last call: about as much as the events of one instant. After the first call
// no version of an object is overwritten, because its hash is found by its pointer.
func (w *World) Fingerprint() Fingerprint {
	// The hash of an object is found by its pointer.
	w.store.Keep()
	return w.kernel.Fingerprint(w.print)
}

// print prints the rooms. An object comes before what refers to it.
func (w *World) print(p *kernel.Print) {
	printRules(p, w.store.Rules())
	w.config.print(p)
	p.Ripens = w.manager.Ripens()
	printObjects(p, w.store)
	w.kernel.Print(p)
	w.scheduler.Print(p)
	w.nodes.Print(p)
	w.storage.Print(p)
	w.kubelet.Print(p)
	w.gc.Print(p)
	w.disruption.Print(p)
	w.dns.Print(p)
	w.manager.Print(p)
	w.faults.print(p)
}

// print prints the parts of the configuration that change over time, and sets the highest life of a pod that the
// rules ask about.
func (c *Config) print(p *kernel.Print) {
	p.Lives = c.lives()
	for times := range c.Kubelet.All {
		if times.Pull != nil && times.Pull.Until > 0 {
			p.Left(model.Time(times.Pull.Until))
		}
	}
}

// printRules prints all rules of the API server, since an upgrade changes them. A new rule must be added here.
func printRules(p *kernel.Print, r model.APIRules) {
	p.Bool(
		r.MaxUnavailable, r.MaxUnavailableField, r.MinReadySeconds, r.MinReadySecondsField, r.StartOrdinal, r.Retention,
		r.Recreate, r.MutableMinReadySeconds, r.MutableOrdinals, r.MutableRetention, r.MutableHistoryLimit, r.FieldErrors,
		r.LabelName, r.LabelService, r.CheckClaims, r.JSONValues, r.NameConflicts,
		r.OwnPlaces, r.Declarative,
	)
	p.Text(r.Mutable)
}

// printObjects prints the objects kind by kind, each in the order of keys, and the templates that sets have had: their
// numbers go on from there.
func printObjects(p *kernel.Print, s *store.Store) {
	sets, pods, claims, revisions := s.Sets(), s.Pods(), s.Claims(), s.Revisions()
	p.Int(len(sets))
	for _, set := range sets {
		p.Set(set)
	}
	p.Int(len(pods))
	for _, pod := range pods {
		p.Pod(pod)
	}
	p.Int(len(claims))
	for _, claim := range claims {
		p.Claim(claim)
	}
	p.Int(len(revisions))
	for _, revision := range revisions {
		p.Revision(revision)
	}
	s.Templates(func(set model.Key, templates []*model.Template) {
		p.Key(set)
		p.Int(len(templates))
		for _, template := range templates {
			p.Template(template)
		}
	})
}

// lives returns the highest life of a name that a rule asks for, 0 if no rule asks.
func (c *Config) lives() int {
	highest := 0
	asks := func(nth *int) {
		if nth != nil {
			highest = max(highest, *nth)
		}
	}
	for i := range c.Kubelet.Rules {
		asks(c.Kubelet.Rules[i].Match.Nth)
	}
	for i := range c.Volumes.Rules {
		asks(c.Volumes.Rules[i].Match.Nth)
	}
	return highest
}

// print prints how often each fault was triggered: counts above the limits are all the same.
func (f *faults) print(p *kernel.Print) {
	for _, armed := range f.all {
		if armed.Write != nil {
			p.Int(min(armed.seen, armed.Write.Nth))
		}
		if armed.Times > 0 {
			p.Int(min(armed.fired, armed.Times))
		}
	}
}
