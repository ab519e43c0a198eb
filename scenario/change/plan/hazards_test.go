package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHazards: a plan names the traps of 1.38 that its change meets in the version that it plays, with the way out.
func TestHazards(t *testing.T) {
	half := "updateStrategy: {rollingUpdate: {partition: 2, maxUnavailable: 50%}}"
	canary := "updateStrategy: {rollingUpdate: {partition: 2}}"
	recreate := "updateStrategy: {type: Recreate}"
	for _, c := range []struct {
		name, before, after string
		in137, in138        []string
		says                string
	}{
		{"a scale-down", probed(web("4", "a:1", parallel)), probed(web("3", "a:1", parallel)), nil,
			[]string{"surplus-holds-up web"}, "exempt the pods from the webhook"},
		{"a scale-up", probed(web("3", "a:1", parallel)), probed(web("4", "a:1", parallel)), nil, nil, ""},
		{"a percentage and a partition", probed(web("4", "a:1", half)), probed(web("4", "a:2", half)), nil,
			[]string{"percent-of-partition web"}, "Write the number of pods as maxUnavailable"},
		{"a partition alone", probed(web("4", "a:1", canary)), probed(web("4", "a:2", canary)), nil, nil, ""},
		{"Parallel and a partition", probed(web("4", "a:1", parallel, canary)), probed(web("4", "a:2", parallel, canary)),
			[]string{"below-partition web"}, nil, "Heal the pods below the partition"},
		{"to Recreate by apply", probed(web("4", "a:1")), probed(web("4", "a:1", recreate)), []string{"refused web"},
			[]string{"refused web", "recreate-by-apply web"}, "Write rollingUpdate: null beside type: Recreate"},
		{"to Recreate without the block", probed(web("4", "a:1")),
			probed(web("4", "a:1", "updateStrategy: {type: Recreate, rollingUpdate: null}")), []string{"refused web"}, nil, ""},
	} {
		said := ""
		for version, want := range map[string][]string{"1.37": c.in137, "1.38": c.in138} {
			plan := plans(t, c.before, c.after, &Options{Profiles: profiles(t, version)})
			require.Equal(t, want, traps(plan), "%s on %s", c.name, version)
			for _, a := range plan.Alarms {
				said += a.Sentence + "\n"
			}
		}
		require.Contains(t, said, c.says, c.name)
	}
}
