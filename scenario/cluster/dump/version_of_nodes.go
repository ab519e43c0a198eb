package dump

import (
	"fmt"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// Profile returns the version of Kubernetes that the nodes' kubelets have, as far as the simulator knows it: that very
// patch, or else the newest of its minor version. A control plane is at least as new as its kubelets. It is not known
// without nodes, or if the minor is not.
func (d *Dump) Profile() (profile statefulset.Profile, known bool) {
	parts := numbers(d.Kubelet)
	if len(parts) < 3 {
		return profile, false
	}
	for _, text := range []string{
		fmt.Sprintf("%d.%d.%d", parts[0], parts[1], parts[2]), fmt.Sprintf("%d.%d", parts[0], parts[1]),
	} {
		if profile, err := statefulset.Lookup(text); err == nil {
			return profile, true
		}
	}
	return profile, false
}
