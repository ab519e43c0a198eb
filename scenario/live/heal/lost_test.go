package heal_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestVolumesOfAdoptedPods: a volume of a pod that the set has adopted is lost with the pod, if its claim is being
// deleted, although the set has it for none of its replicas.
func TestVolumesOfAdoptedPods(t *testing.T) {
	const two = "deleting web-0, web-1 at once, since they cannot be updated in place"
	adopted := func(replicas int) string {
		return "- apply: " + withClaim(replicas) + "- delete: statefulset/web\n  cascade: orphan\n" +
			"- apply: " + strings.Replace(withClaim(replicas), "name: data", "name: other", 1)
	}
	going := func(ordinal string) string { return "- delete: pvc/data-web-" + ordinal + "\n" }
	for _, c := range []struct {
		way, steps string
		lost       []string
	}{
		{two, adopted(2), nil},
		{two, adopted(2) + going("1"), []string{"data-web-1"}},
		{two, adopted(2) + going("1") + going("0"), []string{"data-web-0", "data-web-1"}},
		{"deleting web-0 at once, since they cannot be updated in place", adopted(1) + going("0"), []string{"data-web-0"}},
	} {
		s := stuck(t, "start: 1s", c.steps)
		s.State = s.Lab.State(nil)
		way := named(s, c.way)
		require.NotNil(t, way, c.steps)
		require.True(t, way.Heals)
		require.Equal(t, c.lost, way.Loses, c.steps)
		for _, claim := range c.lost {
			require.Contains(t, way.Danger, claim)
		}
	}
}

// TestVolumesThatThePolicyDeletes are not lost by a way out, though they go with it: also that of replica 0.
func TestVolumesThatThePolicyDeletes(t *testing.T) {
	s := stuck(t, "rules: [{match: {pod: web-0}, stop: never}]", "- apply: "+withClaim(1)+"- scale: {replicas: 0}\n")
	s.State = s.Lab.State(nil)
	way := named(s, "deleting web-0 by force")
	require.NotNil(t, way)
	require.True(t, way.Heals)
	require.Empty(t, way.Loses)
}
