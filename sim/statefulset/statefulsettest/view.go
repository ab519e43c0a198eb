// Package statefulsettest has what tests of a StatefulSet controller need: a plain view of a set's pods, which answers
// every question by walking, and a plain API server, which writes down what it is asked to do.
//
// The view is slow and obvious on purpose. A view that keeps its answers up to date can be checked against it.
package statefulsettest

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/statefulsim/statefulsim/model"
)

// View is a model.View over plain slices, for one sync. Every answer is found by a walk over all pods: O(n).
type View struct {
	set       *model.StatefulSet
	exact     bool
	now       model.Time
	all       []*model.Pod
	replicas  []*model.Pod
	condemned []*model.Pod
	unnamed   []*model.Pod
	orphans   []*model.Pod
	strays    []*model.Pod
	revisions []*model.Revision
	claims    map[string]*model.Claim

	// StaleCache is the answer to Stale. It is the only field that a test sets after NewView.
	StaleCache bool
}

// NewView returns the view of a set in a namespace with these pods, revisions and claims, whatever their owners. A
// pod of the set that has no ordinal is in neither group, and neither is a pod if a later one in the list has the
// same ordinal.
func NewView(
	set *model.StatefulSet, pods []*model.Pod, revisions []*model.Revision, claims []*model.Claim, now model.Time,
) *View {
	return newView(&View{set: set, now: now, all: pods}, revisions, claims)
}

// NewExactView is NewView for controllers with exact names: web-01 is not a pod of the set web.
func NewExactView(
	set *model.StatefulSet, pods []*model.Pod, revisions []*model.Revision, claims []*model.Claim, now model.Time,
) *View {
	return newView(&View{set: set, exact: true, now: now, all: pods}, revisions, claims)
}

// newView fills a view.
func newView(v *View, revisions []*model.Revision, claims []*model.Claim) *View {
	set, pods := v.set, v.all
	v.claims = map[string]*model.Claim{}
	v.replicas = make([]*model.Pod, set.Spec.Replicas)
	for _, pod := range pods {
		v.sort(pod)
	}
	for _, list := range [][]*model.Pod{v.orphans, v.strays} {
		slices.SortFunc(list, func(a, b *model.Pod) int { return strings.Compare(a.Name, b.Name) })
	}
	v.sortCondemned()
	for _, revision := range slices.SortedStableFunc(slices.Values(revisions), model.CompareRevisions) {
		owner := revision.Controller()
		if set.Spec.Selector.Matches(revision.Labels) && (owner == nil || owner.UID == set.UID) {
			v.revisions = append(v.revisions, revision)
		}
	}
	for _, claim := range claims {
		v.claims[claim.Name] = claim
	}
	return v
}

// sort puts a pod among those that the set owns, those that it may adopt, those that it should release, or nowhere.
func (v *View) sort(pod *model.Pod) {
	owner, matches := pod.Controller(), v.set.Claims(pod)
	if v.exact {
		matches = v.set.ClaimsExactly(pod)
	}
	switch {
	case owner == nil && matches && !pod.Terminating():
		v.orphans = append(v.orphans, pod)
	case owner == nil || owner.UID != v.set.UID:
	case matches:
		v.place(pod)
	default:
		v.strays = append(v.strays, pod)
	}
}

// sortCondemned sorts the condemned pods from the highest ordinal down, as the controller asks for them.
func (v *View) sortCondemned() {
	slices.SortStableFunc(v.condemned, func(a, b *model.Pod) int {
		return v.set.OrdinalOf(a.Name) - v.set.OrdinalOf(b.Name)
	})
	slices.Reverse(v.condemned)
}

// Orphans returns the pods that the set may adopt.
func (v *View) Orphans() []*model.Pod { return v.orphans }

// Strays returns the pods that the set should release.
func (v *View) Strays() []*model.Pod { return v.strays }

// With returns the view with these pods added to the set, if their ordinals are free.
func (v *View) With(adopted []*model.Pod) model.View {
	with := *v
	with.replicas, with.condemned = slices.Clone(v.replicas), slices.Clone(v.condemned)
	with.unnamed = slices.Clone(v.unnamed)
	for _, pod := range adopted {
		index := v.set.OrdinalOf(pod.Name) - v.set.Start()
		if index >= 0 && index < len(with.replicas) && with.replicas[index] != nil {
			with.unnamed = append(with.unnamed, pod)
			continue
		}
		with.place(pod)
	}
	with.sortCondemned()
	return &with
}

// Latest returns the pod of that name, or nil.
func (v *View) Latest(name string) *model.Pod {
	i := slices.IndexFunc(v.all, func(pod *model.Pod) bool { return pod.Name == name })
	if i < 0 {
		return nil
	}
	return v.all[i]
}

// place puts a pod where the controller looks for it. If two pods have one ordinal, the later one gets the place.
func (v *View) place(pod *model.Pod) {
	ordinal := v.set.OrdinalOf(pod.Name)
	index := ordinal - v.set.Start()
	switch {
	case ordinal < 0:
		v.unnamed = append(v.unnamed, pod)
	case index < 0 || index >= len(v.replicas):
		v.condemned = append(v.condemned, pod)
	default:
		if before := v.replicas[index]; before != nil {
			v.unnamed = append(v.unnamed, before)
		}
		v.replicas[index] = pod
	}
}

