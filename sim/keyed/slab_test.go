package keyed_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/keyed"
)

// TestNext asks for many values: each is zero, nobody else's, and they take few allocations.
func TestNext(t *testing.T) {
	var s keyed.Slab[int]
	seen := map[*int]bool{}
	for range 1000 {
		v := s.Next()
		require.Zero(t, *v)
		require.False(t, seen[v])
		seen[v] = true
		*v = 1
	}
	few := keyed.Slab[[64]byte]{Most: 8}
	require.Less(t, testing.AllocsPerRun(10, func() {
		for range 80 {
			few.Next()
		}
	}), 12.0)
}

// TestPool retires values: they stay as they are until they are released, and come back then; those that are forgotten
// never do.
func TestPool(t *testing.T) {
	var p keyed.Pool[int]
	first, second := p.Next(), p.Next()
	*first, *second = 1, 2
	p.Retire(first)
	require.NotSame(t, first, p.Next(), "nobody has released it")
	require.Equal(t, 1, *first)
	require.Equal(t, 1, p.Retired())
	p.Release()
	require.Zero(t, p.Retired())
	require.Same(t, first, p.Next())
	require.NotSame(t, first, p.Next(), "it was handed out already")
	p.Retire(first)
	p.Retire(second)
	require.Equal(t, []*int{first, second}, p.Forget())
	p.Release()
	third := p.Next()
	require.NotSame(t, first, third)
	require.NotSame(t, second, third)
	require.Less(t, testing.AllocsPerRun(10, func() {
		for range 100 {
			p.Retire(p.Next())
			p.Release()
		}
	}), 1.0)
}

// TestPieces: a slab allocates pieces that double from 4 values to 256, or to Most.
func TestPieces(t *testing.T) {
	allocations := func(most, values int) float64 {
		return testing.AllocsPerRun(5, func() {
			s := keyed.Slab[[8]*int]{Most: most}
			for range values {
				s.Next()
			}
		})
	}
	for _, c := range []struct{ most, values, want int }{
		{0, 4, 1}, {0, 5, 2}, {0, 12, 2}, {0, 13, 3}, {0, 4 + 8 + 16 + 32 + 64 + 128 + 256 + 256, 8}, {8, 4 + 8 + 8, 3}, {8, 21, 4}, {1, 3, 3},
	} {
		require.Equal(t, float64(c.want), allocations(c.most, c.values), "%d values, at most %d", c.values, c.most)
	}
}

// TestReleases: what is released twice in a row comes back each time, also while some of the first is still free.
func TestReleases(t *testing.T) {
	var p keyed.Pool[int]
	a, b, c := p.Next(), p.Next(), p.Next()
	p.Retire(a)
	p.Retire(b)
	p.Release()
	p.Retire(c)
	p.Release()
	require.Zero(t, p.Retired())
	p.Release()
	back := map[*int]int{}
	for range 3 {
		back[p.Next()]++
	}
	require.Equal(t, map[*int]int{a: 1, b: 1, c: 1}, back, "each comes back once")
	require.Zero(t, back[p.Next()])
}
