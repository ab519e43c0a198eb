package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
)

// ClusterDomain is the domain of all names in the cluster's DNS.
const ClusterDomain = "cluster.local"

// DNS is a change in the answers of the cluster's DNS: a Service that it has learned, changed or forgotten, or a
// pod that a Service publishes. In the second case the event's Pod is that pod; in the first it is "". The
// namespace is the namespace of the event's set.
type DNS struct {
	Type    model.ChangeType
	Service string
	// IP is the pod's address; for a Service itself its cluster IP, "" if it is headless.
	IP string
	// Hostname is the name that the pod has below the Service's, or "" if it has none there.
	Hostname string
	// Ports are, of a Service itself, the ports that SRV records name: _http._tcp.
	Ports []string
}

// Names returns the full names whose answers an event changes, without a dot at the end and SRV records.
func (d *DNS) Names(namespace string) []string {
	name := d.Service + "." + namespace + ".svc." + ClusterDomain
	if d.Hostname == "" {
		return []string{name}
	}
	return []string{name, d.Hostname + "." + name}
}

// Service is a Service as the DNS knows it at one point of a timeline. A fold changes it in place.
type Service struct {
	Key model.Key
	// IP is its cluster IP, or "" if it is headless.
	IP    string
	Ports []string
	// Endpoints are the pods that it publishes, in the order of their ordinals, then of names.
	Endpoints []Endpoint
}

// Endpoint is a pod that a Service publishes.
type Endpoint struct {
	Pod, IP, Hostname string
	UID               model.UID
	// Template is the N of the pod's @N.
	Template int
}

// Service returns the Service of that name, or nil if the DNS does not know it at this point.
func (f *Fold) Service(key model.Key) *Service { return f.services[key] }

// applyDNS takes in a change of the DNS. A Service without an event of its own starts with its first event about a
// pod.
func (f *Fold) applyDNS(e *Event) {
	key := model.Key{Namespace: e.Set.Namespace, Name: e.DNS.Service}
	service := f.services[key]
	if service == nil {
		if f.services == nil {
			f.services = map[model.Key]*Service{}
		}
		service = &Service{Key: key}
		f.services[key] = service
	}
	switch {
	case e.Pod != "":
		service.apply(e)
	case e.DNS.Type == model.Deleted:
		delete(f.services, key)
	default:
		service.IP, service.Ports = e.DNS.IP, e.DNS.Ports
	}
}

// apply takes in a change of one published pod of the Service.
func (s *Service) apply(e *Event) {
	at, found := slices.BinarySearchFunc(s.Endpoints, e.Pod, func(p Endpoint, pod string) int {
		_, a := model.SplitPodName(p.Pod)
		_, b := model.SplitPodName(pod)
		return cmp.Or(cmp.Compare(a, b), cmp.Compare(p.Pod, pod))
	})
	switch {
	case e.DNS.Type == model.Deleted && found:
		s.Endpoints = slices.Delete(s.Endpoints, at, at+1)
		return
	case e.DNS.Type == model.Deleted:
		return
	case !found:
		s.Endpoints = slices.Insert(s.Endpoints, at, Endpoint{})
	}
	s.Endpoints[at] = Endpoint{
		Pod: e.Pod, IP: e.DNS.IP, Hostname: e.DNS.Hostname, UID: e.UID, Template: e.Template,
	}
}

// Resolve returns the pods that a name resolves to for a pod of the namespace, with the usual search list: a name
// that does not end in a dot is tried below the namespace, below svc and below the cluster's domain, then as it is,
// and the first that exists counts. A name like _http._tcp.web asks for SRV records, any other for addresses.
// exists reports whether the DNS has the name: the name of a Service exists even without pods. The result belongs
// to the fold.
func (f *Fold) Resolve(name, namespace string) (to []Endpoint, exists bool) {
	absolute, dotted := strings.CutSuffix(name, ".")
	candidates := []string{absolute}
	if !dotted {
		search := []string{"." + namespace + ".svc." + ClusterDomain, ".svc." + ClusterDomain, "." + ClusterDomain, ""}
		candidates = candidates[:0]
		for _, domain := range search {
			candidates = append(candidates, absolute+domain)
		}
	}
	for _, full := range candidates {
		if to, exists = f.lookup(strings.ToLower(full)); exists {
			return to, true
		}
	}
	return nil, false
}

// lookup answers for a full name without its last dot.
func (f *Fold) lookup(full string) (to []Endpoint, exists bool) {
	name, inCluster := strings.CutSuffix(full, ".svc."+ClusterDomain)
	labels := strings.Split(name, ".")
	n := len(labels)
	if !inCluster || n < 2 {
		return nil, false
	}
	service := f.services[model.Key{Namespace: labels[n-1], Name: labels[n-2]}]
	if service == nil {
		return nil, false
	}
	switch {
	case n == 2:
		return service.Endpoints, true
	case n == 3:
		return service.named(labels[0])
	case n == 4 && slices.Contains(service.Ports, labels[0]+"."+labels[1]):
		return service.Endpoints, true
	}
	return nil, false
}

// named returns the pod that has a name of its own below the Service's, as a list of one. Only a headless Service
// gives its pods names.
func (s *Service) named(hostname string) (to []Endpoint, exists bool) {
	at := slices.IndexFunc(s.Endpoints, func(p Endpoint) bool { return p.Hostname == hostname })
	if at < 0 || s.IP != "" {
		return nil, false
	}
	return s.Endpoints[at : at+1], true
}
