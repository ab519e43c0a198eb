package explain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
)

// TestOnCall explains the dumps of package oncall, and looks for the texts in their first lines.
func TestOnCall(t *testing.T) {
	dumps := oncall.Dumps()
	require.NotEmpty(t, dumps)
	for _, c := range dumps {
		t.Run(c.Name, func(t *testing.T) {
			file, data := c.Name+".yaml", c.Data
			d, err := dump.Read([]dump.Source{{Name: file, Data: data}}, dump.Options{})
			require.NoError(t, err)
			crowd, err := dump.Read([]dump.Source{{Name: file, Data: data}, crowdOf(d)}, dump.Options{})
			require.NoError(t, err)
			s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.36\"\nsteps:\n"+three), nil, scenario.Options{})
			require.NoError(t, err)
			var printed strings.Builder
			require.NoError(t, explain.Begin(d, labOf(s, d), "").All(nil).Document().Text(&printed, render.Style{Width: 1 << 20}))
			expected := 0
			for line := range strings.Lines(string(data)) {
				if text, is := strings.CutPrefix(line, "# says: "); is {
					require.Contains(t, printed.String(), strings.TrimSpace(text))
				} else if text, is := strings.CutPrefix(line, "# never: "); is {
					require.NotContains(t, printed.String(), strings.TrimSpace(text))
				} else if !strings.HasPrefix(line, "#") {
					break
				}
				expected++
			}
			require.Positive(t, expected)
			dumped, among := explain.Begin(d, labOf(s, d), "").All(nil), explain.Begin(crowd, labOf(s, crowd), "").All(nil)
			require.Equal(t, waysOf(dumped, d), waysOf(among, d), "the fixes are the same in a namespace with many sets")
		})
	}
}

// crowdOf returns 25 sets without pods for each namespace in which a dump has a set.
func crowdOf(d *dump.Dump) dump.Source {
	var b strings.Builder
	for _, set := range d.State.Sets {
		for i := range 25 {
			fmt.Fprintf(&b, `---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: crowd-%s-%[2]d, namespace: %[3]s, generation: 1}
spec:
  replicas: 0
  serviceName: crowd
  selector: {matchLabels: {crowd: %[1]s-%[2]d}}
  template:
    metadata: {labels: {crowd: %[1]s-%[2]d}}
    spec: {containers: [{name: app, image: "app:v1"}]}
status: {observedGeneration: 1, replicas: 0}
`, set.Name, i, set.Namespace)
		}
	}
	return dump.Source{Name: "crowd.yaml", Data: []byte(b.String())}
}

// waysOf returns what is said of the fixes for each set of a dump.
func waysOf(dumped *explain.Dumped, d *dump.Dump) map[string]string {
	ways := map[string]string{}
	for _, set := range d.State.Sets {
		at := slices.IndexFunc(dumped.Sets, func(s *explain.DumpedSet) bool {
			return s.Namespace == set.Namespace && s.Name == set.Name
		})
		said, err := json.Marshal(dumped.Sets[at].WaysOut)
		if err != nil {
			panic(err)
		}
		ways[set.Key().String()] = string(said)
	}
	return ways
}

// TestBackwards: what is said of a dump does not depend on the order of what it lists.
func TestBackwards(t *testing.T) {
	dumps := oncall.Dumps()
	require.NotEmpty(t, dumps)
	for _, c := range dumps {
		file, data := c.Name+".yaml", c.Data
		said := func(data []byte) string {
			d, err := dump.Read([]dump.Source{{Name: file, Data: data}}, dump.Options{})
			require.NoError(t, err)
			s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.36\"\nsteps:\n"+three), nil, scenario.Options{})
			require.NoError(t, err)
			dumped, err := json.Marshal(explain.Begin(d, labOf(s, d), "").All(nil))
			require.NoError(t, err)
			return string(dumped)
		}
		require.JSONEq(t, said(data), said(backwards(t, data)), file)
	}
}

// backwards lists the objects of a dump from the last to the first.
func backwards(t *testing.T, data []byte) []byte {
	var objects []yaml.Node
	for decoder := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var object yaml.Node
		err := decoder.Decode(&object)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		var list struct{ Items []yaml.Node }
		if require.NoError(t, object.Decode(&list)); list.Items == nil {
			list.Items = []yaml.Node{object}
		}
		objects = append(objects, list.Items...)
	}
	slices.Reverse(objects)
	text, err := yaml.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": objects})
	require.NoError(t, err)
	return text
}
