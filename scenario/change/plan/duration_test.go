package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/live/recording"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// slowly gives the pods of a probed set a delay before their first probe, from which "at least" comes.
func slowly(set string) string {
	return strings.Replace(probed(set), "tcpSocket:", "initialDelaySeconds: 20, tcpSocket:", 1)
}

// TestTimesOfFixes: the time that a fix takes says how well it is known, by the times that it was played with.
func TestTimesOfFixes(t *testing.T) {
	five := behaviour.Constant(5 * time.Second)
	for says, times := range map[string][recording.Stages]behaviour.Delay{
		"takes about 33s, ":    {},
		"takes at most 40s, ":  {recording.Start: five, recording.Ready: five},
		"takes 15s, ":          {recording.Stop: five, recording.Start: five, recording.Ready: five},
		"takes about 43s, ":    {recording.Stop: behaviour.Constant(40100 * time.Millisecond)},
		"takes at most 1m33s,": {recording.Start: five, recording.Ready: behaviour.Constant(58 * time.Second)},
	} {
		s := one(t, probed(web("3", "a:1")), probed(web("3", "a:2")), &Options{Times: times})
		require.Contains(t, caseOf(t, s, "broken").Heals()[0], says)
	}
}

// graced gives the pods of a set another grace period.
func graced(set, seconds string) string {
	return strings.Replace(set, "containers:", "terminationGracePeriodSeconds: "+seconds+", containers:", 1)
}

// TestGraceOfTheOldPods: a change stops the pods that run, with the grace period that they have; a fix may stop others.
func TestGraceOfTheOldPods(t *testing.T) {
	five := behaviour.Constant(5 * time.Second)
	times := [recording.Stages]behaviour.Delay{recording.Start: five, recording.Ready: five}
	s := one(t, probed(graced(web("3", "a:1"), "60")), probed(graced(web("3", "a:2"), "600")), &Options{Times: times})
	require.Equal(t, "3 × (stop + start + ready): 30s (stop 0s) to 3m30s (stop 1m00s)", s.Duration.String())
	require.Equal(t, "stop: at most 1m00s, from terminationGracePeriodSeconds of the pods that run now (new pods have 10m00s)",
		s.Duration.Timings[0].String())
	require.Contains(t, caseOf(t, s, "broken").Heals()[0], "takes about ")
	alike := one(t, probed(graced(web("3", "a:1"), "60")), probed(graced(web("3", "a:2"), "60")), &Options{Times: times})
	require.Equal(t, "stop: at most 1m00s, from terminationGracePeriodSeconds", alike.Duration.Timings[0].String())
}

