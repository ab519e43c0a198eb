package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBeside: what changes beside the sets and matters to their pods is said, also if no set changes.
func TestBeside(t *testing.T) {
	const budget = "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\n" +
		"spec: {minAvailable: 1, selector: {matchLabels: {app: web}}}\n"
	const secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: pw}\n"
	const reads = "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec: {replicas: 2, serviceName: web, " +
		"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: " +
		"[{name: app, image: \"app:v1\", envFrom: [{secretRef: {name: pw}}]}]}}}\n"
	replaced := func(text, old, now string) string {
		require.Contains(t, text, old)
		return strings.Replace(text, old, now, 1)
	}
	for _, c := range []struct{ name, before, after, note string }{
		{"a Secret that pods read goes", reads + secret, reads, "default/web: its pods read Secret pw, which OLD has and NEW does not. If it is " +
			"deleted, a pod that is created later does not start, unless the reference is optional."},
		{"a budget asks for all pods", reads + budget, reads + replaced(budget, "minAvailable: 1", "minAvailable: 2"),
			"PodDisruptionBudget b changes from minAvailable 1 to minAvailable 2: it asks for 2 of 2 pods, so no pod can be evicted, and " +
				"the drain of a node with one of them never ends."},
		{"a budget selects others", reads + budget, reads + replaced(budget, "app: web", "app: x"), "PodDisruptionBudget b changes from " +
			`minAvailable 1 of pods with {"matchLabels":{"app":"web"}} to minAvailable 1 of pods with {"matchLabels":{"app":"x"}}, and ` +
			"selects no pod of these StatefulSets."},
	} {
		require.Contains(t, plans(t, c.before, c.after, &Options{}).Notes, c.note, c.name)
	}
}

// TestWorstVersion: of several versions the worst decides what is asked of a change, whatever their order, and the
// alarms of each are told.
func TestWorstVersion(t *testing.T) {
	before, after := probed(web("3", "a:1")), probed(web("3", "a:2", "updateStrategy: {rollingUpdate: {maxUnavailable: 2}}"))
	for _, versions := range [][]string{{"1.36", "1.37"}, {"1.37", "1.36"}} {
		o := &Options{Quorum: 2, Profiles: profiles(t, versions...)}
		plan := plans(t, before, after, o)
		require.False(t, plan.Held, versions)
		require.Len(t, plan.Failing(), 1)
		require.Contains(t, plan.Failing()[0], "minReady is 1 (--quorum")
	}
	o := &Options{Profiles: profiles(t, "1.36")}
	require.Contains(t, plans(t, before, after, o).Notes, "default/web: Kubernetes 1.36 drops "+
		"spec.updateStrategy.rollingUpdate.maxUnavailable: 2, since it does not have the field or its feature gate is off.")
}

// TestNotesOnce: what is assumed of an object is said once, however often the object stands in the files.
func TestNotesOnce(t *testing.T) {
	const quota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: all}\n"
	const limits = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: small}\n"
	plan := plans(t, probed(web("2", "a:1"))+quota, probed(web("2", "a:2"))+quota+quota+limits, &Options{})
	require.Equal(t, []string{
		"The ResourceQuota all is not modelled. Assumed: it refuses nothing.",
		"The LimitRange small is not modelled. Assumed: it changes and refuses no pod.",
	}, plan.Notes)
}

// TestMountedOrNotKnown: a plan says of a ConfigMap that it changes only if both streams show ConfigMaps, and only to
// pods that run and are not replaced.
func TestMountedOrNotKnown(t *testing.T) {
	config := func(name, value string) string {
		return "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name + "}\ndata: {a: \"" + value + "\"}\n"
	}
	reading := func(image string, more ...string) string {
		return strings.Replace(web("2", image, more...), "{name: app, ", "{name: app, envFrom: [{configMapRef: {name: conf}}], ", 1)
	}
	onDelete := "updateStrategy: {type: OnDelete}"
	both := strings.Replace(reading("a:1"), "conf}}]", "conf}}, {secretRef: {name: key}}]", 1)
	key := func(value string) string { return strings.Replace(config("key", value), "ConfigMap", "Secret", 1) }
	notes := plans(t, both+config("conf", "1")+key("MQ=="), both+config("conf", "2")+key("Mg=="), &Options{}).Notes
	require.Contains(t, strings.Join(notes, "\n"), "its pods read ConfigMap conf and Secret key, which change, but no pod restarts")
	for _, c := range []struct {
		name, before, after string
		told                bool
	}{
		{"a dump does not show it", reading("a:1"), reading("a:1") + config("conf", "1"), false},
		{"others are shown", reading("a:1") + config("other", "1"), reading("a:1") + config("conf", "1"), true},
		{"the set is new", config("conf", "1"), reading("a:1") + config("conf", "2"), false},
		{"the pods are replaced", reading("a:1") + config("conf", "1"), reading("a:2") + config("conf", "2"), false},
		{"OnDelete leaves the pods", reading("a:1", onDelete) + config("conf", "1"),
			reading("a:2", onDelete) + config("conf", "2"), true},
		{"a partition leaves the pods", reading("a:1", partition3) + config("conf", "1"),
			reading("a:2", partition3) + config("conf", "2"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			notes := strings.Join(plans(t, c.before, c.after, &Options{}).Notes, "\n")
			require.Equal(t, c.told, strings.Contains(notes, "its pods read ConfigMap conf, which changes"), notes)
		})
	}
}
