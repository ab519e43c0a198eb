package stored

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/plan/pair"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestADumpWithoutDefaults: what an apply makes of a set that was printed without the defaults of the version is
// computed once, and holds as long as nothing else has changed the set.
func TestADumpWithoutDefaults(t *testing.T) {
	set := "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: web}\nspec:\n  replicas: 3\n" +
		"  updateStrategy: {rollingUpdate: {partition: 0}}\n  selector: {matchLabels: {app: web}}\n" +
		"  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, image: \"a:1\"}]}}\n"
	live := cluster(t, set)
	require.Contains(t, live, "maxUnavailable: 1\n")
	live = regexp.MustCompile("\n *maxUnavailable: 1").ReplaceAllString(live, "")
	s, f := first(t, live, strings.Replace(set, "a:1", "a:2", 1))
	begins := sim.New(s.Part.Begin(f.Config()))
	begins.Run(nil)
	begun := begins.State().Sets[0]
	require.True(t, s.shownAs.is(begun))
	require.Equal(t, "a:2", s.shownAs.asked.Spec.Template.Image())
	for what, change := range map[string]func(){
		"replicas":    func() { begun.Spec.Replicas = 4 },
		"labels":      func() { begun.Labels = map[string]string{"a": "b"} },
		"annotations": func() { begun.Annotations = map[string]string{"a": "b"} },
		"template":    func() { begun.Spec.Template = s.Wanted.Spec.Template },
	} {
		as := *begun
		change()
		require.False(t, s.shownAs.is(begun), what)
		*begun = as
	}
	s, _ = first(t, cluster(t, set), strings.Replace(set, "a:1", "a:2", 1))
	require.Nil(t, s.shownAs, "a set with all defaults changes as the one that is stored")
	require.False(t, s.shownAs.is(begun))
}

// cluster returns what kubectl prints of a cluster in which a set was applied.
func cluster(t *testing.T, set string) string {
	t.Helper()
	text := "kubernetes: \"1.37\"\nsteps:\n- apply: |\n    " + strings.ReplaceAll(strings.TrimSpace(set), "\n", "\n    ") + "\n"
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err, text)
	world := sim.New(s.Config(scenario.RunOptions{}))
	world.Run(s.Steps)
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, world.State(), time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)))
	return printed.String()
}

// first returns the first set of a change as it is stored.
func first(t *testing.T, before, after string) (*Set, *Frame) {
	t.Helper()
	in, err := pair.Read(pair.Stream{Name: "old.yaml", Data: []byte(before)},
		pair.Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
	require.NoError(t, err)
	profile, err := statefulset.Lookup("1.37")
	require.NoError(t, err)
	f := &Frame{Options: &Options{}, Input: in, Profile: profile}
	sets, err := f.All()
	require.NoError(t, err)
	return sets[0], f
}
