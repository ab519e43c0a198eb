package keyed_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// TestSelectorsFindWhatMatches compares the index with a look at all selectors, whatever is added and removed.
func TestSelectorsFindWhatMatches(t *testing.T) {
	type item struct {
		namespace string
		selector  model.Selector
	}
	word := rapid.SampledFrom([]string{"a", "b", "c"})
	rapid.Check(t, func(t *rapid.T) {
		var index keyed.Selectors[*item]
		var list []*item
		for range rapid.IntRange(0, 30).Draw(t, "items") {
			it := &item{namespace: word.Draw(t, "namespace")}
			for range rapid.IntRange(0, 3).Draw(t, "needs") {
				op := model.SelectorOp(rapid.IntRange(0, int(model.OpDoesNotExist)).Draw(t, "op"))
				values := []string{word.Draw(t, "value")}
				if op > model.OpEquals && rapid.Bool().Draw(t, "two") {
					values = append(values, word.Draw(t, "other"))
				}
				it.selector.Needs = append(it.selector.Needs, model.Requirement{Label: word.Draw(t, "label"), Op: op, Values: values})
			}
			index.Add(it.namespace, &it.selector, it)
			list = append(list, it)
			if n := len(list); rapid.Bool().Draw(t, "remove") {
				at := rapid.IntRange(0, n-1).Draw(t, "at")
				index.Remove(list[at].namespace, &list[at].selector, list[at])
				list = append(list[:at:at], list[at+1:]...)
			}
		}
		require.Equal(t, len(list), index.Len())
		namespace, labels := word.Draw(t, "its namespace"), rapid.MapOf(word, word).Draw(t, "labels")
		var want []*item
		for _, it := range list {
			if it.namespace == namespace && it.selector.Matches(labels) {
				want = append(want, it)
			}
		}
		got := index.Matching(nil, namespace, labels)
		require.Equal(t, len(want), len(got), fmt.Sprint(labels))
		for i := range want {
			require.Same(t, want[i], got[i])
		}
	})
}
