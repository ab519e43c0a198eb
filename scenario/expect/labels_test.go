package expect_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestLabelsOfADump: a pod that no set owns, and that is there when the world begins, has the labels that the dump shows
// of it, until a step changes them.
func TestLabelsOfADump(t *testing.T) {
	const dump = `{apiVersion: v1, kind: Pod, metadata: {name: lonely, namespace: default, uid: u, creationTimestamp: "2026-01-01T00:00:00Z", labels: {app: lonely}},
  spec: {nodeName: n, containers: [{name: c, image: "c:1"}]}, status: {phase: Running, conditions: [{type: Ready, status: "True"}]}}
`
	s, err := scenario.Parse("s.yaml", []byte(`
start: dump.yaml
steps:
- at: 5s
  label: {pod: lonely, labels: {tier: back}}
expect:
- always: "bare[0].labels['app'] == 'lonely'"
- eventually: "!('tier' in bare[0].labels)"
- check: {at: settled, that: "bare[0].labels == {'app': 'lonely', 'tier': 'back'}"}
`), fstest.MapFS{"dump.yaml": {Data: []byte(dump)}}, scenario.Options{})
	require.NoError(t, err)
	require.Empty(t, s.Run(scenario.RunOptions{}).Failed())
}
