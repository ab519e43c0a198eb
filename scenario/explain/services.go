package explain

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim/command"
)

// service adds to a stuck set the Service that its pods may look for, if the dump suggests that it does not exist.
func (s *LiveSet) service(set *model.StatefulSet, d *dump.Dump) {
	p := d.Pod(model.Key{Namespace: s.Namespace, Name: s.StuckOn})
	if p != nil && p.Phase == model.Running && !p.Terminating() && d.ServiceMissing(set) {
		s.Facts = append(s.Facts, fmt.Sprintf("The Service %[1]s, which serviceName names, is not in the dump, but "+
			"others are. Without it, names like %[2]s.%[1]s do not resolve, and a pod that looks for its peers does not become "+
			"Ready. If it does not exist (%[3]s), create it: headless, with the selector of the "+
			"StatefulSet.", set.Spec.ServiceName, p.Name, command.In(s.Namespace, "get", "service", set.Spec.ServiceName)))
	}
}
