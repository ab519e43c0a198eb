package explain_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/cluster/dump"
	"github.com/statefulsim/statefulsim/scenario/cluster/explain"
)

// TestADumpWithoutTimes: if no object of a dump has a time, nothing is said of when it was taken.
func TestADumpWithoutTimes(t *testing.T) {
	d, err := dump.Read([]dump.Source{{Name: "sts.yaml", Data: []byte(`
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: web, generation: 1}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: "app:1"}]}}
`)}}, dump.Options{})
	require.NoError(t, err)
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	dumped := explain.Begin(d, labOf(s, d), "").All(nil)
	require.Equal(t, "1 StatefulSet: 0 stuck, 1 in progress, 0 at rest.", dumped.Heading())
	document, err := json.Marshal(dumped)
	require.NoError(t, err)
	require.NotContains(t, string(document), `"at":`)
}
