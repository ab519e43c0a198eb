package explain_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
)

// TestADrainThatAStuckSetHoldsUp: of a set that is stuck it is said that a cordoned node cannot be drained for that
// reason, if that is so.
func TestADrainThatAStuckSetHoldsUp(t *testing.T) {
	data := oncall.Of("a-drain-that-a-crash-holds-up")
	s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.36\"\nsteps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	const (
		cordoned = "The node node-1 is cordoned, and a drain of it cannot finish: "
		budget   = "maxUnavailable: 1"
		other    = `- {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: team, namespace: prod}, spec: {maxUnavailable: 1,
    selector: {matchLabels: {app: web}}}}
`
	)
	for name, c := range map[string]struct{ old, new, says string }{
		"a pod that is not Ready": {"", "", cordoned + "the PodDisruptionBudget web allows no eviction of web-0 (2 of 3 healthy, 2 wanted) " +
			"while web-2 is not Ready. The drain goes on when web-2 is Ready."},
		"several pods on the node": {"nodeName: node-2", "nodeName: node-1", cordoned + "the PodDisruptionBudget web allows no eviction of " +
			"web-0, web-1 (2 of 3 healthy, 2 wanted) while web-2 is not Ready. The drain goes on when web-2 is Ready."},
		"a budget that never allows one": {budget, "maxUnavailable: 0", cordoned + "the PodDisruptionBudget web allows no eviction of web-0 " +
			"(2 of 3 healthy, 3 wanted). It wants all its pods, so it never allows one."},
		"a budget that allows one":  {budget, "maxUnavailable: 2", ""},
		"two budgets":               {"items:\n", "items:\n" + other, cordoned + "web-0 cannot be evicted: more than one PodDisruptionBudget selects it, and then every eviction is refused."},
		"a pod that may be evicted": {"nodeName: node-3", "nodeName: node-1", cordoned + "the PodDisruptionBudget web allows no eviction of web-0 (2 of 3 healthy, 2 wanted) while web-2 is not Ready. The drain goes on when web-2 is Ready."},
		"a node without its pods":   {"nodeName: node-1", "nodeName: node-4", ""},
		"no cordoned node":          {"unschedulable: true", "unschedulable: false", ""},
		"budgets for others":        {"selector: {matchLabels: {app: web}}, maxUnavailable", "selector: {matchLabels: {app: db}}, maxUnavailable", ""},
	} {
		text := strings.Replace(string(data), c.old, c.new, 1)
		if c.old != "" {
			require.NotEqual(t, string(data), text, name)
		}
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
		require.NoError(t, err, name)
		facts := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0].Facts
		at := slices.IndexFunc(facts, func(fact string) bool { return strings.Contains(fact, "cordoned") })
		if c.says == "" {
			require.Negative(t, at, name)
			continue
		}
		require.GreaterOrEqual(t, at, 0, name)
		require.Equal(t, c.says, facts[at], name)
	}
}
