package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
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

// TestThinDumps: a plan of a dump is the same whether it is written in YAML or in JSON, and with a comment, which keeps
// all of it from being thinned.
func TestThinDumps(t *testing.T) {
	set := probed(web("3", "a:1", claimTemplates))
	for _, steps := range []string{
		applies(set), applies(set) + "- setImage: {statefulset: web, image: \"a:bad\"}\n",
		applies(set) + "- delete: claim/data-web-1\n", applies(set) + "- unready: web-0\n",
	} {
		live := cluster(t, `rules: [{match: {image: "a:bad"}, ready: never}]`, steps)
		var objects any
		require.NoError(t, yaml.Unmarshal([]byte(live), &objects))
		data, err := json.MarshalIndent(objects, "", "    ")
		require.NoError(t, err)
		to := strings.Replace(set, "a:1", "a:2", 1)
		asKubectl := strings.ReplaceAll(live, "\n  ", "\n")
		require.Less(t, len(thin(dump.Source{Data: []byte(asKubectl)}, ofServer).Data), len(live)/2)
		whole := planned(t, "# whole\n"+asKubectl, to)
		require.JSONEq(t, whole, planned(t, asKubectl, to))
		require.JSONEq(t, whole, planned(t, string(data), to))
	}
}

// planned returns the JSON of a plan.
func planned(t *testing.T, before, after string) string {
	t.Helper()
	text, err := json.Marshal(plans(t, before, after, &Options{}))
	require.NoError(t, err)
	return string(text)
}

// TestADumpWithoutDefaults: what an apply makes of a set that was printed without the defaults of the version is
// computed once, and holds as long as nothing else has changed the set.
func TestADumpWithoutDefaults(t *testing.T) {
	set := web("3", "a:1", "updateStrategy: {rollingUpdate: {partition: 0}}")
	live := cluster(t, "", applies(set))
	require.Contains(t, live, "maxUnavailable: 1\n")
	live = strings.Replace(live, "maxUnavailable: 1\n", "partition: 0\n", 1)
	e, w := looked(t, live, strings.Replace(set, "a:1", "a:2", 1))
	begins := sim.New(w.lab().World)
	begins.Run(nil)
	begun := begins.State().Sets[0]
	require.True(t, e.shownAs.is(begun))
	require.Equal(t, "a:2", e.shownAs.asked.Spec.Template.Image())
	for what, change := range map[string]func(){
		"replicas":    func() { begun.Spec.Replicas = 4 },
		"labels":      func() { begun.Labels = map[string]string{"a": "b"} },
		"annotations": func() { begun.Annotations = map[string]string{"a": "b"} },
		"template":    func() { begun.Spec.Template = e.wanted.Spec.Template },
	} {
		as := *begun
		change()
		require.False(t, e.shownAs.is(begun), what)
		*begun = as
	}
	e, _ = looked(t, cluster(t, "", applies(set)), strings.Replace(set, "a:1", "a:2", 1))
	require.Nil(t, e.shownAs, "a set with all defaults changes as the one that is stored")
	require.False(t, e.shownAs.is(begun))
}

// looked returns what is found out about a change before it is played, and the world in which it is played.
func looked(t *testing.T, before, after string) (*edit, *world) {
	t.Helper()
	in, err := Read(Stream{Name: "old.yaml", Data: []byte(before)}, Stream{Name: "new.yaml", Data: []byte(after)},
		strict.Limits{})
	require.NoError(t, err)
	w := &world{Options: &Options{}, profile: profiles(t, "1.37")[0], state: in.state}
	w.edits, err = in.looked(w)
	require.NoError(t, err)
	return w.edits[0], w
}
