// Package dns resolves the names of pods. It contains the EndpointSlice controller, which decides which pods a
// Service publishes, and the DNS, which answers with them, at once or later.
//
// A change of a pod takes three steps: SeePod marks the pod as due, Answer decides at the fixed point what each
// Service publishes (planned), and after the delay the DNS answers so (published). Nothing here acts on pods, and no
// StatefulSet waits for its Service.
package dns

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/keyed"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Server is the cluster's DNS: the Services, and the pods that each of them publishes. A world without a Service has
// no data in it and pays nothing. SeePod must watch the store.
type Server struct {
	kernel *kernel.Kernel `print:"-"`
	store  *store.Store   `print:"-"`
	log    *audit.Log     `print:"-"`
	// addresses are the addresses of the pods and of the Services. Pods have them while there is a Service.
	addresses *audit.Addresses `print:"-"`
	// delay is the time from a change of a pod to the new answer: from the EndpointSlice controller to the DNS server,
	// with its cache. 0 means within the fixed point. It is the same for all changes.
	delay time.Duration `print:"-"`
	// services are in the order of their keys, one per key. selectors finds the Services that select a pod, names
	// the Services that have planned an answer about it.
	services  []*service
	selectors keyed.Selectors[*service] `print:"-"`
	names     map[model.Key][]*service  `print:"-"`
	// fresh are the Services that have not looked at the pods that were there before them, due those that have to decide
	// about pods. Both are empty after Answer.
	fresh, due []*service `print:"-"`
	// underWay are the changes that have not reached the DNS yet, in order, one for each event in the queue. The
	// delay is the same for all, so the first one is due first.
	underWay []publication
}

// publish is the only event: the oldest change reaches the DNS.
const publish uint8 = 0

var eventNames = []string{"publish"}

// New returns a DNS without a name, and takes over the events of the room. delay is how long a change of a pod takes
// to become an answer.
func New(k *kernel.Kernel, s *store.Store, log *audit.Log, a *audit.Addresses, delay time.Duration) *Server {
	n := &Server{kernel: k, store: s, log: log, addresses: a, delay: delay}
	k.Handle(kernel.DNS, eventNames, n)
	return n
}

// Happen publishes the oldest change. Only the kernel calls it.
func (n *Server) Happen(kernel.Event) {
	p := n.underWay[0]
	n.underWay = n.underWay[1:]
	n.publish(&p)
}

// Keep does nothing, since no publication is cancelled.
func (*Server) Keep(kernel.Event, *kernel.Timer) {}

// service is a Service and what the DNS answers for it.
type service struct {
	*model.Service
	// due are the names of the pods that may have changed since the last fixed point; empty after Answer.
	due map[string]bool `print:"-"`
	// planned is the answer of the DNS once all changes on their way have reached it; published is its current answer.
	// Both are by the names of pods, and have only pods with an address. Without a delay they are equal at every fixed
	// point.
	planned, published map[string]endpoint
}

// endpoint is a pod as a Service publishes it. The zero value means that it is not published. hostname is "" if the
// pod has no name of its own below the Service: only pods whose subdomain is the headless Service have one (the
// serviceName of a StatefulSet).
type endpoint struct {
	uid      model.UID
	set      model.Key
	template int
	ip       string `print:"-"`
	hostname string
}

// publication is an endpoint on its way to the DNS. If it has no uid, the pod is removed from the answers. It names
// its Service by pointer: another Service of the same name does not get it.
type publication struct {
	service *service
	pod     string
	endpoint
}

// SeePod notes a change of a pod for each Service that publishes or selects the pod. The effect on the Service is
// decided at the fixed point, so several changes of a pod in one instant become one. A deleted pod releases its
// address.
func (n *Server) SeePod(change *store.Change) {
	pod := cmp.Or(change.Pod, change.OldPod)
	for _, s := range n.names[pod.Key()] {
		n.mark(s, pod.Name)
	}
	if change.Pod != nil && n.selectors.Len() > 0 {
		for _, s := range n.selectors.Matching(nil, pod.Namespace, pod.Labels) {
			n.mark(s, pod.Name)
		}
	}
	if change.Pod == nil {
		n.addresses.Release(pod.UID)
	}
}

// endpointOf returns how a Service publishes a pod, and false if it does not. The rules come from the EndpointSlice
// controller (podToEndpoint, ShouldPodBeInEndpoints) and the DNS server, which answers with ready endpoints. A
// Terminating pod is not ready, unless not-ready addresses are published too. A finished pod is never published.
func (n *Server) endpointOf(s *service, pod *model.Pod) (endpoint, bool) {
	if pod == nil || !s.Selects(pod.Labels) || pod.Finished() || !s.PublishNotReady && !pod.Serving() {
		return endpoint{}, false
	}
	e := endpoint{uid: pod.UID, set: n.log.Pod(pod.Key()).Set, ip: n.addresses.Of(pod)}
	if pod.Template != nil {
		e.template = pod.Template.ID
	}
	if pod.Subdomain == s.Name && s.Headless {
		e.hostname = pod.Hostname
	}
	return e, e.ip != ""
}

// mark notes that a Service has to decide about a pod.
func (n *Server) mark(s *service, pod string) {
	if len(s.due) == 0 {
		n.due = append(n.due, s)
	}
	s.due[pod] = true
}

