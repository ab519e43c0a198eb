package work

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestInOrder: results come in order whatever the number of workers, and an error ends it.
func TestInOrder(t *testing.T) {
	for _, workers := range []int{1, 3, 100} {
		var got []int
		err := InOrder(20, workers, func(i int) int { return i }, func(i int) error {
			got = append(got, i)
			if i == 15 {
				return ErrFailed
			}
			return nil
		})
		require.ErrorIs(t, err, ErrFailed)
		require.Len(t, got, 16)
		require.IsIncreasing(t, got)
	}
}

// TestInOrderCatches: what panics on a worker is reported as a defect, with the stack of the worker.
func TestInOrderCatches(t *testing.T) {
	var err error
	func() {
		defer Caught(&err)
		Must(InOrder(3, 2, func(i int) int { return 6 / (i - 1) }, func(int) error { return nil }))
	}()
	var bug Defect
	require.ErrorAs(t, err, &bug)
	require.Contains(t, bug.Error(), "divide by zero")
	require.Contains(t, bug.Stack, "TestInOrderCatches")
}

// TestProgress: long work is shown on a terminal, once a second, and nowhere else: its time, how many are done, or how
// far a search is. It leaves nothing behind.
func TestProgress(t *testing.T) {
	for want, show := range map[string]func(*Progress){
		"":           func(p *Progress) { p.Show(nil) },
		", 7 of 300": func(p *Progress) { p.Count(7, 300) },
		" of 5m00s, 2 runs": func(p *Progress) {
			p.Show(func() string { return " of 5m00s, 2 runs" })
		},
	} {
		for _, terminal := range []bool{true, false} {
			// The clock of a bubble moves only while all sleep, however slow the machine is.
			synctest.Test(t, func(t *testing.T) {
				var shown bytes.Buffer
				p := NewProgress(&shown, terminal, "playing")
				show(p)
				p.Clear()
				require.Empty(t, shown.String(), "not before a second has passed")
				time.Sleep(133_500 * time.Millisecond)
				for range 300 {
					show(p)
				}
				p.Clear()
				if terminal {
					require.Equal(t, "\r\x1b[Kplaying: 2m13s"+want+" (Ctrl-C ends it)\r\x1b[K", shown.String())
				} else {
					require.Empty(t, shown.String())
				}
			})
		}
	}
}

// seen is a terminal that says when something was shown for the first time.
type seen struct{ first chan struct{} }

func (s *seen) Write(p []byte) (int, error) {
	select {
	case <-s.first:
	default:
		close(s.first)
	}
	return len(p), nil
}

// TestAwaitShowing: what takes long is shown while it is awaited, and what it returns is returned.
func TestAwaitShowing(t *testing.T) {
	terminal := &seen{make(chan struct{})}
	bar := NewProgress(terminal, true, "reading")
	bar.begun = bar.begun.Add(-time.Minute)
	got, err := AwaitShowing(t.Context(), bar, func() (int, error) {
		<-terminal.first
		return 7, nil
	})
	require.NoError(t, err)
	require.Equal(t, 7, got)
}
