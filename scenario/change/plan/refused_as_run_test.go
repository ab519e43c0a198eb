package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestRefusedAsInARun: a plan refuses what sim run refuses of the same file, at its place.
func TestRefusedAsInARun(t *testing.T) {
	budget := func(fields string) string {
		return "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: all}\nspec: {" + fields +
			", selector: {matchLabels: {app: web}}}\n"
	}
	next := web("3", "a:2")
	for _, c := range []struct{ name, after, says string }{
		{"a budget with both", next + budget("minAvailable: 2, maxUnavailable: 1"), "minAvailable and maxUnavailable cannot be both set"},
		{"a budget of more than all", next + budget("minAvailable: 150%"), "new.yaml:12:22: spec.minAvailable: Invalid value"},
		{"v1", strings.Replace(next, "apps/v1", "v1", 1), "new.yaml:1:13: a StatefulSet of v1: write apiVersion: apps/v1"},
		{"OpenKruise", strings.Replace(next, "apps/v1", "apps.kruise.io/v1beta1", 1),
			"new.yaml:1:13: a StatefulSet of OpenKruise (apps.kruise.io): sim plays those of apps/v1 only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(Stream{Name: "old.yaml", Data: []byte(web("3", "a:1"))}, Stream{Name: "new.yaml", Data: []byte(c.after)}, strict.Limits{})
			require.ErrorContains(t, err, c.says)
		})
	}
	twice := strings.Replace(next, "containers: [", `containers: [{name: app, image: "b:1"}, `, 1)
	in, err := Read(Stream{Name: "old.yaml", Data: []byte(web("3", "a:1"))}, Stream{Name: "new.yaml", Data: []byte(twice)}, strict.Limits{})
	require.NoError(t, err)
	_, err = Of(in, &Options{Profiles: profiles(t, "1.37")})
	require.ErrorContains(t, err, `new.yaml:6:100: spec.template.spec.containers[1].name: Duplicate value: "app"`)
}

// TestWhatSelectsOrNamesNothing: a budget without pods is noted, and a probe of a port that no container has is an alarm.
func TestWhatSelectsOrNamesNothing(t *testing.T) {
	const lost = "---\napiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: lost}\n" +
		"spec: {minAvailable: 2, selector: {matchLabels: {app: wbe}}}\n"
	const deployment = "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: wbe}\n"
	note := `PodDisruptionBudget lost selects no pod of these StatefulSets: it asks for pods with {"matchLabels":{"app":"wbe"}}.`
	require.Contains(t, plans(t, web("3", "a:1"), web("3", "a:2")+lost, &Options{}).Notes, note)
	require.NotContains(t, plans(t, web("3", "a:1"), web("3", "a:2")+lost+deployment, &Options{}).Notes, note)

	named := func(set, port string) string {
		return strings.Replace(set, `containers: [{name: app, `, `containers: [{name: app, readinessProbe: {httpGet: {path: /, port: http}}, `+port, 1)
	}
	before := probed(web("3", "a:1"))
	plan := plans(t, before, named(web("3", "a:2"), ""), &Options{})
	require.Equal(t, []string{"probe-port web"}, traps(plan))
	require.Contains(t, plan.Alarms[0].Sentence, "the readiness probe of app asks for the port http, and no port of the container has that name")
	require.Empty(t, traps(plans(t, before, named(web("3", "a:2"), "ports: [{name: http, containerPort: 80}], "), &Options{})))
}
