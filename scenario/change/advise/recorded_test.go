package advise

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
	"github.com/statefulsim/statefulsim/scenario/change/plan/times"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// recorded is a line of a recording of a real control plane.
type recorded struct {
	Event, Verb, Pod, State string
	T                       float64
}

// rollout is a rollout of a recording: how long it took, and how long the stages of its pods took.
type rollout struct {
	took  time.Duration
	times [3][]time.Duration
}

// rolloutOf finds the rollout that begins with the first setImage, up to the next step; ok is false if there is none.
func rolloutOf(lines []recorded) (r rollout, ok bool) {
	begin, first, end := -1, time.Duration(0), time.Duration(0)
	last := map[string]recorded{}
	for i, line := range lines {
		switch {
		case line.Event == "begin" && line.Verb == "setImage" && begin < 0:
			begin = i
			continue
		case begin < 0:
			continue
		case line.Event == "begin":
			return r, end > 0
		case line.Event != "pod":
			continue
		}
		at := time.Duration(line.T * float64(time.Second))
		since := at - time.Duration(last[line.Pod].T*float64(time.Second))
		if line.State == "Pending" && last[line.Pod].State == "Gone" {
			// The controller takes time to make the next pod: it counts as a part of its start.
			line.T = last[line.Pod].T
		}
		stage, from := map[string]int{"Running": 1, "Ready": 2, "Gone": 0}, map[string]string{
			"Running": "Pending", "Ready": "Running", "Gone": "Terminating",
		}
		if i, is := stage[line.State]; is && last[line.Pod].State == from[line.State] {
			r.times[i] = append(r.times[i], since)
		}
		if line.State == "Terminating" && first == 0 {
			first = at
		}
		last[line.Pod], end = line, at
		r.took = end - first
	}
	return r, end > 0
}

// among draws one of the times that were seen.
func among(seen []time.Duration) behaviour.Delay {
	var options []behaviour.Weighted
	for _, d := range seen {
		options = append(options, behaviour.Weighted{Value: behaviour.Constant(d), Weight: 1})
	}
	return behaviour.Choice(options)
}

// TestRecordings: with the times of its own pods, today's setting takes as long as a real control plane took. Each
// rollout of the recordings that nothing else meets is tried. Who calls the API takes time too, which is in no stage of a
// pod: a tenth of a second for each pod.
func TestRecordings(t *testing.T) {
	files, err := filepath.Glob("../../../../shared/life*/*.real.jsonl")
	require.NoError(t, err)
	if len(files) == 0 {
		t.Skip("the recordings do not lie beside the project")
	}
	tried := 0
	for _, file := range files {
		text, err := os.ReadFile(strings.TrimSuffix(file, ".real.jsonl") + ".yaml")
		require.NoError(t, err)
		given, wanted, version := rolledIn(t, file, text)
		if given == nil {
			continue
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var lines []recorded
		for line := range bytes.Lines(data) {
			var one recorded
			require.NoError(t, json.Unmarshal(line, &one))
			lines = append(lines, one)
		}
		real, ok := rolloutOf(lines)
		n := int(wanted.Spec.Replicas)
		if !ok || len(real.times[0]) != n || len(real.times[1]) != n || len(real.times[2]) != n {
			continue
		}
		tried++
		o := usual(t)
		s := &subject{frame: &stored.Frame{Options: &o.Plan, Profile: version.Profile}, key: wanted.Key(), given: given,
			wanted: wanted}
		for i := range s.timings {
			s.timings[i] = &times.Timing{Delay: among(real.times[i])}
		}
		s.usual = timesOf(s.timings)
		s.draws = s.drawn(200)
		var took []time.Duration
		as := settingOf(wanted)
		for _, rules := range s.draws {
			_, takes := play.Cost(with(s.lab(&as), rules).Run(s.rollout(&as)), s.key, changeStep)
			took = append(took, takes)
		}
		slices.Sort(took)
		real.took += time.Duration(wanted.Spec.MinReadySeconds) * time.Second
		calls := time.Duration(n) * 100 * time.Millisecond
		p5, p95 := percentile(took, 5), percentile(took, 95)
		t.Logf("%s: %s, drawn %s to %s", filepath.Base(file), real.took, p5, p95)
		require.GreaterOrEqual(t, real.took, p5-calls, file)
		require.LessOrEqual(t, real.took, p95+calls, file)
	}
	require.GreaterOrEqual(t, tried, 12)
}

// rolledIn plays a scenario, and returns the set before and after its first setImage; nil if there is none, or if
// something else happens to the set before it.
func rolledIn(t *testing.T, file string, text []byte) (given, wanted *model.StatefulSet, s *scenario.Scenario) {
	s, err := scenario.Parse(filepath.Base(file), text, os.DirFS(filepath.Dir(file)), scenario.Options{})
	require.NoError(t, err)
	for _, e := range s.Run(scenario.RunOptions{}).Timeline {
		switch {
		case e.Kind != timeline.KindStep || e.Step.Verb == "apply" && len(e.Step.Sets) == 0:
		case e.Step.Verb == "create" && len(e.Step.Sets) == 1:
			given = e.Step.Sets[0]
		case e.Step.Verb == "setImage" && len(e.Step.Sets) == 1:
			return given, e.Step.Sets[0], s
		default:
			return nil, nil, s
		}
	}
	return nil, nil, s
}
