package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestThinDumps: a plan of a dump is the same whether it is written in YAML or in JSON, and with a comment, which keeps
// all of it from being thinned.
func TestThinDumps(t *testing.T) {
	set := probed(web("3", "a:1", claimTemplates))
	for _, steps := range []string{
		applies(set), applies(set) + "- setImage: {statefulset: web, image: \"a:bad\"}\n",
		applies(set) + "- delete: claim/data-web-1\n", applies(set) + "- unready: web-0\n",
	} {
		live, _, _ := strings.Cut(cluster(t, `rules: [{match: {image: "a:bad"}, ready: never}]`, steps), "---\n")
		var objects any
		require.NoError(t, yaml.Unmarshal([]byte(live), &objects))
		data, err := json.MarshalIndent(objects, "", "    ")
		require.NoError(t, err)
		to := strings.Replace(set, "a:1", "a:2", 1)
		asKubectl := strings.ReplaceAll(live, "\n  ", "\n")
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

// TestLarge: a ConfigMap with very many keys, which pods may read, costs little more than its text is parsed in.
func TestLarge(t *testing.T) {
	var config strings.Builder
	config.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: big\ndata:\n")
	for i := range 40_000 {
		fmt.Fprintf(&config, "  key%d: \"%d\"\n", i, i)
	}
	before := time.Now()
	strict.ParseStream("f", []byte(config.String()), strict.Limits{})
	parsed := time.Since(before)

	before = time.Now()
	s := one(t, config.String()+"---\n"+web("3", "web:1"), config.String()+"  more: x\n---\n"+web("3", "web:2"), &Options{})
	require.NotNil(t, s)
	require.Less(t, time.Since(before), 40*parsed+time.Second)
}
