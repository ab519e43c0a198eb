package bridge

import (
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	kjson "sigs.k8s.io/json"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/sim"
)

// found makes what every cluster has at its start.
func found(c *Cluster) {
	for _, name := range []string{"default", nodeLeases, "kube-public", "kube-system"} {
		c.FoundNamespace(name)
	}
	if !c.config.Uncontrolled {
		foundClass(c)
	}
	c.Add(kinds.Service, kinds.Fields{
		"metadata": map[string]any{"namespace": apiService.Namespace, "name": apiService.Name,
			"labels": map[string]any{"component": "apiserver", "provider": "kubernetes"}},
		"spec": map[string]any{"type": "ClusterIP", "clusterIP": "10.96.0.1", "clusterIPs": []any{"10.96.0.1"},
			"ipFamilies": []any{"IPv4"}, "ipFamilyPolicy": "SingleStack", "internalTrafficPolicy": "Cluster",
			"sessionAffinity": "None", "ports": []any{map[string]any{"name": "https", "port": int64(443),
				"targetPort": int64(6443), "protocol": "TCP"}}},
		"status": map[string]any{"loadBalancer": map[string]any{}},
	})
	foundOwn(c)
	for _, definitions := range []bool{true, false} {
		for _, data := range c.config.Existing {
			adopt(c, data, definitions)
		}
		c.Redefine()
	}
}

// foundClass makes the default storage class, for claims that do not name one.
func foundClass(c *Cluster) {
	c.Add(kinds.StorageClass, kinds.Fields{
		"metadata": map[string]any{"name": project.DefaultClass,
			"annotations": map[string]any{"storageclass.kubernetes.io/is-default-class": "true"}},
		"provisioner": "sim.invalid/none", "reclaimPolicy": "Delete", "volumeBindingMode": "Immediate",
		"allowVolumeExpansion": true,
	})
}

// apiService is the Service of the API server itself, which each cluster has.
var apiService = model.Key{Namespace: "default", Name: "kubernetes"}

// adopt shows an object of a dump, or each of a list, unless the world shows its kind itself: definitions of kinds, or
// the others.
func adopt(c *Cluster, data []byte, definitions bool) {
	var object map[string]any
	if kjson.UnmarshalCaseSensitivePreserveInts(data, &object) != nil {
		return
	}
	items := kinds.Fields(object).List("items")
	if _, is := object["items"]; !is {
		items = []kinds.Fields{object}
	}
	for _, fields := range items {
		kind := c.Defined.Of(fields.Text("apiVersion"), fields.Text("kind"))
		namespace := fields.Text("metadata", "namespace")
		if kind == nil || kind.Namespaced != (namespace != "") || fields.Text("metadata", "name") == "" ||
			(kind == kinds.Definition) != definitions {
			continue
		}
		if namespace != "" && c.Objects.Get(kinds.Namespace, model.Key{Name: namespace}) == nil {
			c.FoundNamespace(namespace)
		}
		if !ofWorld[kind] || c.config.Uncontrolled && kind != kinds.NewEvent {
			c.Put(kind, fields)
		}
	}
}

// ofWorld are the kinds whose objects a world shows by itself.
var ofWorld = map[*kinds.Kind]bool{kinds.StatefulSet: true, kinds.Pod: true, kinds.Claim: true, kinds.Revision: true,
	kinds.Node: true, kinds.Event: true, kinds.NewEvent: true, kinds.EndpointSlice: true}

// FoundNamespace makes a namespace with the objects that every namespace has.
func (c *Cluster) FoundNamespace(name string) {
	c.Add(kinds.Namespace, kinds.Fields{
		"metadata": map[string]any{"name": name, "labels": map[string]any{"kubernetes.io/metadata.name": name}},
		"spec":     map[string]any{"finalizers": []any{"kubernetes"}}, "status": map[string]any{"phase": "Active"},
	})
	c.Furnish(name)
}

