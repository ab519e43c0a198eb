package serve

import (
	kjson "sigs.k8s.io/json"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/container"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// found makes what is in every cluster before anybody has done anything.
func (s *Server) found() {
	s.cluster = cluster{nodes: map[string]sim.NodeState{}, answers: map[model.Key]map[string]*timeline.DNS{},
		files: container.New()}
	for _, name := range []string{"default", nodeLeases, "kube-public", "kube-system"} {
		s.foundNamespace(name)
	}
	if !s.config.Uncontrolled {
		s.foundClass()
	}
	s.add(kinds.Service, kinds.Fields{
		"metadata": map[string]any{"namespace": apiService.Namespace, "name": apiService.Name,
			"labels": map[string]any{"component": "apiserver", "provider": "kubernetes"}},
		"spec": map[string]any{"type": "ClusterIP", "clusterIP": "10.96.0.1", "clusterIPs": []any{"10.96.0.1"},
			"ipFamilies": []any{"IPv4"}, "ipFamilyPolicy": "SingleStack", "internalTrafficPolicy": "Cluster",
			"sessionAffinity": "None", "ports": []any{map[string]any{"name": "https", "port": int64(443),
				"targetPort": int64(6443), "protocol": "TCP"}}},
		"status": map[string]any{"loadBalancer": map[string]any{}},
	})
	s.foundOwn()
	for _, definitions := range []bool{true, false} {
		for _, data := range s.config.Existing {
			s.adopt(data, definitions)
		}
		s.redefine()
	}
}

// foundClass makes the class of the claims that name none.
func (s *Server) foundClass() {
	s.add(kinds.StorageClass, kinds.Fields{
		"metadata": map[string]any{"name": project.DefaultClass,
			"annotations": map[string]any{"storageclass.kubernetes.io/is-default-class": "true"}},
		"provisioner": "sim.invalid/none", "reclaimPolicy": "Delete", "volumeBindingMode": "Immediate",
	})
}

// apiService is the Service of the API server itself, which each cluster has.
var apiService = model.Key{Namespace: "default", Name: "kubernetes"}

// adopt shows an object of a dump, or each of a list, unless the world shows its kind itself: definitions of kinds, or
// the others.
func (s *Server) adopt(data []byte, definitions bool) {
	var object map[string]any
	if kjson.UnmarshalCaseSensitivePreserveInts(data, &object) != nil {
		return
	}
	items := kinds.Fields(object).List("items")
	if _, is := object["items"]; !is {
		items = []kinds.Fields{object}
	}
	for _, fields := range items {
		kind := s.defined.Of(fields.Text("apiVersion"), fields.Text("kind"))
		namespace := fields.Text("metadata", "namespace")
		if kind == nil || kind.Namespaced != (namespace != "") || fields.Text("metadata", "name") == "" ||
			(kind == kinds.Definition) != definitions {
			continue
		}
		if namespace != "" && s.objects.Get(kinds.Namespace, model.Key{Name: namespace}) == nil {
			s.foundNamespace(namespace)
		}
		if !ofWorld[kind] || s.config.Uncontrolled && kind != kinds.NewEvent {
			s.put(kind, fields)
		}
	}
}

// ofWorld are the kinds whose objects a world shows by itself.
var ofWorld = map[*kinds.Kind]bool{kinds.StatefulSet: true, kinds.Pod: true, kinds.Claim: true, kinds.Revision: true,
	kinds.Node: true, kinds.Event: true, kinds.NewEvent: true, kinds.EndpointSlice: true}

// foundNamespace makes a namespace with what a cluster puts into each.
func (s *Server) foundNamespace(name string) {
	s.add(kinds.Namespace, kinds.Fields{
		"metadata": map[string]any{"name": name, "labels": map[string]any{"kubernetes.io/metadata.name": name}},
		"spec":     map[string]any{"finalizers": []any{"kubernetes"}}, "status": map[string]any{"phase": "Active"},
	})
	s.furnish(name)
}

// furnish puts into a namespace what a cluster puts into each.
func (s *Server) furnish(namespace string) {
	if s.config.Uncontrolled {
		return // Controllers make these.
	}
	s.add(kinds.Account, kinds.Fields{"metadata": map[string]any{"namespace": namespace, "name": "default"}})
	s.add(kinds.ConfigMap, kinds.Fields{"metadata": map[string]any{"namespace": namespace, "name": "kube-root-ca.crt"},
		"data": map[string]any{"ca.crt": ""}})
}

// dropNamespace deletes all that is in a namespace; the namespace itself goes when nothing is left (endNamespaces).
func (s *Server) dropNamespace(namespace string) {
	for _, kind := range s.defined.All() {
		if !kind.Namespaced || kind == kinds.Event {
			continue
		}
		for _, o := range s.objects.List(kind, namespace) {
			if s.objects.Get(kind, o.Key) == o {
				s.remove(o, deletion{cascade: sim.Background})
			}
		}
	}
}

// endNamespaces lets the namespaces go that are being deleted and have nothing left in them.
func (s *Server) endNamespaces() {
	for _, o := range s.objects.List(kinds.Namespace, "") {
		if o.Fields.Text("metadata", "deletionTimestamp") == "" || s.inhabited(o.Key.Name) {
			continue
		}
		for _, event := range s.objects.List(kinds.Event, o.Key.Name) {
			s.objects.Delete(kinds.Event, event.Key, s.user.DrawVersion())
		}
		s.objects.Delete(kinds.Namespace, o.Key, s.user.DrawVersion())
	}
}

// inhabited says whether anything but events is in a namespace.
func (s *Server) inhabited(namespace string) bool {
	for _, kind := range s.defined.All() {
		if kind.Namespaced && kind != kinds.Event && len(s.objects.List(kind, namespace)) > 0 {
			return true
		}
	}
	return false
}
