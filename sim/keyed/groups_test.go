package keyed_test

import (
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// TestGroups does the same to groups and to a list of pairs.
func TestGroups(t *testing.T) {
	type pair struct {
		group int
		key   model.Key
	}
	rapid.Check(t, func(t *rapid.T) {
		var groups keyed.Groups[int]
		require.False(t, groups.Kept())
		plain := map[pair]bool{}
		for range rapid.IntRange(1, 40).Draw(t, "acts") {
			p := pair{rapid.IntRange(0, 2).Draw(t, "group"), model.Key{Name: rapid.StringMatching(`[a-c]{1,2}`).Draw(t, "key")}}
			if rapid.Bool().Draw(t, "add") {
				groups.Add(p.group, p.key)
				require.True(t, groups.Kept())
				plain[p] = true
			} else {
				groups.Remove(p.group, p.key)
				delete(plain, p)
			}
			var want map[model.Key]bool
			for other := range maps.Keys(plain) {
				if other.group == p.group {
					keyed.Put(&want, other.key, true)
				}
			}
			require.Equal(t, keyed.Sorted(want), groups.Keys(p.group))
		}
	})
}
