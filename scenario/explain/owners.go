package explain

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
)

// others adds to a stuck set the pods of other controllers that have names of its own pods.
func (s *LiveSet) others(set *model.StatefulSet, d *dump.Dump) {
	for i := range s.Replicas {
		name := set.PodName(set.Start() + i)
		if f := d.Facts[model.Key{Namespace: s.Namespace, Name: name}]; f != nil && f.Owner != nil {
			s.Facts = append(s.Facts, fmt.Sprintf("%s exists, and belongs to the %s.", name, f.Owner))
		}
	}
}

// operator adds to a stuck set the operator that writes its spec.
func (s *LiveSet) operator(d *dump.Dump) {
	if owner := d.Owners[s.key]; owner != nil {
		s.Facts = append(s.Facts, fmt.Sprintf("The StatefulSet belongs to the %s, and its operator may undo changes of the "+
			"StatefulSet: make a lasting change in the %[1]s.", owner))
	}
}
