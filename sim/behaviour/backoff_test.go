package behaviour_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// waits lets a container end so many times, each time after it has run for so long, and returns its waits in seconds.
func waits(b behaviour.BackOff, runs ...time.Duration) (seconds []int, steady []bool) {
	var r behaviour.Restarts
	now := model.Time(0)
	for _, run := range runs {
		now = now.Add(run)
		wait := r.Ended(b, now)
		now = now.Add(wait)
		r.Restarted(now)
		seconds, steady = append(seconds, int(wait.Seconds())), append(steady, r.Steady())
	}
	return seconds, steady
}

func TestTheWaitsOfACrashLoopDouble(t *testing.T) {
	runs := []time.Duration{1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9, 1e9}
	got, steady := waits(behaviour.CrashLoopBackOff, runs...)
	require.Equal(t, []int{0, 10, 20, 40, 80, 160, 300, 300, 300}, got)
	require.Equal(t, []bool{false, false, false, false, false, false, false, true, true}, steady)
	got, _ = waits(behaviour.CrashLoopBackOff.Capped(60*time.Second), runs[:6]...)
	require.Equal(t, []int{0, 10, 20, 40, 60, 60}, got)
	got, _ = waits(behaviour.CrashLoopBackOff.Capped(3*time.Second), runs[:4]...)
	require.Equal(t, []int{0, 3, 3, 3}, got, "a maximum below the first wait is the first wait too")
}

func TestTenMinutesOfRunningAreForgiven(t *testing.T) {
	got, steady := waits(behaviour.CrashLoopBackOff, 1e9, 1e9, 1e9, 10*time.Minute, 10*time.Minute+1, 1e9, 1e9)
	require.Equal(t, []int{0, 10, 20, 40, 0, 10, 20}, got)
	require.NotContains(t, steady, true)
	_, steady = waits(behaviour.CrashLoopBackOff, time.Hour, time.Hour)
	require.Equal(t, []bool{false, true}, steady, "a container that crashes once an hour does so for ever")
	got, _ = waits(behaviour.CrashLoopBackOff.Capped(time.Second), 1e9, 1e9, 10*time.Minute)
	require.Equal(t, []int{0, 1, 1}, got, "a shorter maximum forgives no sooner")
}

func TestTheAttemptsToPullAnImage(t *testing.T) {
	var a behaviour.Attempts
	var got []int
	for range 7 {
		got = append(got, int(a.Fail(behaviour.ImageBackOff).Seconds()))
	}
	require.Equal(t, []int{10, 20, 40, 80, 160, 300, 300}, got)
	require.Equal(t, 7, a.Failed)
}
