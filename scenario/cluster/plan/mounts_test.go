package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

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
