package slab_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/slab"
)

// TestNext asks for many values: each is zero, nobody else's, and they take few allocations.
func TestNext(t *testing.T) {
	var s slab.Slab[int]
	seen := map[*int]bool{}
	for range 1000 {
		v := s.Next()
		require.Zero(t, *v)
		require.False(t, seen[v])
		seen[v] = true
		*v = 1
	}
	few := slab.Slab[[64]byte]{Most: 8}
	require.Less(t, testing.AllocsPerRun(10, func() {
		for range 80 {
			few.Next()
		}
	}), 12.0)
}

// TestPool retires values: they stay as they are until they are released, and come back then; those that are forgotten
// never do.
func TestPool(t *testing.T) {
	var p slab.Pool[int]
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
