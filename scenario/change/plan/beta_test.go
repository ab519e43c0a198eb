package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestBeta: a set that was applied as apps/v1beta1 runs as apps/v1, with the defaults that it had then. A later apply
// leaves these alone. apps/v1beta2 has the defaults of apps/v1.
func TestBeta(t *testing.T) {
	v1 := web("2", "a:1")
	old := func(version string) string { return strings.Replace(v1, "apps/v1", version, 1) }
	plan := plans(t, old("apps/v1beta1"), web("2", "a:2"), &Options{})
	require.Len(t, plan.Sets, 1)
	require.Empty(t, plan.Sets[0].Moves, "its strategy stays OnDelete")
	require.Contains(t, strings.Join(plan.Notes, " "), "old.yaml:1:13: apps/v1beta1 is read as apps/v1, as the API server shows it, "+
		"with updateStrategy OnDelete, the default of apps/v1beta1")
	require.Len(t, plans(t, old("apps/v1beta2"), web("2", "a:2"), &Options{}).Sets[0].Moves, 2)
	bare := strings.Replace(old("apps/v1beta1"), "  selector: {matchLabels: {app: web}}\n", "", 1)
	require.Len(t, plans(t, bare, web("2", "a:2"), &Options{}).Sets, 1, "the selector was that of the labels")

	_, err := Read(Stream{Name: "old.yaml", Data: []byte(v1)}, Stream{Name: "new.yaml", Data: []byte(old("apps/v1beta1"))}, strict.Limits{})
	require.ErrorContains(t, err, "new.yaml:1:13: apiVersion is apps/v1beta1, which Kubernetes does not serve from 1.16 on: write apps/v1")
}

// TestEmptyIsAbsent: a list, a mapping or a text that is empty is as good as none, so that leaving it out changes
// nothing.
func TestEmptyIsAbsent(t *testing.T) {
	for _, field := range []string{"volumeClaimTemplates: []", "serviceName: \"\"", "ordinals: null", "updateStrategy: {}",
		"persistentVolumeClaimRetentionPolicy: {}", "updateStrategy: {rollingUpdate: {}}"} {
		plan := plans(t, web("2", "a:1", field), web("2", "a:2"), &Options{})
		require.Len(t, plan.Sets, 1, field)
		require.Len(t, plan.Sets[0].Changes, 1, field)
		for _, note := range plan.Sets[0].Notes {
			require.NotContains(t, note, "no longer in the file", field)
		}
		require.Empty(t, plans(t, web("2", "a:1", field), web("2", "a:1"), &Options{}).Sets, field)
	}
}

// TestPodsThatNoVersionTakes: before 1.34 a set is created whose pods are refused. From 1.34 on its creation is refused,
// and changes of a set that has such pods already are not.
func TestPodsThatNoVersionTakes(t *testing.T) {
	bad := strings.Replace(web("2", "a:1"), `, image: "a:1"`, "", 1)
	none := "apiVersion: v1\nkind: List\nitems: []\n"
	read := func(before, after string) *Input {
		in, err := Read(Stream{Name: "old.yaml", Data: []byte(before)}, Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
		require.NoError(t, err)
		return in
	}
	plan, err := Of(read(none, bad), &Options{Profiles: profiles(t, "1.33")})
	require.NoError(t, err)
	require.Equal(t, Creates, plan.Sets[0].Does)
	require.False(t, plan.Sets[0].Completes)
	for _, version := range []string{"1.34", "1.37"} {
		_, err = Of(read(none, bad), &Options{Profiles: profiles(t, version)})
		require.ErrorContains(t, err, "spec.template.spec.containers[0].image: Required value: Kubernetes refuses such a set from 1.34 on")
		plan, err = Of(read(bad, strings.Replace(bad, "replicas: 2", "replicas: 3", 1)), &Options{Profiles: profiles(t, version)})
		require.NoError(t, err)
		require.NotEqual(t, Refused, plan.Sets[0].Does, version)
	}
}

// TestLeftData: a set that is renamed, or moves to another namespace, leaves its data in the claims of the old one.
func TestLeftData(t *testing.T) {
	const claims = "volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: " +
		"{storage: 1Gi}}}}]"
	left := func(before, after string) []string {
		var list []string
		for _, s := range plans(t, before, after, &Options{}).Sets {
			for _, a := range s.alarms {
				if a.Trap == alarm.TrapClaims {
					list = append(list, a.Sentence)
				}
			}
		}
		return list
	}
	old := web("2", "a:1", claims)
	renamed := strings.ReplaceAll(strings.Replace(old, "{name: web}", "{name: server}", 1), "app: web", "app: server")
	require.Len(t, left(old, renamed), 1)
	require.Contains(t, left(old, renamed)[0], "it stays in the claims data-web-N")
	deletes := func(text string) string {
		return strings.Replace(text, claims, "persistentVolumeClaimRetentionPolicy: {whenDeleted: Delete}\n  "+claims, 1)
	}
	require.Contains(t, left(deletes(old), deletes(renamed))[0],
		"it goes, when that set is deleted, with the claims data-web-N")
	moved := func(namespace string) string {
		return strings.Replace(old, "{name: web}", "{name: web, namespace: "+namespace+"}", 1)
	}
	require.Len(t, left(moved("a"), moved("b")), 1)
	require.Empty(t, left(web("2", "a:1"), strings.Replace(web("2", "a:1"), "{name: web}", "{name: server}", 1)), "it has no data")
	both := strings.Replace(renamed, "metadata: {name: server", "metadata: {namespace: b, name: server", 1)
	require.Len(t, left(old, both), 1, "it is renamed, and moves")
	require.Empty(t, left(old, both+"---\n"+strings.ReplaceAll(both, "server", "more")), "one of two may be meant")
	require.Empty(t, left(old, old+"---\n"+renamed), "nothing goes")
}
