package heal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVolumesOfAdoptedPods: a volume of a pod that the set has adopted is lost with the pod, if its claim is being deleted,
// although the set has it for none of its replicas.
func TestVolumesOfAdoptedPods(t *testing.T) {
	const at = "deleting web-0, web-1 at once, since they cannot be updated in place"
	adopted := "- apply: " + withClaim(2) + "- delete: statefulset/web\n  cascade: orphan\n" +
		"- apply: " + strings.Replace(withClaim(2), "name: data", "name: other", 1)
	for steps, lost := range map[string][]string{
		adopted:                                nil,
		adopted + "- delete: pvc/data-web-1\n": {"data-web-1"},
		adopted + "- delete: pvc/data-web-1\n- delete: pvc/data-web-0\n": {"data-web-0", "data-web-1"},
	} {
		s := stuck(t, "start: 1s", steps)
		s.State = s.Lab.State(nil)
		way := named(s, at)
		require.NotNil(t, way)
		require.True(t, way.Heals)
		require.Equal(t, lost, way.Loses)
		for _, claim := range lost {
			require.Contains(t, way.Danger, claim)
		}
	}
}
