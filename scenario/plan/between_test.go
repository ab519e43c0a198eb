package plan

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBetweenCrashes: a set that is stuck on a pod that crashes continues while that pod is Ready, if it was so in its
// last run. The plan says so, as sim explain does, of a change and of a set in which nothing changes.
func TestBetweenCrashes(t *testing.T) {
	for name, c := range map[string]struct{ sum, starts, only, then string }{
		"crash-loop-that-serves": {
			"1 set starts its rollout only between two crashes of a pod",
			"changes the template, and the rollout starts only while web-2 is Ready, between two crashes",
			"; it continues only while web-2 is Ready, between two crashes", ", and may then complete",
		},
		"crash-loop-of-an-old-pod-that-serves": {
			"1 set changes its template without replacing a pod and does not complete",
			"changes the template and replaces no pod: with OnDelete a pod gets the new template when somebody deletes it",
			"; it continues only while web-1 is Ready, between two crashes", "",
		},
		"crash-loop-that-never-serves": {"1 set is stuck, and its rollout does not start", "changes the template, and the rollout does not start: no pod is replaced", "", ""},
	} {
		data, err := os.ReadFile("../explain/testdata/oncall/" + name + ".yaml")
		require.NoError(t, err)
		plan := plans(t, string(data), strings.ReplaceAll(changed(t, data, "", ""), "image: app:v2", "image: app:v3"), &Options{})
		s := plan.find("web")
		require.Equal(t, c.starts, s.Headline, name)
		require.Equal(t, c.sum, plan.Summary.String(), name)
		require.False(t, s.Completes, name)
		require.Equal(t, stuckOn+c.only+c.then, strings.Replace(s.Ends, "web-1", "web-2", 1), name)
		idle := plans(t, string(data), changed(t, data, "", ""), &Options{}).NotAtRest
		require.Len(t, idle, 1, name)
		require.True(t, strings.HasSuffix(strings.Replace(idle[0].alarms[0].Sentence, "web-1", "web-2", 1), "continues the update"+c.only), name)
	}
}

// stuckOn is the end of a change that waits for web-2.
const stuckOn = "the change gets stuck: web-2 is not Running and Ready; until it is, OrderedReady neither touches higher " +
	"ordinals nor continues the update"

// TestAGateThatNobodySets: a new template with the same readiness gate does not become Ready either, so to delete the
// pod that waits is no fix.
func TestAGateThatNobodySets(t *testing.T) {
	data, err := os.ReadFile("../explain/testdata/oncall/a-readiness-gate-whose-operator-is-away.yaml")
	require.NoError(t, err)
	s := plans(t, string(data), strings.ReplaceAll(changed(t, data, "", ""), "image: app:v2", "image: app:v3"), &Options{}).find("web")
	require.Equal(t, []string{"kubectl -n prod edit statefulset/web", "kubectl -n prod delete pod web-2"}, s.Fix.Commands)
}

// TestStuckWithOnDelete: a change of a set with OnDelete replaces no pod, be the set stuck or not.
func TestStuckWithOnDelete(t *testing.T) {
	data, err := os.ReadFile("../explain/testdata/oncall/an-operator-that-owns-the-set.yaml")
	require.NoError(t, err)
	s := plans(t, string(data), strings.ReplaceAll(changed(t, data, "", ""), "image: app:v2", "image: app:v3"), &Options{}).find("web")
	require.Equal(t, "changes the template and replaces no pod: with OnDelete a pod gets the new template when somebody deletes it", s.Headline)
	require.Contains(t, s.Ends, "the change gets stuck: web-2 is not Running and Ready")
}
