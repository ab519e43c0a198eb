package serve

import (
	"cmp"
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// seeAnswer notes what a Service publishes of a pod from now on, and that its slice has changed.
func (s *Server) seeAnswer(e *timeline.Event, dirty map[model.Key]bool) {
	key := model.Key{Namespace: e.Set.Namespace, Name: e.DNS.Service}
	dirty[key] = true
	switch {
	case e.Pod == "" && e.DNS.Type == model.Deleted:
		delete(s.answers, key)
		return
	case s.answers[key] == nil:
		s.answers[key] = map[string]*timeline.DNS{}
	}
	switch {
	case e.Pod == "":
	case e.DNS.Type == model.Deleted:
		delete(s.answers[key], e.Pod)
	default:
		s.answers[key][e.Pod] = e.DNS
	}
}

// stir notes that what the slices say of a pod has changed: of those that publish unready pods too nobody else tells.
func (s *Server) stir(pod model.Key, dirty map[model.Key]bool) {
	for _, service := range s.user.Services() {
		key := service.Key()
		if service.PublishNotReady && key.Namespace == pod.Namespace && s.answers[key][pod.Name] != nil {
			dirty[key] = true
		}
	}
}

// showSlices shows the EndpointSlices of Services that publish other pods, one slice for each, and their Endpoints.
func (s *Server) showSlices(dirty map[model.Key]bool) {
	for _, pod := range s.stirred {
		s.stir(pod, dirty)
	}
	s.stirred = nil
	for _, key := range slices.SortedFunc(maps.Keys(dirty), model.Key.Compare) {
		name := model.Key{Namespace: key.Namespace, Name: key.Name + "-sim"}
		service := s.objects.Get(kinds.Service, key)
		if service == nil || s.answers[key] == nil {
			s.objects.Delete(kinds.EndpointSlice, name, s.user.DrawVersion())
			s.objects.Delete(kinds.Endpoints, key, s.user.DrawVersion())
			continue
		}
		endpoints, addresses := s.endpoints(key, service.Fields.Is("spec", "publishNotReadyAddresses"))
		ports := slicePorts(service.Fields)
		s.follows(kinds.EndpointSlice, name, kinds.Fields{"metadata": map[string]any{
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
		if len(addresses) > 0 {
			older["subsets"] = []any{map[string]any{"addresses": addresses, "ports": ports}}
		}
		s.follows(kinds.Endpoints, key, older)
	}
}

// follows shows an object that follows from others.
func (s *Server) follows(kind *kinds.Kind, key model.Key, fields kinds.Fields) {
	meta := fields.Map("metadata")
	meta["namespace"], meta["name"] = key.Namespace, key.Name
	old := s.objects.Get(kind, key)
	if old == nil {
		s.add(kind, fields)
		return
	}
	was := old.Fields.Map("metadata")
	meta["uid"], meta["creationTimestamp"] = was["uid"], was["creationTimestamp"]
	if kind.Counts() {
		meta["generation"] = was.Number("generation") + 1
	}
	s.put(kind, fields)
}

// endpoints returns the pods that a Service publishes, as its slice and as its Endpoints name them. unready says that
// it publishes unready pods too.
func (s *Server) endpoints(service model.Key, unready bool) (endpoints, addresses []any) {
	endpoints = []any{}
	for _, name := range slices.Sorted(maps.Keys(s.answers[service])) {
		answer := s.answers[service][name]
		ready, going := false, false
		node := ""
		if pod := s.user.Pod(model.Key{Namespace: service.Namespace, Name: name}); pod != nil {
			ready, going, node = pod.Ready, pod.Terminating(), pod.Node
		}
		target := map[string]any{"kind": "Pod", "namespace": service.Namespace, "name": name}
		endpoint := map[string]any{
			"addresses":  []any{answer.IP},
			"conditions": map[string]any{"ready": unready || ready && !going, "serving": ready, "terminating": going},
			"targetRef":  target, "nodeName": node,
		}
		address := map[string]any{"ip": answer.IP, "nodeName": node, "targetRef": target}
		if answer.Hostname != "" {
			endpoint["hostname"], address["hostname"] = answer.Hostname, answer.Hostname
		}
		endpoints, addresses = append(endpoints, endpoint), append(addresses, address)
	}
	return endpoints, addresses
}

func slicePorts(service kinds.Fields) []any {
	list := []any{}
	for _, port := range service.List("spec", "ports") {
		number := cmp.Or(port.Number("targetPort"), port.Number("port"))
		list = append(list, map[string]any{"name": port.Text("name"), "port": number, "protocol": port.Text("protocol")})
	}
	return list
}
