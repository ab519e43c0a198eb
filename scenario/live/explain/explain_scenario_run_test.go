package explain

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

func load(t *testing.T, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse("s.yaml", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	return s
}

// lab plays the scenario.
func lab(t *testing.T, text string) *play.Lab {
	t.Helper()
	s := load(t, text)
	return &play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}
}

func told(e *Explanation) string {
	var b strings.Builder
	_ = e.Document().Text(&b, render.Style{Width: 1 << 20})
	return b.String()
}

func TestExplain(t *testing.T) {
	const ordered = "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\"}\n"
	cases := []struct {
		name, text string
		at         time.Duration
		contains   []string
	}{
		{"an ordered start", ordered, 4 * time.Second, []string{
			"web-1: Running since 4s, @1 app:v1; the controller waits for it",
			"Waiting since 3s: web-1 is not Running and Ready", "rule ordered-replicas",
			"In this run it ends at 6s, when web-1 becomes Ready."}},
		{"at rest", ordered, time.Hour, []string{"At 9s, the end of the run: settled.", "waits for nothing"}},
		{"a partition", "steps:\n- create: {name: web, replicas: 3, image: \"app:v1\", " +
			"updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 2}}}\n- setImage: {image: \"app:v2\"}\n", time.Hour,
			[]string{"BelowPartition", "when the partition is lowered; the StatefulSet may stay like this", "from an old template"}},
		{"released by a step", "kubelet: {rules: [{match: {image: \"app:bad\"}, ready: never}]}\n" + ordered +
			"- setImage: {image: \"app:bad\"}\n- after: 1m\n  delete: pod/web-2\n- after: 1m\n" +
			"  setImage: {image: \"app:v2\"}\n", 20 * time.Second,
			[]string{"In this run it ends at 1m09s, when web-2 becomes Terminating"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			lab := lab(t, c.text)
			e, err := Explain(lab.Run(nil), Options{At: &c.at, Lab: lab})
			require.NoError(t, err)
			for _, text := range c.contains {
				require.Contains(t, told(e), text)
			}
		})
	}
}

func TestStuck(t *testing.T) {
	lab := lab(t, "kubelet: {ready: never}\nsteps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n")
	e, err := Explain(lab.Run(nil), Options{Lab: lab})
	require.NoError(t, err)
	require.Contains(t, told(e), "In this run it never ends.")
	require.Contains(t, told(e), "None of the tried fixes works: the cause itself has to be fixed.")
	require.Contains(t, told(e), "Not enough (simulated): deleting web-0.")

	_, err = Explain(lab.Run(nil), Options{Pod: "other-0"})
	require.ErrorContains(t, err, "there is no pod other-0")
}

// TestWhatIsWrong: the warning about a pod, and the error of a call, stand beside the wait.
func TestWhatIsWrong(t *testing.T) {
	played := lab(t, "kubelet: {rules: [{match: {image: bad}, start: never, reason: ImagePullBackOff}]}\n"+
		"steps:\n- create: {name: web, replicas: 2, image: good}\n- setImage: {image: bad}\n")
	e, err := Explain(played.Run(nil), Options{})
	require.NoError(t, err)
	require.Contains(t, told(e), "web-1: Pending since 8s, @2 bad; the controller waits for it. "+
		"The last warning about it: ImagePullBackOff: web-1 does not become Running")

	// What the scheduler complained of is over: the pod has had a node since.
	played = lab(t, "volumes: {bind: 2s}\nsteps:\n- create: {name: web, image: good, volumeClaimTemplates: [{metadata: "+
		"{name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}\n"+
		"- nodeDown: {node: node-1, off: true}\n")
	e, err = Explain(played.Run(nil), Options{})
	require.NoError(t, err)
	require.Contains(t, told(e), "web-0: Terminating since ")
	require.NotContains(t, told(e), "The last warning about it")

	played = lab(t, "steps:\n- create: {name: web, replicas: 2, image: good}\n"+
		"faults: [{write: {verb: create, kind: pod}, error: Forbidden, message: exceeded quota, times: always}]\n")
	e, err = Explain(played.Run(nil), Options{Lab: played})
	require.NoError(t, err)
	require.Contains(t, told(e), "The error was: ")
	require.Contains(t, told(e), "exceeded quota")
	require.Contains(t, told(e), "None of the tried fixes works: the cause itself has to be fixed.")
}

// TestUnnoticed explains a run that is stuck although the controller waits for nothing.
func TestUnnoticed(t *testing.T) {
	lab := lab(t, "faults:\n- {write: {verb: create, kind: pod, name: web-1, nth: 2}, error: Forbidden, times: 4}\n"+
		"- {pod: web-1 Gone, watch: {break: 30s, kind: pod}}\n"+
		"steps:\n- create: {name: web, replicas: 2, image: \"app:v1\"}\n- delete: pod/web-1\n- after: 10s\n  delete: pod/web-1\n")
	e, err := Explain(lab.Run(nil), Options{Lab: lab})
	require.NoError(t, err)
	require.Contains(t, told(e), "Waiting since 38s: web-1 does not serve, the controller has not noticed")
	require.Contains(t, told(e), "kubectl -n default annotate --overwrite statefulset web touched=yes")
}

func TestLivelock(t *testing.T) {
	const text = `kubernetes: "1.37"
steps:
- create: {name: web, replicas: 4, image: "app:v1", podManagementPolicy: Parallel,
    updateStrategy: {type: RollingUpdate}}
- unready: {pod: web-0}
- setImage: {image: "app:v2"}
`
	lab := lab(t, text)
	e, err := Explain(lab.Run(nil), Options{Lab: lab})
	require.NoError(t, err)
	require.Equal(t, timeline.Livelock, e.Verdict)
	require.NotEmpty(t, e.Sets[0].Repeats)
	require.Contains(t, told(e), "never converges")
	require.Contains(t, told(e), "kubectl -n default patch statefulset web")
	require.Contains(t, told(e), "The same command ends a livelock that has begun")
}

func TestJSON(t *testing.T) {
	lab := lab(t, "steps:\n- create: {name: web, replicas: 1, image: \"app:v1\"}\n")
	e, err := Explain(lab.Run(nil), Options{})
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, render.JSON(&out, e))
	var document struct {
		FormatVersion int
		At            float64
		Sets          []struct{ Pods []struct{ State string } }
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &document))
	require.Equal(t, 1, document.FormatVersion)
	require.Equal(t, 3.0, document.At)
	require.Equal(t, "Ready", document.Sets[0].Pods[0].State)
}
