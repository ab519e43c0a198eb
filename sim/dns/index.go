package dns

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// file lets the Service be found by the pods that it selects, unfile undoes that. Without a selector it selects none.
func (n *Server) file(s *service) {
	if len(s.Selector.Needs) > 0 {
		n.selectors.Add(s.Namespace, &s.Selector, s)
	}
}

func (n *Server) unfile(s *service) {
	if len(s.Selector.Needs) > 0 {
		n.selectors.Remove(s.Namespace, &s.Selector, s)
	}
}

// forget removes a deleted Service from every index.
func (n *Server) forget(s *service) {
	n.unfile(s)
	for _, pod := range slices.Sorted(maps.Keys(s.planned)) {
		n.name(s, pod, false)
	}
	is := func(other *service) bool { return other == s }
	n.fresh, n.due = slices.DeleteFunc(n.fresh, is), slices.DeleteFunc(n.due, is)
}

// name notes whether a Service has planned an answer about a pod.
func (n *Server) name(s *service, pod string, planned bool) {
	key := model.Key{Namespace: s.Namespace, Name: pod}
	list := n.names[key]
	switch has := slices.Contains(list, s); {
	case planned && !has:
		keyed.Put(&n.names, key, append(list, s))
	case !planned && has && len(list) == 1:
		delete(n.names, key)
	case !planned && has:
		n.names[key] = slices.DeleteFunc(list, func(other *service) bool { return other == s })
	}
}

// has reports whether a Service still exists: another one may have its name.
func (n *Server) has(s *service) bool {
	at, found := n.find(s.Key())
	return found && n.services[at] == s
}

// seeAll marks the pods that the fresh Services select. It looks at all pods once for all of these Services.
func (n *Server) seeAll() {
	if len(n.fresh) == 0 {
		return
	}
	var selectors keyed.Selectors[*service]
	slices.SortFunc(n.fresh, func(a, b *service) int { return a.Key().Compare(b.Key()) })
	for _, s := range slices.Compact(n.fresh) {
		if len(s.Selector.Needs) > 0 {
			selectors.Add(s.Namespace, &s.Selector, s)
		}
	}
	n.fresh = nil
	for _, pod := range n.store.Pods() {
		for _, s := range selectors.Matching(nil, pod.Namespace, pod.Labels) {
			n.mark(s, pod.Name)
		}
	}
}
