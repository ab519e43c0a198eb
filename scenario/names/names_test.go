package names_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/names"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestWrong lists what is wrong in an object, where that is, and how the problem is worded.
func TestWrong(t *testing.T) {
	const text = `
metadata: {name: web-0, namespace: "a b", uid: "1;2", labels: &l {"x y": "z\e"}, finalizers: ["a/b/c"]}
spec: {nodeName: N_1, nodeSelector: *l, containers: [{name: app}, {name: "$(id)"}], image: "any\e thing"}
`
	var root yaml.Node
	var object map[string]any
	require.NoError(t, yaml.Unmarshal([]byte(text), &root))
	require.NoError(t, root.Decode(&object))
	type found struct {
		what         string
		line, column int
	}
	var list []found
	for _, wrong := range names.Of("Pod", object) {
		what, want := wrong.Problem()
		require.NotEmpty(t, want)
		at := strict.Find(root.Content[0], wrong.Path, wrong.Key)
		list = append(list, found{what, at.Line, at.Column})
	}
	require.Equal(t, []found{
		{`metadata.namespace: no API server takes the name "a b"`, 2, 36},
		{`metadata.uid: no API server takes the name "1;2"`, 2, 48},
		{`metadata.labels: no API server takes the key "x y"`, 2, 67},
		{`metadata.labels.x y: no API server takes the name "z\x1b"`, 2, 74},
		{`metadata.finalizers[0]: no API server takes the name "a/b/c"`, 2, 95},
		{`spec.nodeName: no API server takes the name "N_1"`, 3, 18},
		{`spec.nodeSelector: no API server takes the key "x y"`, 2, 67},
		{`spec.nodeSelector.x y: no API server takes the name "z\x1b"`, 2, 74},
		{`spec.containers[1].name: no API server takes the name "$(id)"`, 3, 74},
	}, list)
	require.Len(t, names.Identity("Pod", object), 1)
	require.Empty(t, names.Identity("ClusterRole", object), "names of RBAC may have colons and more")
}
