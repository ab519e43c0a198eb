package scenario

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestLate shows that a step that could not act at its time fails the run. Whether one can is not known before the run
// where the step before it has no time.
func TestLate(t *testing.T) {
	text := "steps:\n- create: {name: web, image: a}\n- restart:\n- at: 1s\n  restart:\n- at: 9s\n  restart:\n"
	s, err := Parse("test.yaml", []byte(text), nil, Options{})
	require.NoError(t, err)
	events := []timeline.Event{
		{T: model.Time(3e9), Kind: timeline.KindStep, Step: &timeline.Step{Number: 3, Trigger: "at", Delay: time.Second}},
		{T: model.Time(9e9), Kind: timeline.KindStep, Step: &timeline.Step{Number: 4, Trigger: "at", Delay: 9 * time.Second}},
	}
	verdicts := s.late(events)
	require.Len(t, verdicts, 1)
	require.Equal(t, "test.yaml:4:7", verdicts[0].Position())
	require.Equal(t, "the step before acted only at 3s: give this one a later time, or after", verdicts[0].Detail)
}
