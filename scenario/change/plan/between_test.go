package plan

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/sim/view/render"
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
		"crash-loop-that-never-serves": {"1 set is stuck before its rollout starts", "changes the template, and the rollout does not start: no pod is replaced", "", ""},
	} {
		data := oncall.Of(name)
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
	data := oncall.Of("a-readiness-gate-whose-operator-is-away")
	s := plans(t, string(data), strings.ReplaceAll(changed(t, data, "", ""), "image: app:v2", "image: app:v3"), &Options{}).find("web")
	require.Equal(t, []string{"kubectl -n prod edit statefulset/web", "kubectl -n prod delete pod web-2"}, s.Fix.Commands)
}

// TestStuckWithOnDelete: a change of a set with OnDelete replaces no pod, be the set stuck or not.
func TestStuckWithOnDelete(t *testing.T) {
	data := oncall.Of("an-operator-that-owns-the-set")
	s := plans(t, string(data), strings.ReplaceAll(changed(t, data, "", ""), "image: app:v2", "image: app:v3"), &Options{}).find("web")
	require.Equal(t, "changes the template and replaces no pod: with OnDelete a pod gets the new template when somebody deletes it", s.Headline)
	require.Contains(t, s.Ends, "the change gets stuck: web-2 is not Running and Ready")
}

// TestSameConditionsAsExplain: under which condition a set continues, or completes, a plan says in the words of sim
// explain, of a change and of a set in which nothing changes. It raises an alarm, since nobody knows whether that is
// so.
func TestSameConditionsAsExplain(t *testing.T) {
	const pulls, room = "; it continues when the registry lets web-2 pull its image", "; it continues only when a node has room for web-2"
	const flaps = ", provided that web-2 stays Ready: it has been Running for 118m, and Ready only for the last 10s (Unhealthy: " +
		"Readiness probe failed: HTTP probe failed with statuscode: 503)"
	for name, c := range map[string]struct{ ends, headline string }{
		"a-registry-that-limits-pulls":              {stuckOn + pulls, "changes the template, and the rollout starts when the registry lets web-2 pull its image"},
		"two-sets-at-capacity":                      {stuckOn + room, "changes the template, and the rollout starts only when a node has room for web-2"},
		"a-probe-that-flaps-within-minreadyseconds": {"the change completes" + flaps, "replaces all 3 pods, one at a time"},
		"a-pod-for-which-others-are-preempted":      {"the change completes, provided that the pods that web-2 has preempted on node-3 end", "replaces all 3 pods, one at a time"},
	} {
		data := oncall.Of(name)
		plan := plans(t, string(data), strings.ReplaceAll(changed(t, data, "", ""), "image: app:v", "image: app:v9"), &Options{})
		s := plan.find("web")
		require.Equal(t, c.ends, s.Ends, name)
		require.Equal(t, c.headline, s.Headline, name)
		var text strings.Builder
		require.NoError(t, plan.Document().Text(&text, render.Style{Width: 10_000}))
		require.Contains(t, text.String(), "ends      "+c.ends, name)
		require.Contains(t, markdownOf(t, plan), "**ends** ", name)
		require.True(t, slices.ContainsFunc(plan.Alarms, func(a Alarm) bool { return strings.Contains(c.ends, a.Sentence) }), name)
		idle := plans(t, string(data), changed(t, data, "", ""), &Options{}).NotAtRest
		require.True(t, strings.HasSuffix(idle[0].alarms[0].Sentence, c.ends[strings.LastIndexAny(c.ends, ";,"):]) ||
			strings.HasSuffix(idle[0].alarms[0].Sentence, strings.TrimPrefix(c.ends, "the change completes")), name)
	}
	data := oncall.Of("a-registry-that-was-not-reached")
	first := plans(t, string(data), strings.ReplaceAll(changed(t, data, "", ""), "image: app:v", "image: app:v9"), &Options{}).find("web")
	require.Equal(t, "it is too early to say: web-2 may become Ready. If it does not, "+stuckOn+pulls, first.Ends, "the first pull has failed")
}

// TestWhatDoesNotFlap: that a pod flaps does not matter to a change that replaces it at once, nor to one that does not
// wait for minReadySeconds.
func TestWhatDoesNotFlap(t *testing.T) {
	data := oncall.Of("a-probe-that-flaps-within-minreadyseconds")
	changes := strings.ReplaceAll(changed(t, data, "", ""), "image: app:v", "image: app:v9")
	require.Contains(t, changes, "minReadySeconds: 60")
	s := plans(t, string(data), strings.Replace(changes, "minReadySeconds: 60", "minReadySeconds: 5", 1), &Options{}).find("web")
	require.Equal(t, "the change completes", s.Ends)
	parallel := func(text string) string { return strings.Replace(text, "OrderedReady", "Parallel", 1) }
	s = plans(t, parallel(string(data)), parallel(changes), &Options{}).find("web")
	require.Equal(t, "the change completes", s.Ends)
}

// TestWhatAnOperatorReverts: the fix of a set that an operator writes says what to change instead.
func TestWhatAnOperatorReverts(t *testing.T) {
	data := oncall.Of("an-operator-whose-image-does-not-exist")
	const reverts = "The operator of the Prometheus k8s most likely reverts this: change the Prometheus k8s instead (kubectl -n prod edit " +
		"prometheus.monitoring.coreos.com k8s)."
	s := plans(t, string(data), changed(t, data, "", ""), &Options{}).NotAtRest[0]
	require.Contains(t, s.Fix.Lead, reverts)
	require.False(t, s.Fix.Reverts)
	owned := strings.Replace(probed(web("3", "a:1")), "name: web}", "name: web, ownerReferences: [{apiVersion: "+
		"monitoring.coreos.com/v1, kind: Prometheus, name: k8s, uid: u, controller: true}]}", 1)
	s = plans(t, owned, strings.Replace(owned, "a:1", "a:2", 1), &Options{}).find("web")
	require.Contains(t, s.Cases[0].Lead, strings.Replace(reverts, "-n prod", "-n default", 1))
}