// Answer decides, at a fixed point, what the Services publish about the pods that have changed since the last fixed
// point: Service by Service, and for each Service the pods by their ordinals.
func (n *Server) Answer() {
	n.seeAll()
	due := n.due
	n.due = nil
	slices.SortFunc(due, func(a, b *service) int { return a.Key().Compare(b.Key()) })
	for _, s := range due {
		for _, name := range slices.SortedFunc(maps.Keys(s.due), byOrdinal) {
			n.plan(s, name)
		}
		clear(s.due)
	}
}

// byOrdinal orders pod names so that web-10 comes after web-9.
func byOrdinal(a, b string) int {
	_, i := model.SplitPodName(a)
	_, j := model.SplitPodName(b)
	return cmp.Or(cmp.Compare(i, j), cmp.Compare(a, b))
}

// plan sends a pod's endpoint on its way, if it has changed; without a delay it arrives at once.
func (n *Server) plan(s *service, pod string) {
	e, any := n.endpointOf(s, n.store.Pod(model.Key{Namespace: s.Namespace, Name: pod}))
	if !any {
		e = endpoint{}
	}
	if e == s.planned[pod] {
		return
	}
	if s.planned[pod] = e; !any {
		delete(s.planned, pod)
	}
	n.name(s, pod, any)
	p := &publication{service: s, pod: pod, endpoint: e}
	if n.delay == 0 {
		n.publish(p)
		return
	}
	n.underWay = append(n.underWay, *p)
	n.kernel.At(n.kernel.Now().Add(n.delay), kernel.ByDNS, kernel.Event{
		Room: kernel.DNS, Kind: publish, Key: model.Key{Namespace: s.Namespace, Name: pod},
	})
}

// publish changes the answers of the DNS, and records the change. Changes for a deleted Service are dropped.
func (n *Server) publish(p *publication) {
	old, was := p.service.published[p.pod]
	is := p.uid != 0
	if !n.has(p.service) || !was && !is {
		return
	}
	told, change := p.endpoint, model.Modified
	switch {
	case !is:
		told, change = old, model.Deleted
		delete(p.service.published, p.pod)
	case !was:
		change = model.Added
	}
	if is {
		p.service.published[p.pod] = p.endpoint
	}
	n.kernel.Record(timeline.Entry{
		Kind: timeline.KindDNS, Actor: timeline.APIServer, Set: told.set, Pod: p.pod, UID: told.uid, Template: told.template,
		DNS: &timeline.DNS{Type: change, Service: p.service.Name, IP: told.ip, Hostname: told.hostname},
	})
}

// find returns the index of a Service, or the index to insert it at.
func (n *Server) find(key model.Key) (at int, found bool) {
	return slices.BinarySearchFunc(n.services, key, func(s *service, key model.Key) int {
		return s.Key().Compare(key)
	})
}

// put adds a Service, or a new version of one, to the DNS. All pods are looked at: a changed selector may publish
// others. The names that it has already published stay until the next fixed point.
func (n *Server) put(stored *model.Service, change model.ChangeType) {
	n.addresses.Wanted = true
	at, found := n.find(stored.Key())
	if !found {
		n.services = slices.Insert(n.services, at, &service{
			due: map[string]bool{}, planned: map[string]endpoint{}, published: map[string]endpoint{},
		})
	} else {
		n.unfile(n.services[at])
	}
	s := n.services[at]
	s.Service = stored
	n.file(s)
	n.record(stored, change)
	for _, pod := range slices.Sorted(maps.Keys(s.planned)) {
		n.mark(s, pod)
	}
	n.fresh = append(n.fresh, s)
}

// record records a change of a Service itself.
func (n *Server) record(s *model.Service, change model.ChangeType) {
	n.kernel.Record(timeline.Entry{
		Kind: timeline.KindDNS, Actor: timeline.APIServer, Set: model.Key{Namespace: s.Namespace},
		DNS: &timeline.DNS{Type: change, Service: s.Name, IP: s.ClusterIP, Ports: s.Ports},
	})
}

// Service returns a Service as the API server holds it, or nil.
func (n *Server) Service(key model.Key) *model.Service {
	if at, found := n.find(key); found {
		return n.services[at].Service
	}
	return nil
}

// Services returns all Services in the order of their keys.
func (n *Server) Services() []*model.Service {
	var list []*model.Service
	for _, s := range n.services {
		list = append(list, s.Service)
	}
	return list
}

// Create takes a new Service and gives it a cluster IP unless it is headless. There must be none of its name. The
// caller keeps the draft.
func (n *Server) Create(draft *model.Service) {
	stored := *draft
	if !stored.Headless {
		stored.ClusterIP = n.addresses.ClusterIP()
	}
	n.put(&stored, model.Added)
}

// Update takes a changed Service, which must exist. Its cluster IP does not change.
func (n *Server) Update(draft *model.Service) {
	stored := *draft
	stored.ClusterIP = n.Service(draft.Key()).ClusterIP
	n.put(&stored, model.Modified)
}

// Delete removes a Service and all names below it at once, without a delay. It returns false if there was none.
func (n *Server) Delete(key model.Key) bool {
	at, found := n.find(key)
	if !found {
		return false
	}
	gone := n.services[at]
	n.services = slices.Delete(n.services, at, at+1)
	n.forget(gone)
	n.addresses.Wanted = len(n.services) > 0
	n.record(gone.Service, model.Deleted)
	return true
}
