package plan

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/sim"
)

// cluster plays a scenario, and returns what kubectl prints of its cluster at the end, with the objects beside it.
func cluster(t *testing.T, kubelet, steps string) string {
	t.Helper()
	text := "kubernetes: \"1.37\"\nkubelet: {" + kubelet + "}\nsteps:\n" + steps
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err, text)
	world := sim.New(s.Config(scenario.RunOptions{}))
	world.Run(s.Steps)
	var printed bytes.Buffer
	epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, dump.Print(&printed, world.State(), epoch))
	return printed.String()
}

// applies is a step that applies manifests.
func applies(manifests string) string {
	return "- apply: |\n    " + strings.ReplaceAll(strings.TrimSpace(manifests), "\n", "\n    ") + "\n"
}

// TestChangeOfADeletedSet: a change of a set that somebody has deleted is planned, and does not complete: the set is
// gone in the end.
func TestChangeOfADeletedSet(t *testing.T) {
	before := cluster(t, "rules: [{match: {pod: web-2}, stop: never}]",
		applies(probed(web("3", "a:1")))+"- delete: statefulset/web\n  cascade: foreground\n")
	plan := plans(t, before, probed(web("3", "a:2")), &Options{Runs: 3})
	s := plan.find("web")
	require.Equal(t, "the set is gone: somebody has deleted it", s.Ends)
	require.False(t, plan.Settles || s.Completes)
	require.True(t, s.Duration.Endless)
	require.Empty(t, s.Cases)
	require.Contains(t, s.Now, "the StatefulSet is being deleted")
}
