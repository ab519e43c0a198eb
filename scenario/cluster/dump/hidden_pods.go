package dump

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// Hidden says whether the dump does not show the pods of a set although its status counts some: it has no pod of the
// set's namespace. Nothing can be played of such a set, for a world without its pods would create them.
func (d *Dump) Hidden(set *model.StatefulSet) bool {
	return set.Status.Replicas > 0 && !d.found().namespaces[set.Namespace]
}

// Unfinished says in what way the status of a set shows that it is not at rest, "" if it does not. It is all that a
// dump without the pods shows. It is a clause about the set.
func Unfinished(set *model.StatefulSet) string {
	s, held := &set.Status, set.Spec.Strategy.Type != model.RollingUpdateStrategy || set.Partition() > 0
	switch {
	case set.Terminating():
		return "it is being deleted"
	case s.ObservedGeneration != set.Generation:
		return "the controller has not seen its newest spec yet"
	case s.Replicas != set.Spec.Replicas:
		return fmt.Sprintf("it has %d pods, and its spec asks for %d", s.Replicas, set.Spec.Replicas)
	case s.Ready < s.Replicas:
		return fmt.Sprintf("%d of %d pods are Ready", s.Ready, s.Replicas)
	case s.CurrentRevision != s.UpdateRevision && s.Updated < s.Replicas && !held:
		return fmt.Sprintf("%d of %d pods run an older template", s.Replicas-s.Updated, s.Replicas)
	}
	return ""
}
