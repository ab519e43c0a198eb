package behaviour_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/choose"
)

// TestDistributionsHaveTheirQuantiles draws often and compares what comes with what the distribution promises.
func TestDistributionsHaveTheirQuantiles(t *testing.T) {
	for _, c := range []struct {
		delay         behaviour.Delay
		p50, p99, tol time.Duration
	}{
		{behaviour.Constant(3 * time.Second), 3 * time.Second, 3 * time.Second, 0},
		{behaviour.Uniform(time.Second, 3*time.Second), 2 * time.Second, 2980 * time.Millisecond, 50 * time.Millisecond},
		{behaviour.Normal(5*time.Second, time.Second), 5 * time.Second, 7326 * time.Millisecond, 150 * time.Millisecond},
		{behaviour.Lognormal(5*time.Second, 30*time.Second), 5 * time.Second, 30 * time.Second, 2 * time.Second},
		{behaviour.Exponential(4 * time.Second), 2773 * time.Millisecond, 18421 * time.Millisecond, time.Second},
	} {
		t.Run(c.delay.String(), func(t *testing.T) {
			chooser := choose.Sweep(1)
			draws := make([]time.Duration, 20_000)
			for i := range draws {
				ns, never := c.delay.Draw(chooser)
				require.False(t, never)
				require.GreaterOrEqual(t, ns, int64(0))
				draws[i] = time.Duration(ns)
			}
			slices.Sort(draws)
			require.InDelta(t, c.p50, draws[len(draws)/2], float64(c.tol))
			require.InDelta(t, c.p99, draws[len(draws)*99/100], float64(c.tol))
		})
	}
}

func TestTheDullDrawIsTheShortest(t *testing.T) {
	delay := behaviour.Exponential(time.Second)
	dull, _ := delay.Draw(choose.Dull)
	other, _ := delay.Draw(choose.Sweep(1))
	require.Less(t, dull, other)
}

func TestChoiceGoesByWeight(t *testing.T) {
	delay := behaviour.Choice([]behaviour.Weighted{{behaviour.Constant(time.Second), 9}, {behaviour.Never, 1}})
	chooser := choose.Sweep(1)
	nevers := 0
	for range 10_000 {
		if _, never := delay.Draw(chooser); never {
			nevers++
		}
	}
	require.InDelta(t, 1000, nevers, 100)
	require.Equal(t, "{choice: [{value: 1s, weight: 9}, {value: never, weight: 1}]}", delay.String())
}

func TestTheFirstRuleThatMatchesWins(t *testing.T) {
	one := 1
	kubelet := behaviour.Behaviour{
		Default: behaviour.Times{Start: behaviour.Constant(1), Ready: behaviour.Constant(2)},
		Rules: []behaviour.Rule{
			{Match: behaviour.Match{Image: "app:broken*"}, Times: behaviour.Times{Start: behaviour.Never, Reason: "ImagePullBackOff"}},
			{Match: behaviour.Match{Pod: "web-[12]", Nth: &one}, Times: behaviour.Times{Fail: behaviour.Constant(5)}},
			{Match: behaviour.Match{Ordinal: &one}, Times: behaviour.Times{Ready: behaviour.Constant(9)}},
		},
	}
	times := func(name, image string, nth int) behaviour.Times {
		template := &model.Template{Containers: []model.Container{{Image: image}}}
		return *kubelet.For(behaviour.Subject{Pod: &model.Pod{Meta: model.Meta{Name: name}, Template: template}, StatefulSet: "web", Nth: nth})
	}
	broken := times("web-1", "app:broken-2", 1)
	require.Equal(t, behaviour.Never, broken.Start)
	require.Equal(t, "ImagePullBackOff", broken.Reason)
	require.Equal(t, behaviour.Constant(2), broken.Ready, "what a rule leaves out falls back")
	require.Equal(t, behaviour.Constant(5), times("web-1", "app:v1", 1).Fail)
	require.Equal(t, behaviour.Constant(9), times("web-1", "app:v1", 2).Ready)
	require.Equal(t, kubelet.Default, times("web-0", "app:v1", 1))
}
