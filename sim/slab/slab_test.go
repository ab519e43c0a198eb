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
