package scenario_test

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// FuzzParse shows that no input makes Parse panic or hang, that every refusal says where, and that what is accepted can
// be expanded, and the expansion accepted again.
func FuzzParse(f *testing.F) {
	for _, file := range badInputs(f) {
		f.Add(file.Data)
	}
	for _, file := range glob(f, "testdata/manifests/*.yaml") {
		data, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(data)
	}
	for i, c := range known(f) {
		if i%10 == 0 {
			f.Add(c.Scenario)
		}
	}
	f.Add([]byte(short))
	f.Add([]byte(`steps:
- create: {name: web, image: a}
- patch: {type: strategic, spec: {template: {spec: {$setElementOrder/containers: [{name: app}], containers: [{$patch: delete, name: app}]}}}}
- apply: {apiVersion: v1, kind: List, items: [{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: x}, spec: {}}]}
expect:
- always: "pods.all(p, p.ready || p.terminating)"
- exactly: {states: [Ready], during: 1, is: ["web-0@1 Ready", ["*/web-[0-2]=a* Gone"]]}
`))
	f.Fuzz(func(t *testing.T, data []byte) {
		options := scenario.Options{Limits: strict.Limits{FileSize: 1 << 16, Nodes: 10_000}}
		start := time.Now()
		_, err := scenario.Parse("fuzz.yaml", data, files, options)
		if err != nil {
			var problems strict.Problems
			require.True(t, errors.As(err, &problems))
			require.NotEmpty(t, problems)
			return
		}
		expanded, err := scenario.Expand("fuzz.yaml", data, files, options)
		require.NoError(t, err)
		options.Limits = strict.Limits{}
		_, err = scenario.Parse("fuzz.yaml", expanded, nil, options)
		require.NoError(t, err, string(expanded))
		require.Less(t, time.Since(start), 20*time.Second)
	})
}
