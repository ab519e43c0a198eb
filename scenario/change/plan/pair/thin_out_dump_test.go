package pair

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/dump"
)

// TestThin: a plan of a dump keeps of pods and the like what names them; everything else keeps its place.
func TestThin(t *testing.T) {
	pod := `{"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web-0", "uid": "u", "namespace": "db"}, "spec": {"nodeName": "n1"}, "status": {"phase": "Running", "startTime": "x"}}`
	named := `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web-0","namespace":"db"},"status":{"phase":"Running"}}`
	for text, want := range map[string]string{
		`{"kind": "List", "items": [` + pod + `, {"kind": "Service"}]}`: `{"kind": "List", "items": [` + named +
			strings.Repeat(" ", len(pod)-len(named)) + `, {"kind": "Service"}]}`,
		"{\"kind\": \"List\", \"items\": [\n" + strings.ReplaceAll(pod, ", ", ",\n ") + ", 1]}": "{\"kind\": \"List\", \"items\": [\n" +
			named + strings.Repeat("\n", strings.Count(pod, ", ")) + strings.Repeat(" ", len(` "startTime": "x"}}`)) + ", 1]}",
		`{"kind": "List", "items": [` + strings.Replace(pod, "Pod", "Node", 1) + `]}`:                             "",
		`{"kind": "List", "items": [` + strings.Replace(pod, `"name": "web-0", `, "", 1) + `]}`:                   "",
		`{"kind": "List", "items": [` + named + `]}`:                                                              "",
		`{"kind": "List", "items": [` + strings.Replace(pod, `"metadata": {`, `"metadata": "", "x": {`, 1) + `]}`: "",
		"apiVersion: v1\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata:\n    annotations:\n      a: |\n        name: x\n    name: web-0\n" +
			"    namespace: \"db\"\n  spec:\n    name: y\n    phase: z\n  status:\n    phase: Running\n- apiVersion: v1\n  kind: Node\nkind: List\n": "apiVersion: v1\nitems:\n- " +
			named + strings.Repeat("\n", 13) + "- apiVersion: v1\n  kind: Node\nkind: List\n",
		"items:\n- kind: Pod\n  metadata:\n    name: >\n      x\n  more: |\n    name: y\nkind: List\n":              "",
		"items:\n- kind: Pod\n  metadata: {name: x, labels: {a: bcdefghijklmnopqrstuvw}}\n  more: {}\nkind: List\n": "",
		"items:\n- kind: Pod\n  metadata:\n    name: x\nkind: List\n":                                               "",
		pod:                     "",
		"kind: List\nitems: []": "",
	} {
		if want == "" {
			want = text
		}
		got := thin(dump.Source{Name: "d.json", Data: []byte(text)}, []string{"Pod"})
		require.Equal(t, dump.Source{Name: "d.json", Data: []byte(want)}, got)
	}
}

// TestSpare: of what the new files speak of, a plan reads all.
func TestSpare(t *testing.T) {
	for text, left := range map[string]int{
		"kind: StatefulSet\npodManagementPolicy: Parallel\nkind: PodDisruptionBudget": 6,
		"kind: PersistentVolumeClaim": 5, "kind: !!str Pod\n---\nkind: Node\n": 4, `{"kind":"Event"}`: 5,
	} {
		require.Len(t, spare(&Stream{Data: []byte(text)}), left, text)
	}
}