// Set returns the set.
func (v *View) Set() *model.StatefulSet { return v.set }

// Now returns the instant of the sync.
func (v *View) Now() model.Time { return v.now }

// Len returns the number of positions in the group.
func (v *View) Len(g model.Group) int { return len(v.group(g)) }

// Pod returns the pod at a position, or nil.
func (v *View) Pod(g model.Group, i int) *model.Pod { return v.group(g)[i] }

// Traits returns the traits of the pod at a position.
func (v *View) Traits(g model.Group, i int) model.Traits { return v.traits(v.group(g)[i]) }

// First returns the lowest position >= from whose pod is as wanted, or Len.
func (v *View) First(g model.Group, from int, w model.Want) int { return v.up(g, from, w, true) }

// FirstNot returns the lowest position >= from whose pod is missing or not as wanted, or Len.
func (v *View) FirstNot(g model.Group, from int, w model.Want) int { return v.up(g, from, w, false) }

// Last returns the highest position < below whose pod is as wanted, or -1.
func (v *View) Last(g model.Group, below int, w model.Want) int { return v.down(g, below, w, true) }

// LastNot returns the highest position < below whose pod is missing or not as wanted, or -1.
func (v *View) LastNot(g model.Group, below int, w model.Want) int { return v.down(g, below, w, false) }

// Count returns the number of pods that are as wanted.
func (v *View) Count(g model.Group, w model.Want) int {
	count := 0
	for _, pod := range v.group(g) {
		if v.matches(pod, w) {
			count++
		}
	}
	return count
}

// Tally counts pods for a status.
func (v *View) Tally(current, update string, unnamed bool) model.Tally {
	var tally model.Tally
	for _, pod := range v.pods() {
		if !unnamed && slices.Contains(v.unnamed, pod) {
			continue
		}
		tally.Add(1, v.traits(pod), pod.Revision() == current, pod.Revision() == update)
	}
	return tally
}

// NextAvailable returns how long it takes until the next pod becomes available.
func (v *View) NextAvailable() (time.Duration, bool) {
	next, found := time.Duration(0), false
	for _, pod := range v.pods() {
		left := model.AvailableAt(pod, v.set.Spec.MinReadySeconds).Sub(v.now)
		if pod.Ready && left > 0 && (!found || left < next) {
			next, found = left, true
		}
	}
	return next, found
}

// Revisions returns the revisions in the history's order.
func (v *View) Revisions() []*model.Revision { return v.revisions }

// RevisionUsed reports whether any pod carries that revision's name.
func (v *View) RevisionUsed(name string) bool {
	return slices.ContainsFunc(v.pods(), func(pod *model.Pod) bool { return pod.Revision() == name })
}

// Claim returns the claim of that name, or nil.
func (v *View) Claim(name string) *model.Claim { return v.claims[name] }

// OwnedClaims reports whether any claim has an owner.
func (v *View) OwnedClaims() bool {
	isOwned := func(name string) bool { return len(v.claims[name].Owners) > 0 }
	return slices.ContainsFunc(slices.Sorted(maps.Keys(v.claims)), isOwned)
}

// AddClaim puts a claim into the view, as a cache does in the middle of a sync.
func (v *View) AddClaim(claim *model.Claim) { v.claims[claim.Name] = claim }

// Stale returns StaleCache.
func (v *View) Stale() bool { return v.StaleCache }

// group returns the pods of a group, by index; a replica that does not exist is nil.
func (v *View) group(g model.Group) []*model.Pod {
	if g == model.Condemned {
		return v.condemned
	}
	return v.replicas
}

// pods returns all pods of the set.
func (v *View) pods() []*model.Pod {
	all := slices.Concat(v.replicas, v.condemned, v.unnamed)
	return slices.DeleteFunc(all, func(pod *model.Pod) bool { return pod == nil })
}

// up returns the first index from one on whose pod matches, or does not; the length of the group if there is none.
func (v *View) up(g model.Group, from int, w model.Want, match bool) int {
	group := v.group(g)
	for i := max(from, 0); i < len(group); i++ {
		if v.matches(group[i], w) == match {
			return i
		}
	}
	return len(group)
}

// down returns the last index below one whose pod matches, or does not; -1 if there is none.
func (v *View) down(g model.Group, below int, w model.Want, match bool) int {
	group := v.group(g)
	for i := min(below, len(group)) - 1; i >= 0; i-- {
		if v.matches(group[i], w) == match {
			return i
		}
	}
	return -1
}

// traits returns the present traits of a pod, which a want asks about; 0 for nil.
func (v *View) traits(pod *model.Pod) model.Traits {
	if pod == nil {
		return 0
	}
	return model.TraitsOf(v.set, pod, v.now)
}

// matches reports whether a pod is as wanted. A missing one never is.
func (v *View) matches(pod *model.Pod, w model.Want) bool {
	if pod == nil {
		return false
	}
	traits := v.traits(pod)
	if traits&w.Has != w.Has || traits&w.Lacks != 0 {
		return false
	}
	if w.Other {
		return pod.Revision() != w.Revision
	}
	return w.Revision == "" || pod.Revision() == w.Revision
}
