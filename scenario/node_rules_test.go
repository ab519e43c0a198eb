package scenario_test

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
)

// TestRulesOfVersions: up to which version each older rule about nodes, evictions and words holds; the next has the
// newer one. The grace of the node monitor became 50s in 1.32.
func TestRulesOfVersions(t *testing.T) {
	of := func(version string) sim.NodeRules {
		s, err := scenario.Parse("s.yaml", []byte("kubernetes: \""+version+"\"\nsteps: [{create: {name: web, image: \"app:v1\"}}]\n"), nil, scenario.Options{})
		require.NoError(t, err)
		return s.Config(scenario.RunOptions{}).Cluster.Rules
	}
	for _, c := range []struct{ rule, last, next string }{
		{"SaysNoPreemption", "1.22", "1.24"},
		{"SaysTolerate", "1.22", "1.24"},
		{"IgnoresOutOfService", "1.25", "1.26"},
		{"DeletesUnmarked", "1.25", "1.26"},
		{"IgnoresUnhealthyPolicy", "1.26", "1.27"},
		{"SaysNothingOfUnmanaged", "1.26", "1.27"},
		{"IgnoresSidecars", "1.28", "1.29"},
		{"SaysConflict", "1.32", "1.33"},
		{"NamesTaints", "1.33", "1.34"},
		{"SaysNoResourceClaims", "1.33", "1.34"},
		{"HopesForRoom", "1.33", "1.34"},
	} {
		require.True(t, reflect.ValueOf(of(c.last)).FieldByName(c.rule).Bool(), "%s in %s", c.rule, c.last)
		require.False(t, reflect.ValueOf(of(c.next)).FieldByName(c.rule).Bool(), "%s in %s", c.rule, c.next)
	}
	require.Equal(t, 40*time.Second, of("1.31").MonitorGrace)
	require.Zero(t, of("1.32").MonitorGrace, "the default, 50s")
}

// TestShortestResync: the resync of a controller is never, or a second at least.
func TestShortestResync(t *testing.T) {
	for resync, wrong := range map[string]string{"0s": "", "1s": "", "999ms": "s.yaml:1:22: resync is 999ms: write at least 1s, or 0s for never"} {
		_, err := scenario.Parse("s.yaml", []byte("controller: {resync: "+resync+"}\nsteps: [{create: {name: web, image: \"app:v1\"}}]\n"), nil, scenario.Options{})
		if wrong == "" {
			require.NoError(t, err, resync)
		} else {
			require.EqualError(t, err, wrong)
		}
	}
}
