package bridge

import (
	"cmp"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// answers are what each Service publishes, by pod, the pods that run and are not Ready, with their labels, and the pods of
// which the slices say something else now.
type answers struct {
	published map[model.Key]map[string]*timeline.DNS
	unready   map[model.Key]map[string]string
	stirred   []stirred
}

// stirred is a pod that has become Ready or unready, or has begun to go, with its labels.
type stirred struct {
	pod    model.Key
	labels map[string]string
}

// hear notes what a change of a pod means for the slices; is is nil for one that is gone.
func (a *answers) hear(was, is *model.Pod) {
	pod := cmp.Or(is, was)
	key, open := pod.Key(), is != nil && is.Phase == model.Running && !is.Ready
	if known := a.unready[key] != nil; known != open || was != nil && is != nil &&
		(was.Ready != is.Ready || was.Terminating() != is.Terminating()) {
		a.stirred = append(a.stirred, stirred{key, pod.Labels})
	}
	if open {
		a.unready[key] = pod.Labels
	} else {
		delete(a.unready, key)
	}
}

// see notes how a Service publishes a pod from now on, and that its slice has changed.
func (a *answers) see(e *timeline.Event, dirty map[model.Key]bool) {
	key := model.Key{Namespace: e.Set.Namespace, Name: e.DNS.Service}
	dirty[key] = true
	switch {
	case e.Pod == "" && e.DNS.Type == model.Deleted:
		delete(a.published, key)
		return
	case a.published[key] == nil:
		a.published[key] = map[string]*timeline.DNS{}
	}
	switch {
	case e.Pod == "":
	case e.DNS.Type == model.Deleted:
		delete(a.published[key], e.Pod)
	default:
		a.published[key][e.Pod] = e.DNS
	}
}

// stir notes that what the slices say of a pod has changed.
func (a *answers) stir(c *Cluster, of stirred, dirty map[model.Key]bool) {
	for _, service := range c.User.Services() {
		key := service.Key()
		if key.Namespace == of.pod.Namespace && service.Selects(of.labels) {
			dirty[key] = true
		}
	}
}

// show shows the EndpointSlices of Services that publish other pods, one slice for each, and their Endpoints.
func (a *answers) show(c *Cluster, dirty map[model.Key]bool) {
	for _, pod := range a.stirred {
		a.stir(c, pod, dirty)
	}
	a.stirred = nil
	for _, key := range slices.SortedFunc(maps.Keys(dirty), model.Key.Compare) {
		name := model.Key{Namespace: key.Namespace, Name: key.Name + "-sim"}
		service := c.Objects.Get(kinds.Service, key)
		if service == nil || a.published[key] == nil {
			c.Objects.Delete(kinds.EndpointSlice, name, c.User.DrawVersion())
			c.Objects.Delete(kinds.Endpoints, key, c.User.DrawVersion())
			continue
		}
		endpoints, addresses := a.endpoints(c, key, service.Fields.Is("spec", "publishNotReadyAddresses"))
		unready, closed := a.closed(c, key)
		endpoints = append(endpoints, unready...)
		ports := slicePorts(service.Fields, anyOf(c, key, a.published[key]))
		c.follows(kinds.EndpointSlice, name, kinds.Fields{"metadata": map[string]any{
			"labels": map[string]any{"kubernetes.io/service-name": key.Name,
				"endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
			"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Service", "name": key.Name,
				"uid": service.UID(), "controller": true, "blockOwnerDeletion": true}},
		}, "addressType": "IPv4", "endpoints": endpoints, "ports": ports})
		labels := maps.Clone(map[string]any(service.Fields.Map("metadata", "labels")))
		if labels == nil {
			labels = map[string]any{}
		}
		labels["endpoints.kubernetes.io/managed-by"] = "endpoint-controller"
		older := kinds.Fields{"metadata": map[string]any{"labels": labels}}
		if len(addresses)+len(closed) > 0 {
			subset := map[string]any{"ports": ports}
			if len(addresses) > 0 {
				subset["addresses"] = addresses
			}
			if len(closed) > 0 {
				subset["notReadyAddresses"] = closed
			}
			older["subsets"] = []any{subset}
		}
		c.follows(kinds.Endpoints, key, older)
	}
}

