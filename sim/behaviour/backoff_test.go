package behaviour_test

import (
	"fmt"
	"strings"
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

// printed notes what a back-off prints of itself.
type printed []string

func (p *printed) Int(n int)         { *p = append(*p, fmt.Sprint(n)) }
func (p *printed) Time(t model.Time) { *p = append(*p, t.Clock()) }

// TestBackOffsThatWaitDifferentlyPrintThemselvesDifferently: so a fingerprint tells them apart, at each end of a container.
func TestBackOffsThatWaitDifferentlyPrintThemselvesDifferently(t *testing.T) {
	seen := map[string]string{}
	apart := func(name string, print func(behaviour.Printer)) {
		var p printed
		print(&p)
		text := strings.Join(p, " ")
		require.Empty(t, seen[text], "%s prints itself as %s does: %s", name, seen[text], text)
		seen[text] = name
	}
	var r behaviour.Restarts
	apart("one that has never ended", r.Print)
	for i, now := range []time.Duration{time.Second, 2 * time.Second, 20 * time.Second, 60 * time.Second, 2 * time.Minute} {
		r.Ended(behaviour.CrashLoopBackOff, model.Time(now))
		apart(fmt.Sprint(i+1, " ends"), r.Print)
		r.Restarted(model.Time(now + 1))
		apart(fmt.Sprint(i+1, " restarts"), r.Print)
	}
	var a behaviour.Attempts
	for i := range 9 {
		apart(fmt.Sprint(i, " attempts"), a.Print)
		a.Fail(behaviour.ImageBackOff)
	}
}

// TestACrashLoopIsSteadyWhenItsWaitsDoNotGrow: after two waits that are the same, and not just after something that may
// change them.
func TestACrashLoopIsSteadyWhenItsWaitsDoNotGrow(t *testing.T) {
	b := behaviour.BackOff{Initial: time.Second, Max: 2 * time.Second, Forget: time.Hour}
	var r behaviour.Restarts
	now := model.Time(0)
	ends := func() bool {
		now = now.Add(r.Ended(b, now))
		r.Restarted(now)
		return r.Steady()
	}
	for i, steady := range []bool{false, false, false, true, true} {
		require.Equal(t, steady, ends(), "%d ends", i+1)
	}
	r.Unsettle()
	require.False(t, r.Steady())
	require.False(t, ends(), "one round is not enough")
	require.True(t, ends())
}

// TestBackOffsWithOneWaitAreToldApartByTheLast: of two containers that have waited as long for as many restarts, one may
// be steady, and the other not, because it was forgiven in between.
func TestBackOffsWithOneWaitAreToldApartByTheLast(t *testing.T) {
	b := behaviour.BackOff{Initial: time.Second, Max: 2 * time.Second, Forget: time.Hour}
	after := func(runs ...time.Duration) (steady bool, text printed) {
		var r behaviour.Restarts
		now := model.Time(0)
		for _, run := range runs {
			now = now.Add(run)
			r.Ended(b, now)
			r.Restarted(now)
		}
		r.Restarted(0)
		r.Print(&text)
		return r.Steady(), text
	}
	steady, same := after(0, 0, 0, 0)
	require.True(t, steady)
	steady, forgiven := after(2*time.Hour, 2*time.Hour, 0, 0)
	require.False(t, steady)
	require.NotEqual(t, same, forgiven)
	require.Equal(t, same[:3], forgiven[:3], "the next wait is the same, and so is the last")
	require.Equal(t, same[4], forgiven[4], "and the number of them")
}

// TestOneThatHasNeverEndedPrintsNoInstant: when it was started decides nothing as long as no wait can be forgiven.
func TestOneThatHasNeverEndedPrintsNoInstant(t *testing.T) {
	var fresh, started behaviour.Restarts
	started.Restarted(model.Time(time.Minute))
	var a, b printed
	fresh.Print(&a)
	started.Print(&b)
	require.Equal(t, a, b)
}
