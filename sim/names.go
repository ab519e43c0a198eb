package sim

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// names is what the cluster's DNS is made of: the Services, and the pods that each of them publishes. A world without a
// Service has none of it and pays nothing.
type names struct {
	// delay is how long a change of a pod takes to become an answer: from the EndpointSlice controller to the DNS server.
	delay time.Duration
	// services are in the order of their keys.
	services []*service
	// addresses are those of the pods that run; perNode counts those that each node has given, by the number in its name,
	// made the cluster IPs.
	addresses map[model.UID]string
	perNode   map[int]int
	made      int
}

// service is a Service and what the DNS answers for it.
type service struct {
	*model.Service
	// due are the pods that have changed since the last fixed point.
	due map[string]bool
	// planned is what the DNS will answer once all that is under way has reached it, published what it answers now, by
	// the names of pods.
	planned, published map[string]endpoint
}

// endpoint is a pod as a Service publishes it.
type endpoint struct {
	uid          model.UID
	set          model.Key
	template     int
	ip, hostname string
}

// publication is an endpoint on its way to the DNS. Without a uid the pod is to be forgotten.
type publication struct {
	service *service
	pod     string
	endpoint
}

// addressOf returns the address of a pod that runs: 10.244.NODE.N, another one in each of its lives.
func (n *names) addressOf(pod *model.Pod) string {
	if address := n.addresses[pod.UID]; address != "" || pod.Phase != model.Running {
		return address
	}
	// A node's range has 253 addresses, of which .1 is its own; further ones come from the next of its ranges.
	const perRange = 253
	_, node := model.SplitPodName(pod.Node)
	node = max(0, node) % 256
	i := n.perNode[node]
	n.perNode[node]++
	address := fmt.Sprintf("10.%d.%d.%d", 244+i/perRange%12, node, 2+i%perRange)
	n.addresses[pod.UID] = address
	return address
}

// see notes that a pod has changed.
func (n *names) see(change store.Change) {
	pod := cmp.Or(change.Pod, change.OldPod)
	for _, s := range n.services {
		if s.Namespace != pod.Namespace {
			continue
		}
		if _, known := s.planned[pod.Name]; known || change.Pod != nil && s.Selects(pod.Labels) {
			s.due[pod.Name] = true
		}
	}
	if change.Pod == nil {
		delete(n.addresses, pod.UID)
	}
}

// endpointOf returns how a Service publishes a pod, and false where it does not. The rules are those of the
// EndpointSlice controller (podToEndpoint, ShouldPodBeInEndpoints) and of the DNS server, which answers with what is
// ready: a pod that is Terminating is not, unless not-ready addresses are published too.
func (w *World) endpointOf(s *service, pod *model.Pod) (endpoint, bool) {
	if pod == nil || !s.Selects(pod.Labels) || pod.Finished() || !s.PublishNotReady && !pod.Serving() {
		return endpoint{}, false
	}
	e := endpoint{uid: pod.UID, set: w.pods.byUID[pod.UID].set, ip: w.names.addressOf(pod)}
	if pod.Template != nil {
		e.template = pod.Template.ID
	}
	if pod.Subdomain == s.Name && s.Headless {
		e.hostname = pod.Hostname
	}
	return e, e.ip != ""
}

// noteNames lets the DNS learn, at a fixed point, what has changed since the last one.
func (w *World) noteNames() {
	for _, s := range w.names.services {
		if len(s.due) == 0 {
			continue
		}
		for _, name := range slices.SortedFunc(maps.Keys(s.due), byOrdinal) {
			w.plan(s, name)
		}
		clear(s.due)
	}
}

func byOrdinal(a, b string) int {
	_, i := model.SplitPodName(a)
	_, j := model.SplitPodName(b)
	return cmp.Or(cmp.Compare(i, j), cmp.Compare(a, b))
}

