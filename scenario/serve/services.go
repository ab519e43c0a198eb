package serve

import (
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

// showSlices shows the EndpointSlices of Services that publish other pods, one slice for each.
func (s *Server) showSlices(dirty map[model.Key]bool) {
	for _, key := range slices.SortedFunc(maps.Keys(dirty), model.Key.Compare) {
		name := model.Key{Namespace: key.Namespace, Name: key.Name + "-sim"}
		service, old := s.objects.Get(kinds.Service, key), s.objects.Get(kinds.EndpointSlice, name)
		if service == nil || s.answers[key] == nil {
			s.objects.Delete(kinds.EndpointSlice, name, s.user.DrawVersion())
			continue
		}
		meta := map[string]any{"namespace": name.Namespace, "name": name.Name,
			"labels": map[string]any{"kubernetes.io/service-name": key.Name,
				"endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"},
			"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Service", "name": key.Name,
				"uid": service.UID(), "controller": true, "blockOwnerDeletion": true}},
		}
		fields := kinds.Fields{"metadata": meta, "addressType": "IPv4", "endpoints": s.endpoints(key),
			"ports": slicePorts(service.Fields)}
		if old == nil {
			s.add(kinds.EndpointSlice, fields)
			continue
		}
		was := old.Fields.Map("metadata")
		meta["uid"], meta["creationTimestamp"] = was["uid"], was["creationTimestamp"]
		s.put(kinds.EndpointSlice, fields)
	}
}

// endpoints returns the pods that a Service publishes.
func (s *Server) endpoints(service model.Key) []any {
	list := []any{}
	for _, name := range slices.Sorted(maps.Keys(s.answers[service])) {
		answer := s.answers[service][name]
		ready, going := false, false
		node := ""
		if pod := s.user.Pod(model.Key{Namespace: service.Namespace, Name: name}); pod != nil {
			ready, going, node = pod.Ready, pod.Terminating(), pod.Node
		}
		endpoint := map[string]any{
			"addresses":  []any{answer.IP},
			"conditions": map[string]any{"ready": ready && !going, "serving": ready, "terminating": going},
			"targetRef":  map[string]any{"kind": "Pod", "namespace": service.Namespace, "name": name}, "nodeName": node,
		}
		if answer.Hostname != "" {
			endpoint["hostname"] = answer.Hostname
		}
		list = append(list, endpoint)
	}
	return list
}

func slicePorts(service kinds.Fields) []any {
	list := []any{}
	for _, port := range service.List("spec", "ports") {
		list = append(list, map[string]any{"name": port.Text("name"), "port": port.Number("port"),
			"protocol": port.Text("protocol")})
	}
	return list
}
