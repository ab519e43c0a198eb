package keyed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/keyed"
)

// TestAClonedMapIsAnother: a clone has the values, or copies of them, in whatever way it is asked, and neither of the two
// hears of what becomes of the other.
func TestAClonedMapIsAnother(t *testing.T) {
	a, b, c := model.Key{Name: "a"}, model.Key{Name: "b"}, model.Key{Name: "c"}
	for _, asked := range []bool{false, true} {
		var m keyed.Map[*int]
		one, two := 1, 2
		m.Put(b, &two)
		m.Put(a, &one)
		if asked {
			require.Equal(t, []*int{&one, &two}, m.Values())
			require.Same(t, &one, m.Get(a))
		}
		same := m.Clone()
		copied := m.CloneWith(func(n *int) *int {
			next := *n * 10
			return &next
		})
		require.Same(t, &one, same.Get(a))
		require.Same(t, &two, same.Values()[1])
		require.Equal(t, 10, *copied.Get(a))
		require.Equal(t, 20, *copied.Get(b))
		for i, want := range []int{10, 20} {
			require.Equal(t, want, *copied.Values()[i])
		}
		m.Delete(a)
		same.Put(c, &one)
		copied.Delete(b)
		require.Equal(t, []model.Key{b}, m.Keys())
		require.Equal(t, []model.Key{a, b, c}, same.Keys())
		require.Equal(t, []model.Key{a}, copied.Keys())
	}
}
