package atlas_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/atlas"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestShapes: which sets have the shape of which traps.
func TestShapes(t *testing.T) {
	set := func(change func(*model.Spec)) *model.StatefulSet {
		s := &model.StatefulSet{Spec: model.Spec{Replicas: 2, Strategy: model.Strategy{RollingUpdate: &model.RollingUpdate{}}}}
		change(&s.Spec)
		return s
	}
	parallel := func(more ...func(*model.Spec)) *model.StatefulSet {
		return set(func(s *model.Spec) {
			s.PodManagement = model.Parallel
			for _, change := range more {
				change(s)
			}
		})
	}
	typeOnly := func(s *model.Spec) { s.Strategy.RollingUpdate = nil }
	waits := func(s *model.Spec) { s.MinReadySeconds = 10 }
	one := func(s *model.Spec) { s.Replicas = 1 }
	none := func(s *model.Spec) { s.Replicas = 0 }
	three := func(s *model.Spec) { s.Replicas = 3 }
	byHand := func(s *model.Spec) { s.Strategy = model.Strategy{Type: model.OnDeleteStrategy} }
	canary := func(partition, most int32, percent bool) func(*model.Spec) {
		return func(s *model.Spec) {
			s.Replicas, s.Strategy.RollingUpdate = 4, &model.RollingUpdate{
				Partition: partition, MaxUnavailable: &model.IntOrPercent{Value: most, Percent: percent},
			}
		}
	}
	for name, c := range map[string]struct {
		set   *model.StatefulSet
		traps string
	}{
		"ordered":                                 {set(func(*model.Spec) {}), "list-from-the-past broken-image-taken-back recreate-by-apply completed-pod"},
		"ordered, by hand":                        {set(byHand), "completed-pod"},
		"ordered, half from the partition up":     {set(canary(2, 50, true)), "list-from-the-past broken-image-taken-back percent-of-partition recreate-by-apply completed-pod"},
		"of which a half is one":                  {set(canary(2, 25, true)), "list-from-the-past broken-image-taken-back recreate-by-apply completed-pod"},
		"with one pod from the partition up":      {set(canary(3, 50, true)), "list-from-the-past broken-image-taken-back recreate-by-apply completed-pod"},
		"with none from the partition up":         {parallel(canary(4, 50, true)), "list-from-the-past budget-of-broken-pods start-moved two-changes surplus-holds-up recreate-by-apply completed-pod"},
		"parallel, that may lose all":             {parallel(canary(1, 100, true)), "list-from-the-past budget-of-broken-pods start-moved two-changes surplus-holds-up recreate-by-apply completed-pod"},
		"parallel, that waits for those below":    {parallel(canary(2, 1, false)), "list-from-the-past budget-of-broken-pods start-moved two-changes surplus-holds-up below-partition recreate-by-apply completed-pod"},
		"of none":                                 {set(none), "recreate-by-apply"},
		"of one":                                  {set(one), "list-from-the-past broken-image-taken-back recreate-by-apply completed-pod"},
		"that deletes claims":                     {set(func(s *model.Spec) { s.Retention = &model.Retention{DeleteWhenScaled: true} }), "list-from-the-past broken-image-taken-back scale-down-taken-back claims-lost recreate-by-apply completed-pod"},
		"that deletes them with it":               {set(func(s *model.Spec) { s.Retention = &model.Retention{DeleteWithSet: true} }), "list-from-the-past broken-image-taken-back recreate-by-apply completed-pod"},
		"parallel":                                {parallel(), "list-from-the-past budget-of-broken-pods start-moved two-changes surplus-holds-up recreate-by-apply completed-pod"},
		"parallel, by hand":                       {parallel(byHand), "start-moved surplus-holds-up completed-pod"},
		"parallel, of one":                        {parallel(one), "list-from-the-past budget-of-broken-pods surplus-holds-up recreate-by-apply completed-pod"},
		"parallel, of the type alone, of two":     {parallel(typeOnly), "late-caches list-from-the-past budget-of-broken-pods start-moved two-changes surplus-holds-up completed-pod"},
		"parallel, of the type alone":             {parallel(typeOnly, three), "hot-loop late-caches list-from-the-past budget-of-broken-pods start-moved two-changes surplus-holds-up completed-pod"},
		"parallel, that waits":                    {parallel(waits), "young-pods list-from-the-past budget-of-broken-pods start-moved two-changes surplus-holds-up recreate-by-apply completed-pod"},
		"parallel, of one that waits":             {parallel(waits, one), "list-from-the-past budget-of-broken-pods surplus-holds-up recreate-by-apply completed-pod"},
		"parallel, of the type alone, that waits": {parallel(waits, typeOnly, three), "young-pods hot-loop hot-loop-second-change late-caches list-from-the-past budget-of-broken-pods start-moved two-changes surplus-holds-up completed-pod"},
	} {
		var fits []string
		for i := range atlas.Traps {
			if atlas.Traps[i].Fits(c.set) {
				fits = append(fits, atlas.Traps[i].Name)
			}
		}
		assert.Equal(t, c.traps, strings.Join(fits, " "), name)
	}
}

