package serve

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

// verbs are what can be done to each kind.
var verbs = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

// groups returns the groups that are served, in their order; "" is the first.
func groups() []string {
	var list []string
	for i := range kinds.Served {
		list = append(list, kinds.Served[i].Group)
	}
	return slices.Compact(list)
}

// of returns the kinds of a group and a version.
func of(group, version string) []*kinds.Kind {
	var list []*kinds.Kind
	for i := range kinds.Served {
		if k := &kinds.Served[i]; k.Group == group && k.Version == version {
			list = append(list, k)
		}
	}
	return list
}

// versionOf returns the one version of a group.
func versionOf(group string) string {
	for i := range kinds.Served {
		if kinds.Served[i].Group == group {
			return kinds.Served[i].Version
		}
	}
	return ""
}

// discover answers what is served: /api, /apis, and below them a group and a version.
func discover(w http.ResponseWriter, r *http.Request, parts []string) error {
	legacy := parts[0] == "api"
	top := len(parts) == 1 || legacy && len(parts) == 2
	switch {
	case top && strings.Contains(r.Header.Get("Accept"), "as=APIGroupDiscoveryList"):
		return aggregated(w, r, legacy)
	case top && legacy:
		send(w, http.StatusOK, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
			ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{{ClientCIDR: "0.0.0.0/0", ServerAddress: r.Host}}})
	case top:
		list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroupList"}}
		for _, group := range groups()[1:] {
			list.Groups = append(list.Groups, described(group))
		}
		send(w, http.StatusOK, list)
	case versionOf(parts[1]) == "":
		return notServed()
	case len(parts) == 2:
		group := described(parts[1])
		group.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroup"}
		send(w, http.StatusOK, group)
	case versionOf(parts[1]) != parts[2]:
		return notServed()
	default:
		send(w, http.StatusOK, resources(parts[1], parts[2]))
	}
	return nil
}

func described(group string) metav1.APIGroup {
	version := versionOf(group)
	only := metav1.GroupVersionForDiscovery{GroupVersion: kinds.JoinGroup(group, version), Version: version}
	return metav1.APIGroup{Name: group, Versions: []metav1.GroupVersionForDiscovery{only}, PreferredVersion: only}
}

// resources lists the resources of a group and a version.
func resources(group, version string) metav1.APIResourceList {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
		GroupVersion: kinds.JoinGroup(group, version)}
	for _, k := range of(group, version) {
		list.APIResources = append(list.APIResources, metav1.APIResource{Name: k.Resource, SingularName: k.Singular,
			Namespaced: k.Namespaced, Kind: k.Kind, Verbs: verbs, ShortNames: k.Short, Categories: categories(k)})
		for _, sub := range k.Subresources {
			s := subresource(k, sub)
			list.APIResources = append(list.APIResources, metav1.APIResource{Name: k.Resource + "/" + sub,
				Namespaced: k.Namespaced,
				Group:      s.ResponseKind.Group, Version: s.ResponseKind.Version, Kind: s.ResponseKind.Kind, Verbs: s.Verbs})
		}
	}
	return list
}

func categories(k *kinds.Kind) []string {
	if k.All {
		return []string{"all"}
	}
	return nil
}

// subresource describes a subresource of a kind.
func subresource(k *kinds.Kind, name string) apidiscoveryv2.APISubresourceDiscovery {
	s := apidiscoveryv2.APISubresourceDiscovery{Subresource: name, Verbs: []string{"get", "patch", "update"},
		ResponseKind: &metav1.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}}
	switch name {
	case "scale":
		s.ResponseKind = &metav1.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}
	case "binding":
		s.Verbs, s.ResponseKind.Kind = []string{"create"}, "Binding"
	case "attach", "exec", "portforward", "proxy":
		s.Verbs = []string{"create", "get"}
	case "log":
		s.Verbs = []string{"get"}
	case "eviction":
		s.Verbs, s.ResponseKind = []string{"create"}, &metav1.GroupVersionKind{Group: "policy", Version: "v1",
			Kind: "Eviction"}
	}
	return s
}

// aggregated answers with all that is served below /api, or /apis, at once.
func aggregated(w http.ResponseWriter, r *http.Request, legacy bool) error {
	list := apidiscoveryv2.APIGroupDiscoveryList{
		TypeMeta: metav1.TypeMeta{APIVersion: "apidiscovery.k8s.io/v2", Kind: "APIGroupDiscoveryList"}}
	for _, group := range groups() {
		if legacy != (group == "") {
			continue
		}
		version := apidiscoveryv2.APIVersionDiscovery{Version: versionOf(group),
			Freshness: apidiscoveryv2.DiscoveryFreshnessCurrent}
		for _, k := range of(group, version.Version) {
			version.Resources = append(version.Resources, discovered(k))
		}
		list.Items = append(list.Items, apidiscoveryv2.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: group},
			Versions: []apidiscoveryv2.APIVersionDiscovery{version}})
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	form := "v2"
	if !strings.Contains(r.Header.Get("Accept"), "v=v2;") && !strings.Contains(r.Header.Get("Accept"), "v=v2,") {
		form = "v2beta1"
		data = []byte(strings.Replace(string(data), "apidiscovery.k8s.io/v2", "apidiscovery.k8s.io/v2beta1", 1))
	}
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v="+form+";as=APIGroupDiscoveryList")
	_, err = w.Write(data)
	return err
}

func discovered(k *kinds.Kind) apidiscoveryv2.APIResourceDiscovery {
	scope := apidiscoveryv2.ScopeCluster
	if k.Namespaced {
		scope = apidiscoveryv2.ScopeNamespace
	}
	d := apidiscoveryv2.APIResourceDiscovery{Resource: k.Resource, SingularResource: k.Singular, Scope: scope,
		Verbs:      verbs,
		ShortNames: k.Short, Categories: categories(k),
		ResponseKind: &metav1.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}}
	for _, sub := range k.Subresources {
		d.Subresources = append(d.Subresources, subresource(k, sub))
	}
	return d
}

// review answers a client that asks whether it may do something: it may do everything.
func review(w http.ResponseWriter, r *http.Request, rest []string) error {
	if len(rest) != 1 || rest[0] != "selfsubjectaccessreviews" || r.Method != http.MethodPost {
		return notServed()
	}
	send(w, http.StatusCreated, map[string]any{"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
		"metadata": map[string]any{}, "spec": map[string]any{}, "status": map[string]any{"allowed": true}})
	return nil
}
