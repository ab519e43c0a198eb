package dns

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/sim/kernel"
)

// Print prints the Services, what the DNS answers for them, and what is on its way to it. It is called at fixed points,
// where no pod is due. Addresses are left out: nothing depends on which address a pod has.
func (n *Server) Print(p *kernel.Print) {
	p.Int(len(n.services))
	for _, s := range n.services {
		p.Service(s.Service)
		printEndpoints(p, s.planned)
		printEndpoints(p, s.published)
	}
	p.Int(len(n.underWay))
	for i := range n.underWay {
		change := &n.underWay[i]
		p.Key(change.service.Key())
		// A Service that is gone, and whose name another one has taken, gets no more changes.
		p.Bool(n.has(change.service))
		p.Text(change.pod)
		change.endpoint.print(p)
	}
}

// printEndpoints prints endpoints by their pods, in the order of the names.
func printEndpoints(p *kernel.Print, endpoints map[string]endpoint) {
	p.Int(len(endpoints))
	for _, pod := range slices.Sorted(maps.Keys(endpoints)) {
		p.Text(pod)
		e := endpoints[pod]
		e.print(p)
	}
}

// print prints an endpoint, all but its address.
func (e *endpoint) print(p *kernel.Print) {
	p.UID(e.uid)
	p.Key(e.set)
	p.Int(e.template)
	p.Text(e.hostname)
}
