package dump

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
)

// sort brings the objects of each kind into the order of kubectl, by namespace and name, but for ordinals: web-2 is
// before web-10. What is said of a dump does not depend on how it was put together.
func (r *raw) sort() {
	sortByName(r.sets)
	sortByName(r.pods)
	sortByName(r.claims)
	sortByName(r.revisions)
	sortByName(r.budgets)
	sortByName(r.services)
	sortByName(r.nodes)
	sortByName(r.events)
	sortByName(r.volumes)
	sortByName(r.quotas)
}

// sortByName sorts objects of one kind. An object without a namespace is in default.
func sortByName[P interface {
	GetName() string
	GetNamespace() string
}](list []P) {
	slices.SortFunc(list, func(a, b P) int {
		inNamespace := cmp.Compare(cmp.Or(a.GetNamespace(), metav1.NamespaceDefault),
			cmp.Or(b.GetNamespace(), metav1.NamespaceDefault))
		nameOfA, ordinalOfA := model.SplitPodName(a.GetName())
		nameOfB, ordinalOfB := model.SplitPodName(b.GetName())
		return cmp.Or(inNamespace, cmp.Compare(nameOfA, nameOfB), cmp.Compare(ordinalOfA, ordinalOfB),
			cmp.Compare(a.GetName(), b.GetName()))
	})
}
