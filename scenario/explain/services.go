package explain

import (
	"fmt"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/judge"
	"github.com/statefulsim/statefulsim/sim/command"
)

// service names the Service that the pods of a stuck set may look for, if the dump suggests that it does not exist.
func (v *view) service(of *judge.Set) []string {
	set := of.Now.Spec
	p := v.Pod(model.Key{Namespace: set.Namespace, Name: of.StuckOn})
	if p == nil || p.Phase != model.Running || p.Terminating() || !v.ServiceMissing(set) {
		return nil
	}
	return []string{fmt.Sprintf("The Service %[1]s, which serviceName names, is not in the dump, but "+
		"others are. Without it, names like %[2]s.%[1]s do not resolve, and a pod that looks for its peers does not become "+
		"Ready. If it does not exist (%[3]s), create it: headless, with the selector of the "+
		"StatefulSet.", set.Spec.ServiceName, p.Name, command.In(set.Namespace, "get", "service", set.Spec.ServiceName))}
}