// Furnish puts into a namespace the objects that every namespace has.
func (c *Cluster) Furnish(namespace string) {
	if c.config.Uncontrolled {
		return // Controllers make these.
	}
	c.Add(kinds.Account, kinds.Fields{"metadata": map[string]any{"namespace": namespace, "name": "default"}})
	c.Add(kinds.ConfigMap, kinds.Fields{"metadata": map[string]any{"namespace": namespace, "name": "kube-root-ca.crt"},
		"data": map[string]any{"ca.crt": ""}})
}

// dropNamespace deletes everything in a namespace; the namespace itself is deleted when nothing is left
// (endNamespaces).
func (c *Cluster) dropNamespace(namespace string) {
	for _, kind := range c.Defined.All() {
		if !kind.Namespaced || kind == kinds.Event {
			continue
		}
		for _, o := range c.Objects.List(kind, namespace) {
			if c.Objects.Get(kind, o.Key) == o {
				c.Remove(o, Deletion{Cascade: sim.Background})
			}
		}
	}
}

// endNamespaces deletes the namespaces that are marked for deletion and are empty.
func (c *Cluster) endNamespaces() {
	for _, o := range c.Objects.List(kinds.Namespace, "") {
		if o.Fields.Text("metadata", "deletionTimestamp") == "" || inhabited(c, o.Key.Name) {
			continue
		}
		for _, event := range c.Objects.List(kinds.Event, o.Key.Name) {
			c.Objects.Delete(kinds.Event, event.Key, c.User.DrawVersion())
		}
		c.Objects.Delete(kinds.Namespace, o.Key, c.User.DrawVersion())
	}
}

// inhabited reports whether anything but events is in a namespace.
func inhabited(c *Cluster, namespace string) bool {
	for _, kind := range c.Defined.All() {
		if kind.Namespaced && kind != kinds.Event && len(c.Objects.List(kind, namespace)) > 0 {
			return true
		}
	}
	return false
}

// priorities are the priorities of the classes that each cluster has.
var priorities = map[string]int32{"system-cluster-critical": 2_000_000_000, "system-node-critical": 2_000_001_000}

// foundOwn shows the objects that a real API server makes for itself at its start. It draws no versions and no
// uids, so nothing later depends on it.
func foundOwn(c *Cluster) {
	n := model.UID(0)
	show := func(kind *kinds.Kind, fields kinds.Fields) {
		n++
		meta := fields.Map("metadata")
		meta["uid"], meta["creationTimestamp"] = (firstUID - n).String(), c.Instant().Format(time.RFC3339)
		if kind.Counts() {
			meta["generation"] = int64(1)
		}
		c.Objects.Put(objects.New(kind, fields, c.User.Version()))
	}
	for _, name := range slices.Sorted(maps.Keys(priorities)) {
		show(kinds.Priority, kinds.Fields{"metadata": map[string]any{"name": name}, "value": int64(priorities[name]),
			"preemptionPolicy": string(corev1.PreemptLowerPriority),
			"description":      "Used for system critical pods that must not be moved from their current node."})
	}
	named := func(labels map[string]any) map[string]any {
		return map[string]any{"namespace": apiService.Namespace, "name": apiService.Name, "labels": labels}
	}
	ports := []any{map[string]any{"name": "https", "port": int64(6443), "protocol": "TCP"}}
	address := project.HostIP("")
	show(kinds.Endpoints, kinds.Fields{"metadata": named(map[string]any{"endpointslice.kubernetes.io/skip-mirror": "true"}),
		"subsets": []any{map[string]any{"addresses": []any{map[string]any{"ip": address}}, "ports": ports}}})
	show(kinds.EndpointSlice, kinds.Fields{"metadata": named(map[string]any{"kubernetes.io/service-name": apiService.Name}),
		"addressType": "IPv4", "endpoints": []any{map[string]any{"addresses": []any{address},
			"conditions": map[string]any{"ready": true}}}, "ports": ports})
}
