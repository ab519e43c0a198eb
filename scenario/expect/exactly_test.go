package expect

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestExactlyInAnyOrder: a group fits if some order of its entries does, tried one after the other.
func TestExactlyInAnyOrder(t *testing.T) {
	patterns := []string{"web-0 Ready", "web-[01] Ready", "web-? *", "web-2 *", "* Gone", "web-1 Gone"}
	rapid.Check(t, func(t *rapid.T) {
		var group []*entry
		var events []timeline.Event
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			e, err := parseEntry(rapid.SampledFrom(patterns).Draw(t, "entry"))
			require.NoError(t, err)
			group = append(group, e)
			events = append(events, timeline.Entry{Kind: timeline.KindPod,
				Pod:   rapid.SampledFrom([]string{"web-0", "web-1", "web-2"}).Draw(t, "pod"),
				State: rapid.SampledFrom([]timeline.State{timeline.Ready, timeline.Gone}).Draw(t, "state")}.Event())
		}
		w := exactly{groups: [][]*entry{group}}.begin(newRun(events), model.Key{})
		for i := range events {
			w.event(i)
		}
		f, _ := w.end()
		require.Equal(t, anyOrder(group, events), f == nil)
	})
}

func anyOrder(group []*entry, events []timeline.Event) bool {
	if len(events) == 0 {
		return true
	}
	for j, e := range group {
		rest := slices.Delete(slices.Clone(group), j, j+1)
		if e.matches(&events[0]) && anyOrder(rest, events[1:]) {
			return true
		}
	}
	return false
}
