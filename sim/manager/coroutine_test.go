package manager

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCoroutinesAreUsedAgain runs bodies one after the other, of which one is suspended meanwhile: each runs once, and
// after the end no goroutine is left.
func TestCoroutinesAreUsedAgain(t *testing.T) {
	before := runtime.NumGoroutine()
	var idle coroutines
	var said []string
	var waits *coroutine
	waits = idle.take(func() {
		said = append(said, "waits")
		if waits.suspend() {
			said = append(said, "goes on")
		}
	})
	require.False(t, waits.resume())
	first := idle.take(func() { said = append(said, "first") })
	require.True(t, first.resume())
	idle.give(first)
	second := idle.take(func() { said = append(said, "second") })
	require.Same(t, first, second)
	require.True(t, second.resume())
	idle.give(second)
	require.True(t, waits.resume())
	idle.give(waits)
	require.Equal(t, []string{"waits", "first", "second", "goes on"}, said)

	buried := idle.take(func() { said = append(said, "never") })
	buried.bury()
	idle.end()
	late := idle.take(func() { said = append(said, "late") })
	require.True(t, late.resume())
	idle.give(late)
	require.Equal(t, "late", said[len(said)-1])
	require.Len(t, said, 5)
	require.Equal(t, before, runtime.NumGoroutine())
}
