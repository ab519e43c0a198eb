package heal_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestReadinessThatCostsTooMuch: fixes are tried as long as their readiness conditions do not cost too much, all
// together. If nobody knows whether a condition holds, none is tried. What was not tried is said.
func TestReadinessThatCostsTooMuch(t *testing.T) {
	const broken = "rules: [{match: {image: \"app:bad\"}, ready: never}]"
	const steps = "- create: {name: web, replicas: 3, image: \"app:v1\"}\n- setImage: {statefulset: web, image: \"app:bad\"}\n"
	for _, c := range []struct {
		name     string
		cost     int64
		err      error
		heals    bool
		asked    int
		complete bool
	}{
		{"a cheap condition", 1000, nil, true, 1000, true},
		{"a dear condition", 10_000_000, nil, false, 3, false},
		{"a condition that nobody knows the value of", 1, errors.New("too dear"), false, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, asked := stuck(t, broken, steps), 0
			when := &behaviour.Condition{Text: "it costs", Shared: true,
				Holds: func(_ *timeline.Fold, _ model.Key, _ string, pay behaviour.Pay) (bool, error) {
					asked++
					pay(c.cost)
					return c.err == nil, c.err
				}}
			s.Lab.World.Kubelet.Default.When, s.Lab.World.MaxCost = when, 0
			s.Events = s.Lab.Run(nil)
			asked = 0
			way, _ := s.Best()
			require.Equal(t, c.heals, way != nil)
			require.LessOrEqual(t, asked, c.asked)
			require.Equal(t, c.complete, s.Untried() == "")
			asked = 0
			all := s.All()
			require.Equal(t, c.heals, len(all) > 0 && all[0].Heals)
			require.Zero(t, asked*len(s.Untried()), "the purse is one for all that is tried")
		})
	}
	s := stuck(t, broken, steps)
	_, _ = s.Best()
	require.Empty(t, s.Untried())
}