// TestDurationOnUnknownTimes: a duration that depends on times that nobody gives is no answer, and a requirement on it
// fails and says which flags decide it.
func TestDurationOnUnknownTimes(t *testing.T) {
	five := behaviour.Constant(5 * time.Second)
	image := [2]string{slowly(web("3", "a:1")), slowly(web("3", "a:2"))}
	available := [2]string{probed(web("3", "a:1", "minReadySeconds: 30")), probed(web("3", "a:2", "minReadySeconds: 30"))}
	ordinals := [2]string{slowly(web("3", "a:1", parallel)), slowly(web("3", "a:1", parallel, "ordinals: {start: 5}"))}
	for _, c := range []struct {
		name     string
		change   [2]string
		times    [recording.Stages]behaviour.Delay
		require  string
		held     bool
		got, all string
	}{
		{"the pods start while others stop", ordinals, [recording.Stages]behaviour.Delay{}, "duration < 2m", false,
			"duration is max(stop, start + ready), which is not known: give --start and --ready",
			"max(stop, start + ready): 20s (stop and start 0s) to 30s (stop 30s, start 1s and ready 20s; more if start or ready takes longer)"},
		{"the least that it can be is too long", ordinals, [recording.Stages]behaviour.Delay{}, "duration < 20s", false,
			"duration is at least 20s", "max(stop, start + ready): 20s (stop and start 0s) to 30s (stop 30s, start 1s and ready 20s; more if start or ready takes longer)"},
		{"the least that it can be is long enough", image, [recording.Stages]behaviour.Delay{}, "duration > 59s", true,
			"duration is at least 1m00s", "3 × (stop + start + ready): 1m00s (stop and start 0s) to 2m33s (stop 30s, start 1s and ready 20s; more if start or ready takes longer)"},
		{"the least that it can be does not decide", image, [recording.Stages]behaviour.Delay{}, "duration > 60s", false,
			"duration is 3 × (stop + start + ready), which is not known: give --start and --ready",
			"3 × (stop + start + ready): 1m00s (stop and start 0s) to 2m33s (stop 30s, start 1s and ready 20s; more if start or ready takes longer)"},
		{"the least that it can be is not what is asked for", image, [recording.Stages]behaviour.Delay{}, "duration != 59s", true,
			"duration is at least 1m00s", "3 × (stop + start + ready): 1m00s (stop and start 0s) to 2m33s (stop 30s, start 1s and ready 20s; more if start or ready takes longer)"},
		{"minReadySeconds", available, [recording.Stages]behaviour.Delay{}, "duration >= 90s", true, "duration is at least 1m30s",
			"3 × (stop + start + ready + minReadySeconds 30s): 1m30s (stop, start and ready 0s) to 3m09s (stop 30s, start 1s and ready 2s; more if start or ready takes longer)"},
		{"a stop that is given", available, [recording.Stages]behaviour.Delay{recording.Stop: five}, "duration >= 90s", true,
			"duration is at least 1m45s", "3 × (stop + start + ready + minReadySeconds 30s): 1m45s (start and ready 0s) to 1m54s (start 1s and ready 2s; more if start or ready takes longer)"},
		{"a time that is drawn", image, [recording.Stages]behaviour.Delay{recording.Stop: behaviour.Uniform(5*time.Second, 9*time.Second)},
			"duration >= 60s", true, "duration is at least 1m00s", "3 × (stop + start + ready): at least 1m00s"},
		{"nothing is known", [2]string{web("3", "a:1"), web("3", "a:2")}, [recording.Stages]behaviour.Delay{}, "duration >= 0s", false,
			"duration is 3 × (stop + start + ready), which is not known: give --start", "3 × (stop + start + ready): up to 1m33s (stop 30s and start 1s; more if start takes longer)"},
		{"a start is given", ordinals, [recording.Stages]behaviour.Delay{recording.Start: five}, "duration < 2m", false,
			"duration is 25s to 30s, and ready may be longer: give --ready",
			"max(stop, start + ready): 25s (stop 0s) to 30s (stop 30s and ready 20s; more if ready takes longer)"},
		{"all is given", ordinals, [recording.Stages]behaviour.Delay{recording.Start: five, recording.Ready: behaviour.Constant(5 * time.Minute)},
			"duration == 305s", true, "duration is 5m05s", "start + ready = 5m05s"},
		{"the stop is longer", ordinals, [recording.Stages]behaviour.Delay{recording.Start: five, recording.Ready: five}, "duration < 2m", true,
			"duration is at most 30s", "stop: 10s (stop 0s) to 30s (stop 30s)"},
		{"the most is too long", ordinals, [recording.Stages]behaviour.Delay{recording.Start: five}, "duration < 28s", false,
			"duration is 25s to 30s, and stop may be shorter and ready may be longer: give --stop and --ready",
			"max(stop, start + ready): 25s (stop 0s) to 30s (stop 30s and ready 20s; more if ready takes longer)"},
		{"the least is long enough", ordinals, [recording.Stages]behaviour.Delay{recording.Start: five, recording.Ready: five}, "duration > 9s", true,
			"duration is at least 10s", "stop: 10s (stop 0s) to 30s (stop 30s)"},
		{"the most is not long enough", ordinals, [recording.Stages]behaviour.Delay{recording.Start: five, recording.Ready: five},
			"duration > 30s", false, "duration is at most 30s", "stop: 10s (stop 0s) to 30s (stop 30s)"},
		{"between the least and the most", ordinals, [recording.Stages]behaviour.Delay{recording.Start: five, recording.Ready: five},
			"duration != 20s", false, "duration is 10s to 30s, and stop may be shorter: give --stop", "stop: 10s (stop 0s) to 30s (stop 30s)"},
		{"an upper limit between them", ordinals, [recording.Stages]behaviour.Delay{recording.Start: five, recording.Ready: five},
			"duration <= 29s", false, "duration is 10s to 30s, and stop may be shorter: give --stop", "stop: 10s (stop 0s) to 30s (stop 30s)"},
		{"only a lower bound", image, [recording.Stages]behaviour.Delay{recording.Start: five, recording.Stop: five}, "duration < 2m", false,
			"duration is at least 1m30s, and ready may be longer: give --ready", "3 × (stop + start + ready) = at least 1m30s"},
		{"a lower bound is enough", image, [recording.Stages]behaviour.Delay{recording.Start: five, recording.Stop: five}, "duration > 1m", true,
			"duration is at least 1m30s", "3 × (stop + start + ready) = at least 1m30s"},
		{"bounds of both kinds", image, [recording.Stages]behaviour.Delay{recording.Start: five}, "duration == 165s", false,
			"duration is 1m15s to 2m45s, and stop may be shorter and ready may be longer: give --stop and --ready",
			"3 × (stop + start + ready): 1m15s (stop 0s) to 2m45s (stop 30s and ready 20s; more if ready takes longer)"},
		{"the least decides", image, [recording.Stages]behaviour.Delay{recording.Start: five}, "duration > 1m", true, "duration is at least 1m15s",
			"3 × (stop + start + ready): 1m15s (stop 0s) to 2m45s (stop 30s and ready 20s; more if ready takes longer)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := one(t, c.change[0], c.change[1], &Options{Times: c.times, Require: []string{c.require}})
			require.Equal(t, c.all, s.Duration.String())
			require.Equal(t, c.got, s.Requirements[0].Got)
			require.Equal(t, c.held, s.Requirements[0].Held)
		})
	}
}

