//go:build real

package conformance_test

import (
	"cmp"
	"maps"
	"slices"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/statefulsim/statefulsim/model"
)

// catchUp hands to the watches what has become of claims and revisions, of which the world does not tell a controller:
// what the caches of the world hold when a sync begins.
func (m *manager) catchUp(view model.View) {
	m.catchUpClaimsOf(view)
	const resource = "controllerrevisions"
	here := map[string]bool{}
	for _, revision := range view.Revisions() {
		here[revision.Name] = true
		m.seen(resource, &revision.Meta, func() runtime.Object { return m.revisionOf(revision) })
	}
	for _, name := range slices.Sorted(maps.Keys(m.known[resource])) {
		if !here[name] {
			m.unseen(resource, name)
		}
	}
}

// catchUpClaims does so for claims while a sync is under way: a sync reads them live.
func (m *manager) catchUpClaims() {
	if m.sync != nil {
		m.catchUpClaimsOf(m.sync.view)
	}
}

func (m *manager) catchUpClaimsOf(view model.View) {
	const resource = "persistentvolumeclaims"
	set := view.Set()
	names := slices.Collect(maps.Keys(m.known[resource]))
	for i := range set.Spec.ClaimTemplates {
		for ordinal := range claimOrdinals {
			names = append(names, model.ClaimName(set, &set.Spec.ClaimTemplates[i], ordinal))
		}
	}
	slices.Sort(names)
	var claims []*model.Claim
	for _, name := range slices.Compact(names) {
		if claim := view.Claim(name); claim != nil {
			claims = append(claims, claim)
		}
	}
	// In their order: for the guard an informer has come as far as the last of what it was handed.
	slices.SortFunc(claims, func(a, b *model.Claim) int { return cmp.Compare(a.ResourceVersion, b.ResourceVersion) })
	for _, claim := range claims {
		m.seen(resource, &claim.Meta, func() runtime.Object { return m.claimOf(claim) })
	}
	for _, name := range slices.Compact(names) {
		if view.Claim(name) == nil {
			m.unseen(resource, name)
		}
	}
}

// claimOrdinals is more than a set of a case has.
const claimOrdinals = 16

// delivered is an object that the watches have delivered.
type delivered struct {
	version uint64
	object  runtime.Object
}

// seen delivers an object if it is new or changed.
func (m *manager) seen(resource string, meta *model.Meta, object func() runtime.Object) {
	before, found := m.known[resource][meta.Name]
	if found && before.version == meta.ResourceVersion {
		return
	}
	how := model.Added
	if found {
		how = model.Modified
	}
	now := delivered{meta.ResourceVersion, object()}
	m.known[resource][meta.Name] = now
	m.deliver(resource, how, now.object)
}

// unseen delivers that an object is gone, which comes after all that the real controller has written of it.
func (m *manager) unseen(resource, name string) {
	if before, found := m.known[resource][name]; found {
		m.reached[resource] = max(m.reached[resource], m.wrote[name])
		delete(m.known[resource], name)
		m.deliver(resource, model.Deleted, before.object.DeepCopyObject())
	}
}

func emptyList(resource string) runtime.Object {
	// The guard takes 0 for no version at all.
	meta := metav1.ListMeta{ResourceVersion: "1"}
	switch resource {
	case "pods":
		return &v1.PodList{ListMeta: meta}
	case "persistentvolumeclaims":
		return &v1.PersistentVolumeClaimList{ListMeta: meta}
	case "controllerrevisions":
		return &apps.ControllerRevisionList{ListMeta: meta}
	}
	return &apps.StatefulSetList{ListMeta: meta}
}
