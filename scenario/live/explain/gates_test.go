package explain

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFixesSayHowToWait: a fix that heals says what waits rightly for it.
func TestFixesSayHowToWait(t *testing.T) {
	stuck, err := os.ReadFile("../../../docs/stuck.yaml")
	require.NoError(t, err)
	const rollout = "kubectl -n shop rollout status statefulset/web"
	for _, c := range []struct {
		what, old, new string
		want           []string
	}{
		{"a pod that only has to be Ready", "", "", []string{rollout}},
		{"pods that must prove themselves", "      replicas: 3\n", "      replicas: 3\n      minReadySeconds: 20\n",
			[]string{rollout, "kubectl -n shop wait statefulset/web --for='jsonpath={.status.availableReplicas}=3' --timeout=10m"}},
	} {
		text := strings.Replace(string(stuck), c.old, c.new, 1)
		require.Equal(t, c.old == "", text == string(stuck), c.what)
		begun := begunFrom(t, []byte(text))
		set := begun.All(nil).Sets[0]
		require.Equal(t, "web", set.Key().Name)
		require.Equal(t, "kubectl -n shop delete pod web-2", set.WaysOut[0].Commands[0], c.what)
		require.Equal(t, c.want, set.WaysOut[0].Wait, c.what)
	}
}
