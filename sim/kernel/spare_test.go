package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestSpare lets one kernel after the other use the same memory. A timeline that was saved stays as it was; one that
// was not is written over.
func TestSpare(t *testing.T) {
	spare := &kernel.Spare{}
	record := func(message string) *kernel.Kernel {
		k := kernel.New(nil)
		k.Use(spare)
		k.Record(timeline.Entry{Kind: timeline.KindStep, Message: message})
		return k
	}
	first := record("first")
	saved := first.Save()
	first.Leave()
	second := record("second")
	left := second.Events()
	second.Leave()
	third := record("third")

	again := kernel.New(nil)
	again.Rewind(saved)
	require.Equal(t, "first", again.Events()[0].Message, "what was saved stays")
	require.Equal(t, "third", third.Events()[0].Message)
	require.Equal(t, "third", left[0].Message, "what was left is used again")
}

// TestWarningsAreTheirOwn: what one of two worlds that begin with the same state warns of, the other does not.
func TestWarningsAreTheirOwn(t *testing.T) {
	first := kernel.New(nil)
	for range 17 {
		first.Warn("before")
	}
	saved := first.Save()
	var worlds []*kernel.Kernel
	for _, warning := range []string{"one", "two"} {
		k := kernel.New(nil)
		k.Rewind(saved)
		k.Warn("%s", warning)
		worlds = append(worlds, k)
	}
	require.Equal(t, "one", worlds[0].Result.Warnings[17])
	require.Equal(t, "two", worlds[1].Result.Warnings[17])
}