// plan sends a pod's endpoint on its way, if it differs from the one that was sent last.
func (w *World) plan(s *service, pod string) {
	e, any := w.endpointOf(s, w.store.Pod(model.Key{Namespace: s.Namespace, Name: pod}))
	if !any {
		e = endpoint{}
	}
	if e == s.planned[pod] {
		return
	}
	if s.planned[pod] = e; !any {
		delete(s.planned, pod)
	}
	p := &publication{service: s, pod: pod, endpoint: e}
	if w.names.delay == 0 {
		w.publish(p)
		return
	}
	w.queue.Schedule(w.Now().Add(w.names.delay), byDNS, false, event{do: func() { w.publish(p) }})
}

// publish makes the DNS answer anew. What a Service that is gone had under way is dropped.
func (w *World) publish(p *publication) {
	old, was := p.service.published[p.pod]
	is := p.uid != 0
	if !slices.Contains(w.names.services, p.service) || !was && !is {
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
	set := told.set
	set.Namespace = p.service.Namespace
	w.record(timeline.Event{
		Kind: timeline.KindDNS, Actor: timeline.APIServer, Set: set, Pod: p.pod, UID: told.uid, Template: told.template,
		DNS: &timeline.DNS{Type: change, Service: p.service.Name, IP: told.ip, Hostname: told.hostname},
	})
}

func (w *World) findService(key model.Key) (at int, found bool) {
	return slices.BinarySearchFunc(w.names.services, key, func(s *service, key model.Key) int {
		return s.Key().Compare(key)
	})
}

// putService makes a Service, or another version of one, known to the DNS.
func (w *World) putService(stored *model.Service, change model.ChangeType) {
	if w.names.addresses == nil {
		w.names.addresses, w.names.perNode = map[model.UID]string{}, map[int]int{}
	}
	at, found := w.findService(stored.Key())
	if !found {
		w.names.services = slices.Insert(w.names.services, at, &service{
			due: map[string]bool{}, planned: map[string]endpoint{}, published: map[string]endpoint{},
		})
	}
	s := w.names.services[at]
	s.Service = stored
	w.recordService(stored, change)
	for _, pod := range w.store.Pods() {
		w.names.see(store.Change{Pod: pod})
	}
}

func (w *World) recordService(s *model.Service, change model.ChangeType) {
	w.record(timeline.Event{
		Kind: timeline.KindDNS, Actor: timeline.APIServer, Set: model.Key{Namespace: s.Namespace},
		DNS: &timeline.DNS{Type: change, Service: s.Name, IP: s.ClusterIP, Ports: s.Ports},
	})
}

// dropService lets the DNS forget a Service and all names below it.
func (w *World) dropService(key model.Key) {
	at, _ := w.findService(key)
	gone := w.names.services[at]
	w.names.services = slices.Delete(w.names.services, at, at+1)
	w.recordService(gone.Service, model.Deleted)
}

// Service returns a Service as the API server holds it, or nil.
func (u *User) Service(key model.Key) *model.Service {
	if at, found := u.w.findService(key); found {
		return u.w.names.services[at].Service
	}
	return nil
}

// CreateService sends a new Service to the API server, which gives it a cluster IP unless it is headless. There must be
// none of its name.
func (u *User) CreateService(draft *model.Service) {
	stored := *draft
	if !stored.Headless {
		u.w.names.made++
		stored.ClusterIP = fmt.Sprintf("10.96.%d.%d", u.w.names.made/250, 10+u.w.names.made%250-1)
	}
	u.w.putService(&stored, model.Added)
}

// UpdateService sends a changed Service, of which there must be one. Its cluster IP stays.
func (u *User) UpdateService(draft *model.Service) {
	stored := *draft
	stored.ClusterIP = u.Service(draft.Key()).ClusterIP
	u.w.putService(&stored, model.Modified)
}

// DeleteService deletes a Service and says whether there was one.
func (u *User) DeleteService(key model.Key) bool {
	if _, found := u.w.findService(key); !found {
		return false
	}
	u.w.dropService(key)
	return true
}
