package plan

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
)

// recreating is a set with the strategy Recreate.
func recreating(replicas, image, strategy string) string {
	return probed(web(replicas, image, "updateStrategy: {type: "+strategy+"}"))
}

// held returns what kubectl prints of a set with Recreate that a cluster has stored while the feature gate was on: with
// its pods, or without them.
func held(t *testing.T, pods bool) string {
	t.Helper()
	text := "kubernetes: \"1.37\"\nfeatureGates: {StatefulSetRecreateStrategy: true}\nsteps:\n" + applies(recreating("3", "a:1", "Recreate"))
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	world := sim.New(s.Config(scenario.RunOptions{}))
	world.Run(s.Steps)
	var printed bytes.Buffer
	epoch := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	require.NoError(t, printing.Print(&printed, world.State(), epoch))
	if pods {
		return printed.String()
	}
	for doc := range strings.SplitSeq(printed.String(), "---\n") {
		if strings.Contains(doc, "kind: StatefulSet\n") {
			return doc
		}
	}
	require.Fail(t, "no set", printed.String())
	return ""
}

// TestRecreateThatIsOnlyKept: a set with Recreate that was stored while the gate was on, or by an API server of 1.38, is
// kept by 1.37, which accepts its changes, and whose controller fails every sync of it: it does nothing at all. With
// another strategy it goes on. 1.38 obeys it. Versions that do not know the strategy refuse the set.
func TestRecreateThatIsOnlyKept(t *testing.T) {
	const keeps = "Kubernetes 1.37 only keeps the strategy Recreate"
	for _, c := range []struct {
		name, after, version string
		// headline, alarm and ends are parts of what the plan says; fewest is how many pods serve.
		headline, alarm, ends string
		fewest                int
	}{
		{"a new image", recreating("3", "a:2", "Recreate"), "1.37", "changes the template", keeps, "is disabled", 3},
		{"more pods", recreating("5", "a:1", "Recreate"), "1.37", "only scales from 3 to 5", keeps, "is disabled", 3},
		{"another strategy", recreating("3", "a:2", "RollingUpdate"), "1.37", "replaces all 3 pods, one at a time", "", "", 2},
		{"1.38", recreating("3", "a:2", "Recreate"), "1.38", "replaces all 3 pods, up to 3 at a time", "", "", 0},
	} {
		for _, pods := range []bool{false, true} {
			plan := plans(t, held(t, pods), c.after, &Options{Profiles: profiles(t, c.version)})
			require.Len(t, plan.Sets, 1, c.name)
			s, text := plan.Sets[0], textOf(t, plan)
			require.Nil(t, s.Refusal, c.name)
			require.Contains(t, s.Headline, c.headline, c.name)
			require.Equal(t, c.alarm != "", strings.Contains(strings.Join(strings.Fields(text), " "), keeps), "%s\n%s", c.name, text)
			require.Contains(t, s.Ends, c.ends, c.name)
			require.Equal(t, c.ends == "", s.Completes, c.name)
			require.Equal(t, c.fewest, s.Serving.Fewest, c.name)
			require.NotContains(t, text, "although maxUnavailable is", c.name)
		}
	}
	for _, pods := range []bool{false, true} {
		before := held(t, pods)
		plan := plans(t, before, before, &Options{Profiles: profiles(t, "1.37")})
		require.Contains(t, strings.Join(strings.Fields(textOf(t, plan)), " "), keeps, "nothing changes")
	}
	in, err := Read(Stream{Name: "old.yaml", Data: []byte(held(t, false))},
		Stream{Name: "new.yaml", Data: []byte(recreating("3", "a:2", "Recreate"))}, strict.Limits{})
	require.NoError(t, err)
	_, err = Of(in, &Options{Profiles: profiles(t, "1.36")})
	require.ErrorContains(t, err, "Kubernetes 1.36 would not have accepted the set that runs now")
}
