package timeline_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestPodList lets random pods come, go and come back, and holds the pods of a set to a plain list that is sorted anew
// after each event.
func TestPodList(t *testing.T) {
	key := model.Key{Namespace: "default", Name: "web"}
	rapid.Check(t, func(t *rapid.T) {
		var fold timeline.Fold
		there := map[string]int{}
		for n := range rapid.IntRange(1, 60).Draw(t, "events") {
			ordinal := rapid.IntRange(0, 12).Draw(t, "ordinal")
			name := fmt.Sprintf(rapid.SampledFrom([]string{"web-%d", "web-0%d", "other-%d"}).Draw(t, "name"), ordinal)
			state := rapid.SampledFrom([]timeline.State{timeline.Pending, timeline.Ready, timeline.Gone}).Draw(t, "state")
			event := timeline.Entry{T: model.Time(n), Kind: timeline.KindPod, Set: key, Pod: name, State: state}.Event()
			fold.Apply(&event)
			if delete(there, name); state != timeline.Gone {
				there[name] = n
			}
			set := fold.Known()[0]
			var got []string
			for p := range set.Pods.All {
				got = append(got, p.Name)
				require.Equal(t, p, set.Owned(p.Name))
			}
			require.Equal(t, len(there), set.Pods.Len())
			require.Equal(t, sorted(there), got)
			require.Equal(t, state != timeline.Gone, set.Owned(name) != nil)
			if len(got) > 0 {
				require.Equal(t, got[0], set.Pods.First().Name)
				require.Equal(t, got[len(got)-1], set.Pods.Last().Name)
			}
			require.Equal(t, len(got) > 0, set.Pods.First() != nil && set.Pods.Last() != nil)
		}
	})
}

// sorted returns names in the order of their ordinals, then of the names. Names that are not the set's have -1.
func sorted(names map[string]int) []string {
	var list []string
	for name := range names {
		list = append(list, name)
	}
	slices.SortFunc(list, func(a, b string) int {
		if x, y := ordinalIn(a), ordinalIn(b); x != y {
			return x - y
		}
		if a < b {
			return -1
		}
		return 1
	})
	return list
}

func ordinalIn(name string) int {
	if parent, ordinal := model.SplitPodName(name); parent == "web" {
		return ordinal
	}
	return -1
}
