package diff

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestDiffHidesNothing: two values without a difference in the list of differences are equal.
func TestDiffHidesNothing(t *testing.T) {
	names := rapid.SampledFrom([]string{"name", "mountPath", "containerPort", "value"})
	scalar := rapid.OneOf(
		rapid.Map(rapid.SampledFrom([]string{"", "a", "b", "--a=1", "--a=2", "--b=1"}), func(s string) any { return s }),
		rapid.Map(rapid.IntRange(0, 2), func(n int) any { return float64(n) }),
	)
	values := rapid.OneOf(scalar,
		rapid.Map(rapid.MapOfN(names, scalar, 0, 3), func(m map[string]any) any { return m }))
	lists := rapid.SliceOfN(values, 0, 5)
	rapid.Check(t, func(t *rapid.T) {
		a, b := any(lists.Draw(t, "a")), any(lists.Draw(t, "b"))
		changes := Of("list", a, b)
		require.Equal(t, reflect.DeepEqual(a, b), len(changes) == 0, "%v", changes)
	})
}

// TestLongLists: lists that are too long to be aligned are compared place by place.
func TestLongLists(t *testing.T) {
	var a, b []any
	for i := range 2000 {
		a, b = append(a, render.Count(i, "item")), append(b, render.Count(i, "item"))
	}
	b[7], b = "other", append(b, "more")
	require.Equal(t, []Change{
		{Path: "list[7]", Old: "7 items", New: "other"}, {Path: "list[2000]", New: "more"},
	}, Of("list", a, b))
}
