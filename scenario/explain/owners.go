package explain

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
)

// owned names the pods of other controllers that have names of a set's own pods.
func (v *view) owned(set *model.StatefulSet) []string {
	var facts []string
	for i := range int(set.Spec.Replicas) {
		name := set.PodName(set.Start() + i)
		if f := v.Facts[model.Key{Namespace: set.Namespace, Name: name}]; f != nil && f.Owner != nil {
			facts = append(facts, fmt.Sprintf("%s exists, and belongs to the %s.", name, f.Owner))
		}
	}
	return facts
}

// operator names the operator that writes the spec of a set.
func (v *view) operator(set model.Key) []string {
	owner := v.Owners[set]
	if owner == nil {
		return nil
	}
	return []string{fmt.Sprintf("The StatefulSet belongs to the %s, and its operator may undo changes of the "+
		"StatefulSet: make a lasting change in the %[1]s.", owner)}
}
