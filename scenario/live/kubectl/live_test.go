package kubectl_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/kubectl"
)

const list = `{"apiVersion":"v1","kind":"List","items":[{"kind":"StatefulSet"},{"kind":"Node"},{"kind":"Pod"}]}`

// TestRead: what kubectl 1.27 to 1.37 write where a kind may not be read, does not exist, or no server answers.
func TestRead(t *testing.T) {
	const empty = `{"apiVersion":"v1","kind":"List","items":[]}`
	const nodes = `Error from server (Forbidden): nodes is forbidden: User "jane" cannot list resource "nodes" in API group "" at the cluster scope`
	for name, c := range map[string]struct {
		said kubectl.Said
		want kubectl.Answer
		err  string
	}{
		"all":     {said: kubectl.Said{Out: []byte(list)}, want: kubectl.Answer{Sets: 2}},
		"warning": {said: kubectl.Said{Out: []byte(list), Err: []byte("Warning: v1 Event is deprecated\n")}, want: kubectl.Answer{Sets: 2, Told: []string{"Warning: v1 Event is deprecated"}}},
		"half":    {said: kubectl.Said{Out: []byte(list), Err: []byte(nodes + "\n"), Failed: true}, want: kubectl.Answer{Sets: 2, Refused: []string{"nodes"}}},
		"none":    {said: kubectl.Said{Out: []byte(empty), Err: []byte(nodes + "\n"), Failed: true}, err: "you may not read any of: nodes"},
		"unknown": {said: kubectl.Said{Err: []byte("error: the server doesn't have a resource type \"poddisruptionbudgets\"\n"), Failed: true}, want: kubectl.Answer{Missing: []string{"poddisruptionbudgets"}}},
		"empty":   {said: kubectl.Said{Out: []byte(empty)}},
		"unreached": {said: kubectl.Said{Out: []byte(empty), Failed: true,
			Err: []byte("E1127 17:45:51.0 1 memcache.go:381] \"Couldn't get\"\nThe connection to the server a:8080 was refused\n")}, err: "The connection to the server a:8080 was refused"},
		"silent":  {said: kubectl.Said{Failed: true}, err: "it failed without a word"},
		"garbage": {said: kubectl.Said{Out: []byte("<html>")}, err: "it printed no list of objects"},
	} {
		answer, err := kubectl.Read(c.said)
		if c.err != "" {
			require.EqualError(t, err, c.err, name)
			continue
		}
		require.NoError(t, err, name)
		answer.Data = nil
		require.Equal(t, c.want, *answer, name)
	}
}

// TestQuestion: nothing is asked but to read, and never for a Secret.
func TestQuestion(t *testing.T) {
	q := kubectl.Question{Namespace: "shop", Context: "prod", Patience: 30 * time.Second}
	require.Equal(t, "get statefulsets.apps,pods,persistentvolumeclaims,persistentvolumes,controllerrevisions.apps,"+
		"poddisruptionbudgets.policy,services,nodes,events,resourcequotas,horizontalpodautoscalers.autoscaling,"+
		"storageclasses.storage.k8s.io,namespaces -o json --request-timeout 30s --namespace shop --context prod", strings.Join(q.Objects(nil), " "))
	require.Equal(t, "get leases.coordination.k8s.io -o json --request-timeout 30s --namespace kube-node-lease --context prod",
		strings.Join(q.Leases(), " "))
	require.NotContains(t, strings.Join(q.Objects([]string{"nodes", "poddisruptionbudgets"}), " "), "nodes")
	require.Equal(t, []string{"web", "web", "pod/web"}, []string{kubectl.SetName("sts/web"), kubectl.SetName("statefulset.apps/web"), kubectl.SetName("pod/web")})
}

// TestClock: the leases of the nodes show how late it is in the cluster, and its objects that it is later.
func TestClock(t *testing.T) {
	here := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC)
	leases := func(at time.Time) time.Time {
		return kubectl.Newest([]byte(`{"items":[{"spec":{"renewTime":"` + at.Format("2006-01-02T15:04:05.000000Z07:00") + `"}},{"spec":{"renewTime":null}}]}`))
	}
	for name, c := range map[string]struct {
		lease, newest time.Time
		behind        time.Duration
		says          string
	}{
		"the same":                 {leases(here.Add(-9 * time.Second)), here.Add(-time.Hour), 0, ""},
		"behind":                   {leases(here.Add(-5 * time.Minute)), here.Add(-time.Hour), 5 * time.Minute, "is 5m0s behind"},
		"ahead":                    {leases(here.Add(3 * time.Minute)), here.Add(-time.Hour), -3 * time.Minute, "is 3m0s ahead"},
		"no lease, nothing new":    {time.Time{}, here.Add(-time.Hour), 0, ""},
		"no lease, a later object": {time.Time{}, here.Add(time.Minute), -time.Minute, "is 1m0s ahead"},
	} {
		clock := kubectl.Clock{Lease: c.lease}.Seen(here, c.newest)
		require.Equal(t, c.behind, clock.Behind, name)
		require.Equal(t, here.Add(-c.behind), clock.At, name)
		require.Contains(t, clock.Differs(), c.says, name)
		require.Equal(t, c.says == "", clock.Differs() == "", name)
		later := clock.Seen(here.Add(time.Minute), c.newest)
		require.Equal(t, clock.Behind, later.Behind, "%s: it is compared once", name)
	}
	require.Zero(t, kubectl.Newest([]byte("no list")))
	now := kubectl.Clock{}.Seen(here, time.Time{})
	require.Equal(t, here, now.Seen(here.Add(-time.Hour), time.Time{}).At, "the clock here was set back")

	simulated := kubectl.Clock{Lease: here.Add(-time.Hour)}.Seen(here, time.Time{})
	require.True(t, simulated.Known)
	fast := simulated.Seen(here.Add(time.Second), here.Add(-time.Hour).Add(time.Minute))
	require.False(t, fast.Known, "a clock that runs faster is looked at again")
	fast.Lease = here.Add(-time.Hour).Add(2 * time.Minute)
	again := fast.Seen(here.Add(2*time.Second), here.Add(-time.Hour))
	require.Equal(t, fast.Lease, again.At)
	require.True(t, again.Known)
}
