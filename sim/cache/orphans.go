package cache

import (
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// orphans are the pods and the revisions of a namespace that have no controller. A set may adopt them. Frozen views
// see the present orphans, not the orphans at their start.
type orphans struct {
	// pods are in the order of names, revisions in the order of a history.
	pods      []*model.Pod
	revisions []*model.Revision
}

// orphansOf returns the orphans of a namespace, creating an empty list if needed.
func (c *Cache) orphansOf(namespace string) *orphans {
	o := c.orphans[namespace]
	if o == nil {
		o = &orphans{}
		keyed.Put(&c.orphans, namespace, o)
	}
	return o
}

// addPod and the methods below take in or remove an orphan; each makes a new list.
func (o *orphans) addPod(pod *model.Pod)    { o.pods = withPod(o.pods, pod) }
func (o *orphans) removePod(pod *model.Pod) { o.pods = withoutPod(o.pods, pod) }

func (o *orphans) addRevision(r *model.Revision)    { o.revisions = withRevision(o.revisions, r) }
func (o *orphans) removeRevision(r *model.Revision) { o.revisions = withoutRevision(o.revisions, r) }

// Lists that a view has handed out are never changed: each change makes another one.

// withPod and the functions below return new lists: a list that a view has handed out is never changed.
func withPod(list []*model.Pod, pod *model.Pod) []*model.Pod {
	at, _ := slices.BinarySearchFunc(list, pod, func(a, b *model.Pod) int { return strings.Compare(a.Name, b.Name) })
	return slices.Insert(slices.Clone(list), at, pod)
}

// withoutPod finds the pod by its uid: the version in the list may be another one.
func withoutPod(list []*model.Pod, pod *model.Pod) []*model.Pod {
	return slices.DeleteFunc(slices.Clone(list), func(p *model.Pod) bool { return p.UID == pod.UID })
}

// hasPod reports whether a version of the pod is in the list.
func hasPod(list []*model.Pod, pod *model.Pod) bool {
	return slices.ContainsFunc(list, func(p *model.Pod) bool { return p.UID == pod.UID })
}

// withRevision keeps the order of the history.
func withRevision(list []*model.Revision, r *model.Revision) []*model.Revision {
	at, _ := slices.BinarySearchFunc(list, r, model.CompareRevisions)
	return slices.Concat(list[:at], []*model.Revision{r}, list[at:])
}

// withoutRevision finds the revision by its uid.
func withoutRevision(list []*model.Revision, r *model.Revision) []*model.Revision {
	return slices.DeleteFunc(slices.Clone(list), func(other *model.Revision) bool { return other.UID == r.UID })
}

// countLost counts the revisions that the set owns and does not select.
func countLost(set *model.StatefulSet, revisions []*model.Revision) int {
	lost := 0
	for _, r := range revisions {
		if set != nil && !set.Spec.Selector.Matches(r.Labels) {
			lost++
		}
	}
	return lost
}

// Orphans returns the pods that the set may adopt, as they are at this moment; O(1) in a namespace without orphans.
func (g *group) Orphans() []*model.Pod {
	o := g.cache.orphans[g.set.Namespace]
	if o == nil {
		return nil
	}
	var wanted []*model.Pod
	for _, pod := range o.pods {
		if !pod.Terminating() && g.claims(pod) {
			wanted = append(wanted, pod)
		}
	}
	return wanted
}

// claims reports whether a pod is the set's by its labels and its name.
func (g *group) claims(pod *model.Pod) bool {
	if g.cache.ExactNames {
		return g.set.ClaimsExactly(pod)
	}
	return g.set.Claims(pod)
}

// Strays returns the set's pods that do not match it; O(1).
func (g *group) Strays() []*model.Pod { return g.strays }

// With returns a view that adds these pods to the set, as they are, without looking at their owners; O(n). The view
// itself does not change.
func (g *group) With(adopted []*model.Pod) model.View {
	with := &group{}
	g.copyTo(with)
	for _, pod := range adopted {
		with.addPod(pod, g.now)
	}
	return with
}

// Latest returns a pod of the set's namespace as it is at this moment.
func (g *group) Latest(name string) *model.Pod {
	return g.cache.latest(model.Key{Namespace: g.set.Namespace, Name: name})
}

// Revisions returns the set's history; O(1) if no orphan is in the namespace and the set selects all of its own. The
// same history is the same slice, until it changes.
func (g *group) Revisions() []*model.Revision {
	o := g.cache.orphans[g.set.Namespace]
	if g.lost == 0 && (o == nil || len(o.revisions) == 0) {
		return g.revisions
	}
	all := slices.Clone(g.revisions)
	if o != nil {
		all = append(all, o.revisions...)
	}
	all = slices.DeleteFunc(all, func(r *model.Revision) bool { return !g.set.Spec.Selector.Matches(r.Labels) })
	slices.SortFunc(all, model.CompareRevisions)
	return all
}

// OwnedClaims reports whether a claim of the namespace has an owner; O(1).
func (g *group) OwnedClaims() bool { return g.cache.ownedClaims[g.set.Namespace] > 0 }
