package dump

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/lists"
)

// TestNames: a name that no API server takes is a problem, and its place is said. Kinds that are not used may have any.
func TestNames(t *testing.T) {
	const list = `apiVersion: v1
kind: List
items:
- apiVersion: rbac.authorization.k8s.io/v1
  kind: ClusterRole
  metadata: {name: "system:node", uid: "1"}
- apiVersion: v1
  kind: Pod
  metadata:
    name: web-0
    namespace: %s
    labels: {a: b, %s: c}
    uid: "1"
  spec:
    nodeName: %s
    containers: [{name: app}, {name: %s}]
`
	for _, c := range []struct {
		names [4]any
		want  []string
	}{
		{[4]any{"shop", "x/y", "node-1.example.com", "b"}, nil},
		{[4]any{"x$(touch pwned)", "x", "n", "b"}, []string{`:11:16: metadata.namespace: no API server takes the name "x$(touch pwned)": `}},
		{[4]any{`"a\nb"`, "x", "n", "b"}, []string{`:11:16: metadata.namespace: no API server takes the name "a\nb": `}},
		{[4]any{"a", `"x y"`, "n", "b"}, []string{`:12:20: metadata.labels: no API server takes the key "x y": `}},
		{[4]any{"a", "x", `"\u202en"`, `"b;ls"`}, []string{
			`:15:15: spec.nodeName: no API server takes the name "\u202en": `, `:16:38: spec.containers[1].name: no API server takes the name "b;ls": `}},
	} {
		_, err := Read([]Source{{Name: "d.yaml", Data: fmt.Appendf(nil, list, c.names[:]...)}}, Options{})
		if c.want == nil {
			require.NoError(t, err)
			continue
		}
		lines := strings.Split(err.Error(), "\n")
		require.Len(t, lines, len(c.want))
		for i, want := range c.want {
			require.True(t, strings.HasPrefix(lines[i], "d.yaml"+want), lines[i])
		}
	}
}

// TestNamesInJSON: the place is that of the name here too, whether the text is on one line or on many.
func TestNamesInJSON(t *testing.T) {
	for text, place := range map[string]string{
		"{\"apiVersion\": \"v1\", \"kind\": \"List\", \"items\": [\n  {\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n" +
			"   \"metadata\": {\"name\": \"a b\"}}]}": "d.json:3:25: ",
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a b"}}`:                                                  "d.json:1:52: ",
		`[{"apiVersion":"v1","kind":"PodList","items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a b"}}]}]`: "d.json:1:98: ",
	} {
		_, err := Read([]Source{{Name: "d.json", Data: []byte(text)}}, Options{})
		require.ErrorContains(t, err, place+`metadata.name: no API server takes the name "a b"`)
	}
}

// TestNamesOfRealDumps: what clusters have printed has no such name.
func TestNamesOfRealDumps(t *testing.T) {
	const shared = "../../../../shared"
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the dumps are not here")
	}
	read := 0
	walk := func(name string, entry fs.DirEntry, err error) error {
		switch ext := filepath.Ext(name); {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "hostile":
			return filepath.SkipDir
		case entry.IsDir(), ext != ".yaml" && ext != ".json":
			return nil
		}
		data, err := os.ReadFile(name)
		if err != nil || !Looks(data) {
			return err
		}
		read++
		_ = lists.Each(Source{Name: name, Data: data}, Options{}.Limits, func(o *lists.Object) {
			if err := wrongNames(o); err != nil {
				t.Error(err)
			}
		})
		return nil
	}
	for _, folder := range []string{"dumps", "dumps-1.37.2", "life", "life-1.37", "life-1.37.2", "field3"} {
		require.NoError(t, filepath.WalkDir(filepath.Join(shared, folder), walk))
	}
	require.NotZero(t, read)
}

// TestSelector: every set of a cluster has a selector, so a set without one is not what the cluster has.
func TestSelector(t *testing.T) {
	const none = "d.yaml:1:1: the StatefulSet has no spec.selector"
	for spec, says := range map[string]string{
		"spec: {replicas: 3}": none, "spec: {selector: null}": none,
		"? [spec]\n: {selector: {matchLabels: {app: web}}}": "d.yaml:4:3: a key is a list: keys are text; quote this",
		"spec: {replicas: 1, replicas: 2}":                  `d.yaml:4:21: duplicate key "replicas": first used on line 4`,
	} {
		text := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web, namespace: shop, uid: u-1}\n" + spec + "\n"
		_, err := Read([]Source{{Name: "d.yaml", Data: []byte(text)}}, Options{})
		require.ErrorContains(t, err, says)
	}
}
