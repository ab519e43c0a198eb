// Package discovery tells clients which kinds there are, and which fields they have: the discovery documents and
// OpenAPI.
package discovery

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// verbs are the verbs of each kind.
var verbs = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

// verbsOf returns what can be done to objects of a kind: namespaces are deleted one by one.
func verbsOf(k *kinds.Kind) []string {
	if k != kinds.Namespace {
		return verbs
	}
	return slices.DeleteFunc(slices.Clone(verbs), func(verb string) bool { return verb == "deletecollection" })
}

// VersionsOf returns the versions of a group, the preferred one first.
func VersionsOf(c kinds.Catalog, group string) []string {
	var list []string
	for _, gv := range allVersions(c) {
		if gv.Group == group {
			list = append(list, gv.Version)
		}
	}
	return list
}

// allVersions returns the versions of all groups, those without kinds too.
func allVersions(c kinds.Catalog) []kinds.GroupVersion {
	list := c.Versions()
	for _, one := range unstored {
		if gv := (kinds.GroupVersion{Group: one.Group, Version: one.Version}); !slices.Contains(list, gv) {
			list = append(list, gv)
		}
	}
	return list
}

// groups returns the groups that are served, in their order; "" is the first.
func groups(c kinds.Catalog) []string {
	var list []string
	for _, gv := range allVersions(c) {
		if !slices.Contains(list, gv.Group) {
			list = append(list, gv.Group)
		}
	}
	return list
}

// Discover lists the served resources: /api, /apis, and below them a group and a version.
func Discover(w http.ResponseWriter, r *http.Request, c kinds.Catalog, parts []string) error {
	legacy := parts[0] == "api"
	top := len(parts) == 1 || legacy && len(parts) == 2
	switch {
	case top && strings.Contains(r.Header.Get("Accept"), "as=APIGroupDiscoveryList"):
		return aggregated(w, r, c, legacy)
	case top && legacy:
		request.Send(w, http.StatusOK, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"},
			ServerAddressByClientCIDRs: []metav1.ServerAddressByClientCIDR{{ClientCIDR: "0.0.0.0/0", ServerAddress: r.Host}}})
	case top:
		list := metav1.APIGroupList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroupList"}}
		for _, group := range groups(c)[1:] {
			list.Groups = append(list.Groups, described(c, group))
		}
		request.Send(w, http.StatusOK, list)
	case VersionsOf(c, parts[1]) == nil:
		http.NotFound(w, r)
	case len(parts) == 2:
		group := described(c, parts[1])
		group.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroup"}
		request.Send(w, http.StatusOK, group)
	case !slices.Contains(VersionsOf(c, parts[1]), parts[2]):
		return refuse.NotServed()
	default:
		request.Send(w, http.StatusOK, resources(c, kinds.GroupVersion{Group: parts[1], Version: parts[2]}))
	}
	return nil
}

func described(c kinds.Catalog, group string) metav1.APIGroup {
	g := metav1.APIGroup{Name: group}
	for _, version := range VersionsOf(c, group) {
		g.Versions = append(g.Versions, metav1.GroupVersionForDiscovery{GroupVersion: kinds.JoinGroup(group, version),
			Version: version})
	}
	g.PreferredVersion = g.Versions[0]
	return g
}

// resources lists the resources of a group and a version.
func resources(c kinds.Catalog, gv kinds.GroupVersion) metav1.APIResourceList {
	list := metav1.APIResourceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"},
		GroupVersion: kinds.JoinGroup(gv.Group, gv.Version)}
	if gv.Group == "" {
		list.APIVersion = "" // It is older than versions of such lists.
	}
	for _, k := range c.In(gv) {
		list.APIResources = append(list.APIResources, metav1.APIResource{Name: k.Resource, SingularName: k.Singular,
			Namespaced: k.Namespaced, Kind: k.Kind, Verbs: verbsOf(k), ShortNames: k.Short, Categories: categories(k)})
		for _, sub := range k.Subresources {
			s := subresource(k, sub)
			one := metav1.APIResource{Name: k.Resource + "/" + sub, Namespaced: k.Namespaced, Kind: s.ResponseKind.Kind,
				Verbs: s.Verbs}
			if of := s.ResponseKind; of.Group != k.Group || of.Version != k.Version {
				one.Group, one.Version = of.Group, of.Version
			}
			list.APIResources = append(list.APIResources, one)
		}
	}
	for _, one := range unstored {
		if one.Group == gv.Group && one.Version == gv.Version {
			one.Group, one.Version = "", ""
			list.APIResources = append(list.APIResources, one)
		}
	}
	return list
}