// TestText: one trap is printed with all that is known of it, several with a line or two each, and none with a sentence.
func TestText(t *testing.T) {
	rows := []atlas.Row{
		{Trap: atlas.Lookup("hot-loop"), Kubernetes: []string{"1.22", "1.37.0", "1.37", "1.38"}, FewestServing: 2, Of: 3, Verdict: "livelock", Text: "steps: []\n"},
		{Trap: atlas.Lookup("completed-pod"), Kubernetes: []string{"1.24", "1.25"}},
	}
	print := func(rows []atlas.Row) string {
		var text bytes.Buffer
		require.NoError(t, atlas.Text(&text, rows, render.Style{Width: 400}))
		return text.String()
	}
	hot, done := rows[0].Trap, rows[1].Trap
	require.Equal(t, "hot-loop: "+hot.Title+"\n  versions   1.22, from 1.37\n  when       "+hot.When+"\n  worst      2 of 3 pods serve; the run ends in a livelock\n  way out    "+hot.WayOut+
		"\n  promise    "+hot.Promise+"\n  confirmed  "+hot.Confirmed+"\n  link       "+strings.Join(hot.Links, "\n  link       ")+"\n  scenario\n    steps: []\n", print(rows[:1]))
	require.Equal(t, "hot-loop: "+hot.Title+"\n  versions   1.22, from 1.37\ncompleted-pod: "+done.Title+"\n  versions   1.24.10 to 1.25\n", print(rows))
	require.Equal(t, "this version has no trap of the atlas\n", print(nil))
}

// TestRanks: a trap is found by its name, the unusual ones are those that are not common, and the worst come first.
func TestRanks(t *testing.T) {
	require.Equal(t, 0, atlas.Rank("young-pods"))
	require.Equal(t, 1, atlas.Rank("hot-loop"))
	require.Equal(t, len(atlas.Traps), atlas.Rank("nothing"))
	require.Nil(t, atlas.Lookup("nothing"))
	var names []string
	for _, trap := range atlas.Unusual() {
		require.False(t, trap.Common)
		names = append(names, trap.Name)
	}
	require.Equal(t, "young-pods hot-loop hot-loop-second-change scale-down-taken-back claims-lost", strings.Join(names[:5], " "))
	rows, err := atlas.Rows(atlas.Traps[:2], "1.37", never)
	require.NoError(t, err)
	require.Len(t, rows, 2)
	rows, err = atlas.Rows(atlas.Traps[:2], "1.36", never)
	require.NoError(t, err)
	require.Empty(t, rows)
	_, err = atlas.Rows(atlas.Traps[:1], "1.99", never)
	require.Error(t, err)
}
