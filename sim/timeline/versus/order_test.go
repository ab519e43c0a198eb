package versus

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestSameOrder holds that times are no part of an order, and that batches are.
func TestSameOrder(t *testing.T) {
	gone := func(at int, name string) timeline.Event { return pod(at, name, 1, timeline.Terminating) }
	run := []timeline.Event{gone(1, "web-2"), gone(5, "web-1"), gone(9, "web-0")}
	tests := []struct {
		name  string
		other []timeline.Event
		same  bool
	}{
		{"the same", run, true},
		{"slower", []timeline.Event{gone(2, "web-2"), gone(8, "web-1"), gone(20, "web-0")}, true},
		{
			"with what nobody orders",
			[]timeline.Event{gone(1, "web-2"), pod(3, "web-0", 1, timeline.Unready), gone(5, "web-1"), gone(9, "web-0")}, true,
		},
		{"the other way round", []timeline.Event{gone(1, "web-0"), gone(5, "web-1"), gone(9, "web-2")}, false},
		{"two at once", []timeline.Event{gone(1, "web-2"), gone(5, "web-1"), gone(5, "web-0")}, false},
		{"one less", run[:2], false},
		{
			"of another template",
			[]timeline.Event{gone(1, "web-2"), gone(5, "web-1"), pod(9, "web-0", 2, timeline.Terminating)}, false,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.same, SameOrder(run, tt.other))
			require.Equal(t, tt.same, SameOrder(tt.other, run))
		})
	}
}
