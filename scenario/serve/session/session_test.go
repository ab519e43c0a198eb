package session

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWhen: what waits for a client is done once: as soon as the client is gone, or after a minute if it stays.
func TestWhen(t *testing.T) {
	for closes, want := range map[time.Duration]time.Duration{time.Second: time.Second, time.Hour: time.Minute} {
		synctest.Test(t, func(t *testing.T) {
			begun, closed, done := time.Now(), make(chan bool), make(chan time.Duration, 2)
			when(closed, func() { done <- time.Since(begun) })
			time.Sleep(closes)
			close(closed)
			synctest.Wait()
			require.Equal(t, want, <-done)
			require.Empty(t, done)
		})
	}
}
