package sim

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/manager"
)

// TestPatience: what a livelock is played on for, before each step and after the last.
func TestPatience(t *testing.T) {
	const change, step = manager.AChangeMayCome, manager.AStepComes
	plain, remedy, settled, wait := Step{When: When{Trigger: At}}, Step{When: When{Trigger: At}, Remedy: true},
		Step{When: When{Trigger: OnceSettled}, Remedy: true}, Step{When: When{Trigger: At}, Until: &Wait{}}
	for _, c := range []struct {
		steps []Step
		want  []manager.Patience
	}{
		{nil, []manager.Patience{change}},
		{[]Step{plain}, []manager.Patience{change, change}},
		{[]Step{plain, remedy, plain}, []manager.Patience{step, step, change, change}},
		{[]Step{plain, settled, remedy}, []manager.Patience{change, change, step, change}},
		{[]Step{remedy, wait, remedy, remedy}, []manager.Patience{step, change, step, step, change}},
	} {
		require.Equal(t, c.want, patienceFor(c.steps))
	}
}
