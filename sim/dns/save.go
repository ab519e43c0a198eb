package dns

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
)

// Saved is the Services with what the DNS answers for them, what is on its way to it, and the addresses. It shares
// nothing that changes with the DNS.
type Saved struct {
	services []service
	// underWay are the changes on their way; of is the index of each change's Service, -1 if the Service is gone.
	underWay  []publication
	of        []int
	addresses audit.Addresses
}

// Save returns what the DNS remembers.
func (n *Server) Save() Saved {
	n.seeAll()
	s := Saved{underWay: slices.Clone(n.underWay), addresses: n.addresses.Copy()}
	for _, of := range n.services {
		s.services = append(s.services, of.copy())
	}
	for i := range n.underWay {
		s.of = append(s.of, slices.Index(n.services, n.underWay[i].service))
	}
	return s
}

// Load fills a new DNS. A change on its way for a Service that is gone keeps the old Service, which no list has, and
// so is dropped when it arrives.
func (n *Server) Load(s Saved) {
	*n.addresses = s.addresses.Copy()
	for i := range s.services {
		of := s.services[i].copy()
		n.services = append(n.services, &of)
		n.file(&of)
		for _, pod := range slices.Sorted(maps.Keys(of.planned)) {
			n.name(&of, pod, true)
		}
		if len(of.due) > 0 {
			n.due = append(n.due, &of)
		}
	}
	n.underWay = slices.Clone(s.underWay)
	for i := range n.underWay {
		if at := s.of[i]; at >= 0 {
			n.underWay[i].service = n.services[at]
		}
	}
}

// copy returns a copy whose maps are its own; the Service is shared, since it does not change.
func (s *service) copy() service {
	return service{
		Service: s.Service, due: maps.Clone(s.due), planned: maps.Clone(s.planned), published: maps.Clone(s.published),
	}
}

// Print prints the Services, what the DNS answers for them, and what is on its way to it. It is called at fixed
// points, where no changed pod is pending. Addresses are left out: nothing depends on them.
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
		// A deleted Service whose name another one has taken gets no more changes.
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