// follows shows an object that follows from others.
func (c *Cluster) follows(kind *kinds.Kind, key model.Key, fields kinds.Fields) {
	meta := fields.Map("metadata")
	meta["namespace"], meta["name"] = key.Namespace, key.Name
	old := c.Objects.Get(kind, key)
	if old == nil {
		c.Add(kind, fields)
		return
	}
	was := old.Fields.Map("metadata")
	meta["uid"], meta["creationTimestamp"] = was["uid"], was["creationTimestamp"]
	if kind.Counts() {
		meta["generation"] = was.Number("generation") + 1
	}
	c.Put(kind, fields)
}

// endpoints returns the pods that a Service publishes, as its slice and as its Endpoints name them. unready is true
// if it publishes unready pods too.
func (a *answers) endpoints(c *Cluster, service model.Key, unready bool) (endpoints, addresses []any) {
	endpoints = []any{}
	for _, name := range slices.Sorted(maps.Keys(a.published[service])) {
		answer := a.published[service][name]
		ready, going := false, false
		node := ""
		if pod := c.User.Pod(model.Key{Namespace: service.Namespace, Name: name}); pod != nil {
			ready, going, node = pod.Ready, pod.Terminating(), pod.Node
		}
		endpoint, address := entries(model.Key{Namespace: service.Namespace, Name: name}, answer.IP, node)
		endpoint["conditions"] = map[string]any{"ready": unready || ready && !going, "serving": ready, "terminating": going}
		if answer.Hostname != "" {
			endpoint["hostname"], address["hostname"] = answer.Hostname, answer.Hostname
		}
		endpoints, addresses = append(endpoints, endpoint), append(addresses, address)
	}
	return endpoints, addresses
}

// closed returns the pods that a Service selects and does not publish, since they are not Ready, as its slice and as its
// Endpoints name them. The endpoints controller leaves out those that are Terminating.
func (a *answers) closed(c *Cluster, of model.Key) (endpoints, addresses []any) {
	service := c.User.Service(of)
	for _, key := range slices.SortedFunc(maps.Keys(a.unready), model.Key.Compare) {
		pod, shown := c.User.Pod(key), c.Objects.Get(kinds.Pod, key)
		if key.Namespace != of.Namespace || a.published[of][key.Name] != nil || service == nil || pod == nil || shown == nil ||
			!service.Selects(pod.Labels) {
			continue
		}
		endpoint, address := entries(key, shown.Fields.Text("status", "podIP"), pod.Node)
		endpoint["conditions"] = map[string]any{"ready": false, "serving": false, "terminating": pod.Terminating()}
		if endpoints = append(endpoints, endpoint); !pod.Terminating() {
			addresses = append(addresses, address)
		}
	}
	return endpoints, addresses
}

// entries are a pod as a slice and as Endpoints name it, without its conditions.
func entries(pod model.Key, ip, node string) (endpoint, address map[string]any) {
	target := map[string]any{"kind": "Pod", "namespace": pod.Namespace, "name": pod.Name}
	return map[string]any{"addresses": []any{ip}, "nodeName": node, "targetRef": target},
		map[string]any{"ip": ip, "nodeName": node, "targetRef": target}
}

// anyOf returns one of the pods that a Service publishes; nil without one.
func anyOf(c *Cluster, service model.Key, published map[string]*timeline.DNS) *objects.Object {
	for _, name := range slices.Sorted(maps.Keys(published)) {
		if pod := c.Objects.Get(kinds.Pod, model.Key{Namespace: service.Namespace, Name: name}); pod != nil {
			return pod
		}
	}
	return nil
}

// portOf returns the port of a pod that has a name, 0 without one.
func portOf(pod *objects.Object, name string) int64 {
	if pod == nil || name == "" {
		return 0
	}
	for _, container := range pod.Fields.List("spec", "containers") {
		for _, port := range container.List("ports") {
			if port.Text("name") == name {
				return port.Number("containerPort")
			}
		}
	}
	return 0
}

// slicePorts returns the ports of a Service as its pods have them; one pod shows what their names mean.
func slicePorts(service kinds.Fields, pod *objects.Object) []any {
	list := []any{}
	for _, port := range service.List("spec", "ports") {
		number := cmp.Or(port.Number("targetPort"), portOf(pod, port.Text("targetPort")), port.Number("port"))
		list = append(list, map[string]any{"name": port.Text("name"), "port": number, "protocol": port.Text("protocol")})
	}
	return list
}
