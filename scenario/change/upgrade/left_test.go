package upgrade_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/upgrade"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// TestCausesOfLeft: the differences are named without which the later version leaves what the earlier one leaves, and
// none where both leave the same.
func TestCausesOfLeft(t *testing.T) {
	const claimed = `
steps:
- create:
    name: web
    replicas: 2
    image: "a:1"
    persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}
    volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]
- scale: {replicas: 1}
`
	for _, c := range []struct{ name, text, from, to, left, cause string }{
		{"claims that a scale-down leaves", claimed, "1.26", "1.27", "the claim data-web-1", "retention"},
		{"no claims", "steps:\n- create: {name: web, replicas: 2, image: \"a:1\"}\n- scale: {replicas: 1}\n", "1.26", "1.27", "", ""},
		{"versions that both delete claims", claimed, "1.27", "1.28", "", ""},
	} {
		profiles := [2]statefulset.Profile{}
		for i, name := range []string{c.from, c.to} {
			profile, err := statefulset.Lookup(name)
			require.NoError(t, err)
			profiles[i] = profile
		}
		pair := upgrade.NewPair(profiles[0], profiles[1], func(p statefulset.Profile, _ time.Duration) []timeline.Event {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			s.Profile = p
			return s.Run(scenario.RunOptions{}).Timeline
		})
		left := versus.Left(pair.Runs[0], pair.Runs[1])
		require.Equal(t, c.left, left[0], c.name)
		cause := ""
		for _, d := range pair.CausesOfLeft() {
			cause += d.Name
		}
		require.Equal(t, c.cause, cause, c.name)
	}
}

// TestPath: a control plane passes each minor version between two.
func TestPath(t *testing.T) {
	stop := func(name string) upgrade.Stop {
		profile, err := statefulset.Lookup(name)
		require.NoError(t, err)
		return upgrade.Stop{Name: name, Profile: profile}
	}
	for _, c := range []struct {
		from, to string
		want     []string
	}{
		{"1.25", "1.28", []string{"1.25", "1.26", "1.27", "1.28"}}, {"1.27", "1.28", []string{"1.27", "1.28"}},
		{"1.36", "1.36", []string{"1.36", "1.36"}},
	} {
		path := upgrade.Path(stop(c.from), stop(c.to), nil)
		var names []string
		for _, s := range path {
			names = append(names, s.Name)
		}
		require.Equal(t, c.want, names)
	}
}
