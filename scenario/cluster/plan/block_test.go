package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOnDeleteKeepsTheBlock: kubectl apply keeps the rollingUpdate block that the API server has filled in, and that is
// all that is refused. Nobody has to delete the set for it: one line in the manifest is enough, or a patch.
func TestOnDeleteKeepsTheBlock(t *testing.T) {
	onDelete := "updateStrategy: {type: OnDelete}"
	for _, image := range []string{"a:1", "a:2"} {
		s := one(t, web("2", "a:1"), web("2", image, onDelete), &Options{})
		require.Equal(t, Refused, s.Does)
		require.Contains(t, s.Refusal.Way, `write "rollingUpdate: null" below updateStrategy in the manifest`)
		require.Contains(t, s.Refusal.Way, "apply: no pod is touched")
		require.True(t, s.Refusal.Heals)
		require.Equal(t, []string{
			`kubectl -n default patch statefulset web --type merge ` +
				`-p '{"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}'`,
			"kubectl -n default apply -f new.yaml",
		}, s.Refusal.Commands)
		s = one(t, web("2", "a:1"), web("2", image, strings.Replace(onDelete, "}", ", rollingUpdate: null}", 1)), &Options{})
		require.Nil(t, s.Refusal, "the line is enough")
		require.Empty(t, s.Moves)
	}
	s := one(t, web("2", "a:1"), web("2", "a:1", onDelete, "serviceName: other"), &Options{})
	require.Contains(t, s.Refusal.Commands[0], "delete statefulset web --cascade=orphan", "no patch changes serviceName")
}
