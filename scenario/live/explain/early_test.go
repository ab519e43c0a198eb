package explain_test

import (
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
)

// TestTooEarly: a pod that runs and is not Ready yet is that of a healthy rollout too. As long as it has not had the
// time that such a pod takes, nobody is told that the set is stuck, and that wait comes before the fixes. For programs
// it is stuck all the same, under an assumption that is named.
func TestTooEarly(t *testing.T) {
	const slow = "- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {replicas: 3, serviceName: web, " +
		"selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: app, " +
		"image: \"app:v1\", startupProbe: {failureThreshold: 30, periodSeconds: 10, tcpSocket: {port: 1}}}]}}}}\n"
	const first = "- create: {name: web, replicas: 3, image: \"app:bad\"}\n"
	crashes := func(until string) string {
		return "kubelet: {rules: [{match: {image: \"app:bad\"}, crash: 1s}]}\nuntil: " + until + "\nsteps:\n" + three + toBad
	}
	const lost = "steps:\n" + three + "- unready: {pod: web-0}\n- setImage: {image: \"app:v2\"}\n"
	for _, c := range []struct {
		name, text string
		after      time.Duration
		// ready is the time that the user gives.
		ready time.Duration
		word  string
		says  []string
	}{
		{"a new pod of a rollout", bad + "steps:\n" + three + toBad, 0, 0, "TOO EARLY",
			[]string{"web-2 is Running and is not Ready. Restarts: 0.", "web-2 may only need more time: the other pods " +
				"took 2s to become Ready. Wait until it has been Running for 4s, and explain a new dump, before you use a fix.",
				"it is too early to say whether it is stuck; it is if web-2 does not become Ready", ": 0 stuck, 0 in progress, 0 at rest, 1 too early to say."}},
		{"a new pod that spends maxUnavailable", "kubernetes: \"1.36\"\nfeatureGates: {MaxUnavailableStatefulSet: true}\n" + bad + "steps:\n" +
			parallel + toBad, 0, 0, "TOO EARLY", []string{"it is if web-2 does not become Ready"}},
		{"the last second of that", bad + "steps:\n" + three + toBad, 3 * time.Second, 0, "TOO EARLY", nil},
		{"a pod that has had its time", bad + "steps:\n" + three + toBad, 4 * time.Second, 0, "STUCK",
			[]string{"web-2 has been Running for 4s and is not Ready. Restarts: 0.", "The other pods took 2s to become Ready.",
				"it probably does not continue by itself", ": 1 stuck, 0 in progress, 0 at rest."}},
		{"the time that is given", bad + "steps:\n" + three + toBad, 14 * time.Minute, 15 * time.Minute, "TOO EARLY",
			[]string{"the time given for it to become Ready is 15m00s. Wait until it has been Running for 15m00s"}},
		{"a startup probe", bad + "steps:\n" + slow + toBad, 4 * time.Minute, 0, "TOO EARLY", []string{"its probes give it 5m00s."}},
		{"a readiness probe that begins late", bad + "steps:\n" + strings.Replace(slow,
			"startupProbe: {failureThreshold: 30, periodSeconds: 10,", "readinessProbe: {initialDelaySeconds: 120, periodSeconds: 5,", 1) + toBad,
			2*time.Minute + 4*time.Second, 0, "TOO EARLY", []string{"its probes give it 2m05s. Wait until it has been Running for 2m05s"}},
		{"a startup probe that has given up", bad + "steps:\n" + slow + toBad, 5 * time.Minute, 0, "STUCK", nil},
		{"the first pod of all", bad + "steps:\n" + first, 59 * time.Second, 0, "TOO EARLY",
			[]string{"nothing in the dump shows how long it takes to become Ready. Wait until it has been Running for 1m00s"}},
		{"the first pod of all, later", bad + "steps:\n" + first, time.Minute, 0, "STUCK", nil},
		{"a pod that was Ready before", lost, 59 * time.Second, 0, "TOO EARLY",
			[]string{"web-0 is Running, but has not been Ready for 59s. Restarts: 0.",
				"web-0 may become Ready again by itself. Wait until it has been unready for 1m00s"}},
		{"a pod that was Ready just now", lost, 0, 0, "TOO EARLY",
			[]string{"web-0 is Running, but has just stopped being Ready. Restarts: 0."}},
		{"a pod that was Ready long before", lost, time.Minute, 0, "STUCK", []string{"probably"}},
		{"a container that has ended once", crashes("16s"), 0, 0, "TOO EARLY", []string{"web-2 may still become Ready: its container " +
			"app has ended only twice, and the kubelet starts it again by itself. Wait for"}},
		{"a container that has ended once, later", crashes("16s"), 2 * time.Minute, 0, "STUCK", nil},
		{"a container that crashes", crashes("2m"), 2 * time.Minute, time.Hour, "STUCK", []string{"it probably does not continue by itself"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte(c.text), nil, scenario.Options{})
			require.NoError(t, err)
			real := &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
			d := dumpedAfter(t, real.State(nil), c.after)
			lab := labOf(s, d)
			if c.ready > 0 {
				lab.World.Kubelet.Default.Ready = behaviour.Constant(c.ready)
			}
			dumped := explain.Begin(d, lab, "").All(nil)
			set := dumped.Sets[0]
			early := c.word == "TOO EARLY"
			require.True(t, set.Stuck() && !set.GoesOn && set.StuckOn != "" && dumped.Held() == early)
			require.True(t, set.WaysOut[0].Heals)
			for _, pod := range set.Pods {
				require.Equal(t, pod.Name == set.StuckOn, pod.Held, pod.Name)
			}
			require.Equal(t, early, set.TooEarly != "" && set.Until > 0)
			word, _ := set.Standing()
			require.Equal(t, c.word, word)
			var text strings.Builder
			require.NoError(t, dumped.Document().Text(&text, render.Style{Width: 1 << 20}))
			for _, says := range c.says {
				require.Contains(t, text.String(), says)
			}
		})
	}
}

