package heal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/output/reasons"
)

// TestWhatAnOperatorReverts: an operator reverts what changes the StatefulSet, and not what deletes its pods; and of
// two fixes with the same risk the one that lasts comes first.
func TestWhatAnOperatorReverts(t *testing.T) {
	for command, writes := range map[string]bool{
		"kubectl -n prod set image statefulset/web app=IMAGE": true, "kubectl -n prod edit statefulset/web": true,
		"kubectl -n prod rollout undo statefulset/web":                                        true,
		"kubectl -n prod patch statefulset web --type merge -p '{}'":                          true,
		"kubectl -n prod scale statefulset/web --replicas=2":                                  true,
		"kubectl -n prod get statefulset web -o yaml | kubectl replace --force -f -":          true,
		"kubectl -n prod delete pod web-2":                                                    false,
		"kubectl -n prod patch pod web-2 --type merge -p '{}'":                                false,
		"kubectl -n prod annotate statefulset web touched=yes --overwrite":                    false,
		"kubectl taint nodes node-1 node.kubernetes.io/out-of-service=nodeshutdown:NoExecute": false,
	} {
		require.Equal(t, writes, writesSet([]string{"kubectl -n prod delete pod web-1", command}), command)
	}
	lasting := Way{Way: reasons.Way{Heals: true, Fewest: 1}}
	reverted := Way{Way: reasons.Way{Heals: true, Fewest: 2}, reverted: true}
	require.Negative(t, better(lasting, reverted))
	require.Positive(t, better(reverted, lasting))
	harmful := Way{Way: reasons.Way{Heals: true, Danger: "only if it is certain"}, risk: harmful}
	require.Negative(t, better(reverted, harmful))
}
