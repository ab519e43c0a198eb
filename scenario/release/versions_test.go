package release

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestVersions: a dump of a version that sim does not know, or knows only as a pre-release that was not asked for, is in
// doubt. One of a version that is known, and one that shows none, are not.
func TestVersions(t *testing.T) {
	const certain = "NOTHING HERE IS CERTAIN: the newest kubelet is "
	for _, c := range []struct{ played, found, manager, doubt, says string }{
		{"1.37", "v1.37.1", "", "", "Simulated as Kubernetes 1.37; the newest kubelet in the dump is v1.37.1."},
		{"1.37", "v1.36.0-gke.1", "", "", "Simulated as Kubernetes 1.37; the newest kubelet in the dump is v1.36.0-gke.1."},
		{"1.37", "", "", "", "Simulated as Kubernetes 1.37; the dump does not show the version of the cluster (--kubernetes VERSION sets it)."},
		{"1.37", "v1.34.0", "v1.37.2", "", "Simulated as Kubernetes 1.37; kube-controller-manager in the dump is v1.37.2."},
		{"1.37", "v1.37.0", "v1.39.0", "NOTHING HERE IS CERTAIN: kube-controller-manager is v1.39.0, a version of Kubernetes that is " +
			"unknown here. Simulated was 1.37 instead.", "Simulated as Kubernetes 1.37; kube-controller-manager in the dump is v1.39.0."},
		{"1.37", "v1.39.0", "v1.37.0", certain + "v1.39.0, a version of Kubernetes that is unknown here. Simulated was 1.37 instead.",
			"Simulated as Kubernetes 1.37; the newest kubelet in the dump is v1.39.0."},
		{"1.38", "v1.38.0", "", "", "Simulated as Kubernetes 1.38 (a pre-release: compared with v1.38.0-beta.0); " +
			"the newest kubelet in the dump is v1.38.0."},
		{"1.37", "v1.38.0", "", certain + "v1.38.0, which is known only as a pre-release (compared with v1.38.0-beta.0). " +
			"Simulated was 1.37 instead: --kubernetes 1.38 chooses the pre-release.",
			"Simulated as Kubernetes 1.37; the newest kubelet in the dump is v1.38.0."},
		{"1.37", "v1.39.2", "", certain + "v1.39.2, a version of Kubernetes that is unknown here. Simulated was 1.37 instead.",
			"Simulated as Kubernetes 1.37; the newest kubelet in the dump is v1.39.2."},
	} {
		profile, err := statefulset.Lookup(c.played)
		require.NoError(t, err)
		v := VersionsOf(profile, Cluster{Kubelet: c.found, Manager: c.manager})
		require.Equal(t, c.doubt, v.Doubt())
		require.Equal(t, c.says, v.String())
		require.Equal(t, c.doubt == "", v.Known == nil, "known is false, or left out")
		require.Equal(t, profile.PreRelease() != "", v.PreRelease)
	}
}