// TestAFirstFailedPull: an image that could not be pulled a moment ago may be pulled the next time. What the registry
// refuses has the time of one more attempt, and what may be over soon has a minute.
func TestAFirstFailedPull(t *testing.T) {
	const file, failed = "a-registry-that-was-not-reached", "lookup registry: i/o timeout"
	data := oncall.Of(file)
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	for says, until := range map[string]time.Duration{failed: time.Minute, "": time.Minute, "app:v2: not found": 15 * time.Second,
		"unauthorized: authentication required": 15 * time.Second} {
		for _, after := range []time.Duration{0, 6 * time.Second, until - time.Second, until} {
			d, err := dump.Read([]dump.Source{{Name: file, Data: []byte(strings.ReplaceAll(string(data), failed, says))}},
				dump.Options{At: time.Date(2026, time.November, 20, 11, 59, 54, 0, time.UTC).Add(after)})
			require.NoError(t, err)
			word, _ := explain.Begin(d, labOf(s, d), "").All(nil).Sets[0].Standing()
			require.Equal(t, after < until, word == "TOO EARLY", "%q after %s: %s", says, after, word)
		}
	}
}

// TestAPodThatIsOverdue: that another pod with its spec is Ready gives a pod more time, but not hours; and a pod that
// has lost its readiness for a while, long after its start, shows nothing of how long a start takes.
func TestAPodThatIsOverdue(t *testing.T) {
	data, err := os.ReadFile("testdata/lost-for-a-while.yaml")
	require.NoError(t, err)
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: data}}, dump.Options{})
	require.NoError(t, err)
	s, err := scenario.Parse("s.yaml", []byte("steps:\n"+three), nil, scenario.Options{})
	require.NoError(t, err)
	dumped := explain.Begin(d, labOf(s, d), "").All(nil)
	require.Equal(t, "web-1", dumped.Sets[0].StuckOn)
	var text strings.Builder
	require.NoError(t, dumped.Document().Text(&text, render.Style{Width: 1 << 20}))
	require.Contains(t, text.String(), "it has been running for many times as long as the other pods took")
	require.Contains(t, text.String(), "become Ready in 2s (assumed)")
	require.Contains(t, text.String(), "1. Deleting web-1")
}