// TestReadyFromProbes: the least time from Running to Ready, with the fields of the probes that it comes from.
func TestReadyFromProbes(t *testing.T) {
	for probe, want := range map[string]string{
		"initialDelaySeconds: 20, ":                                        "at least 20s, from the probes (initialDelaySeconds)",
		"initialDelaySeconds: 20, periodSeconds: 45, ":                     "at least 20s, from the probes (initialDelaySeconds)",
		"periodSeconds: 45, successThreshold: 3, ":                         "at least 1m30s, from the probes (periodSeconds, successThreshold)",
		"initialDelaySeconds: 5, periodSeconds: 45, successThreshold: 2, ": "at least 50s, from the probes (initialDelaySeconds, periodSeconds, successThreshold)",
	} {
		set := func(image string) string {
			return strings.Replace(probed(web("3", image)), "tcpSocket:", probe+"tcpSocket:", 1)
		}
		plan := plans(t, set("a:1"), set("a:2"), &Options{})
		require.Contains(t, textOf(t, plan), "ready: "+want+"\n")
	}
	started := func(image string) string {
		return strings.Replace(probed(web("3", image)), "readinessProbe:", "startupProbe: {initialDelaySeconds: 60, tcpSocket: "+
			"{port: 80}}, readinessProbe:", 1)
	}
	text := textOf(t, plans(t, started("a:1"), started("a:2"), &Options{}))
	require.Contains(t, text, "ready: at least 1m00s, from the probes (initialDelaySeconds)\n")
	require.Contains(t, text, "3 × (stop + start + ready): 3m00s (stop and start 0s) to 4m33s")
}