// unstored are the resources without stored objects.
var unstored = []metav1.APIResource{
	{Version: "v1", Name: "bindings", SingularName: "binding", Namespaced: true, Kind: "Binding", Verbs: []string{"create"}},
	{Version: "v1", Name: "componentstatuses", SingularName: "componentstatus", Kind: "ComponentStatus",
		Verbs: []string{"get", "list"}, ShortNames: []string{"cs"}},
	asked("authentication.k8s.io", "SelfSubjectReview", false), asked("authentication.k8s.io", "TokenReview", false),
	asked("authorization.k8s.io", "LocalSubjectAccessReview", true),
	asked("authorization.k8s.io", "SelfSubjectAccessReview", false),
	asked("authorization.k8s.io", "SelfSubjectRulesReview", false),
	asked("authorization.k8s.io", "SubjectAccessReview", false),
}

// asked is a resource whose objects are only answered.
func asked(group, kind string, namespaced bool) metav1.APIResource {
	singular := strings.ToLower(kind)
	return metav1.APIResource{Group: group, Version: "v1", Name: singular + "s", SingularName: singular,
		Namespaced: namespaced, Kind: kind, Verbs: []string{"create"}}
}

func categories(k *kinds.Kind) []string {
	switch {
	case k.All:
		return []string{"all"}
	case k.Group == "apiextensions.k8s.io" || k.Group == "admissionregistration.k8s.io":
		return []string{"api-extensions"}
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
	case "token":
		s.Verbs, s.ResponseKind = []string{"create"}, &metav1.GroupVersionKind{Group: "authentication.k8s.io", Version: "v1",
			Kind: "TokenRequest"}
	case "attach", "exec", "portforward":
		s.Verbs, s.ResponseKind.Kind = []string{"create", "get"}, optionKinds[name]
	case "finalize":
		s.Verbs = []string{"update"}
	case "proxy":
		s.Verbs, s.ResponseKind.Kind = []string{"create", "delete", "get", "patch", "update"}, k.Kind+"ProxyOptions"
	case "log":
		s.Verbs = []string{"get"}
	case "eviction":
		s.Verbs, s.ResponseKind = []string{"create"}, &metav1.GroupVersionKind{Group: "policy", Version: "v1",
			Kind: "Eviction"}
	}
	return s
}

// optionKinds are the kinds of the options that subresources of pods take.
var optionKinds = map[string]string{"attach": "PodAttachOptions", "exec": "PodExecOptions",
	"portforward": "PodPortForwardOptions"}

// aggregated answers with all that is served below /api, or /apis, at once.
func aggregated(w http.ResponseWriter, r *http.Request, c kinds.Catalog, legacy bool) error {
	list := apidiscoveryv2.APIGroupDiscoveryList{
		TypeMeta: metav1.TypeMeta{APIVersion: "apidiscovery.k8s.io/v2", Kind: "APIGroupDiscoveryList"}}
	for _, group := range groups(c) {
		if legacy != (group == "") {
			continue
		}
		one := apidiscoveryv2.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: group}}
		for _, name := range VersionsOf(c, group) {
			version := apidiscoveryv2.APIVersionDiscovery{Version: name, Freshness: apidiscoveryv2.DiscoveryFreshnessCurrent}
			for _, k := range c.In(kinds.GroupVersion{Group: group, Version: name}) {
				version.Resources = append(version.Resources, discovered(k))
			}
			for _, one := range unstored {
				if one.Group == group && one.Version == name {
					version.Resources = append(version.Resources, discovered(&kinds.Kind{Group: group, Version: name, Kind: one.Kind,
						Resource: one.Name, Singular: one.SingularName, Short: one.ShortNames, Namespaced: one.Namespaced}))
					version.Resources[len(version.Resources)-1].Verbs = one.Verbs
				}
			}
			one.Versions = append(one.Versions, version)
		}
		list.Items = append(list.Items, one)
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
		Verbs: verbsOf(k), ShortNames: k.Short, Categories: categories(k),
		ResponseKind: &metav1.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}}
	for _, sub := range k.Subresources {
		d.Subresources = append(d.Subresources, subresource(k, sub))
	}
	return d
}
