package lazy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// TestMemo makes a value once, and makes it again only after hundreds of others.
func TestMemo(t *testing.T) {
	var m lazy.Memo[int, int]
	made := 0
	get := func(key int) int {
		return m.Get(key, func() int {
			made++
			return 10 * key
		})
	}
	for range 3 {
		for key := range 500 {
			require.Equal(t, 10*key, get(key))
		}
	}
	require.Equal(t, 500, made)
	for key := range 2000 {
		require.Equal(t, 10*key, get(key))
	}
	require.Equal(t, 2000, made, "the first 500 were known still")
	require.Equal(t, 0, get(0))
	require.Equal(t, 2001, made, "what is remembered is bounded")
}

// TestRegexp compiles when it is asked, not before.
func TestRegexp(t *testing.T) {
	digits, wrong := lazy.Regexp(`^\d+$`), lazy.Regexp(`(`)
	require.True(t, digits().MatchString("12"))
	require.Same(t, digits(), digits())
	require.Panics(t, func() { wrong() })
}
