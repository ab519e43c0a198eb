package scenario_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// hotLoop is what the hot loop of 1.37 needs, but for the loss of web-0 in the middle of the update.
const hotLoop = `
kubernetes: "1.37"
steps:
  - create:
      {name: web, replicas: 4, image: "app:v1", podManagementPolicy: Parallel, updateStrategy: {type: RollingUpdate}}
  - setImage: {image: "app:v2"}
`

// TestALivelockIsPlayedOn says what a livelock is played on for: a step that may end it, at a time of its own, and a
// change that the controller is still to see. All else ends the run, which then says which steps it has not come to.
func TestALivelockIsPlayedOn(t *testing.T) {
	const (
		lost   = "  - {after: 2s, delete: pod/web-0}\n"
		block  = "{spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}\n"
		remedy = "    patch: " + block
		late   = "  - {after: 500ms, watch: {kind: statefulset, delay: 20s, for: 20s}}\n"
	)
	for name, c := range map[string]struct {
		steps   string
		verdict timeline.Verdict
		// atLeast and atMost say how often web-0 goes after the instant at which the loop begins.
		atLeast, atMost int
		warning         string
	}{
		"a remedy": {lost + "  - after: 1m\n" + remedy, timeline.Settled, 25, 40, "so that the steps to come are played"},
		"a remedy behind other steps": {
			lost + "  - {after: 10s, fail: {pod: web-1}}\n  - {after: 10s, scale: {replicas: 5}}\n  - after: 10s\n" + remedy,
			timeline.Settled, 10, 40, "so that the steps to come are played",
		},
		"no remedy": {
			lost + "  - after: 1m\n    patch: {metadata: {annotations: {a: b}}}\n", timeline.Livelock, 25, 80,
			"so that the steps to come are played",
		},
		"a step that is none": {
			lost + "  - {after: 1m, delete: pod/web-1}\n", timeline.Livelock, 0, 0, "step 4 was not played: the run ended before;",
		},
		"a remedy once all is settled": {
			lost + "  - patch: " + block + "  - after: 1s\n" + remedy, timeline.Livelock, 0, 0,
			"steps 4 to 5 were not played: the run ended before;",
		},
		"a change on its way": {
			late + "  - after: 1s\n" + remedy + lost, timeline.Settled, 5, 40, "since a change that may end it is on its way",
		},
		"a change on its way that does not end it": {
			late + "  - {after: 1s, patch: {metadata: {annotations: {a: b}}}}\n" + lost, timeline.Livelock, 5, 80,
			"since a change that may end it is on its way",
		},
	} {
		t.Run(name, func(t *testing.T) {
			lines, outcome := story(t, hotLoop+c.steps)
			require.Equal(t, c.verdict, outcome.Result.Verdict)
			require.Equal(t, c.verdict == timeline.Livelock, len(outcome.Result.Repeats) > 0)
			require.Contains(t, strings.Join(lines, "\n"), c.warning)
			gone := goneAfterTheLoop(outcome.Timeline)
			require.GreaterOrEqual(t, gone, c.atLeast)
			require.LessOrEqual(t, gone, c.atMost)
			require.Equal(t, c.verdict == timeline.Settled, lastStatus(outcome.Timeline).Updated >= 4)
		})
	}
}

// goneAfterTheLoop counts how often web-0 goes after the instant that has no end.
func goneAfterTheLoop(events []timeline.Event) (count int) {
	began := model.Time(-1)
	for i := range events {
		switch e := &events[i]; {
		case e.Kind == timeline.KindSync && e.Reason == "Livelock" && began < 0:
			began = e.T
		case began >= 0 && e.T > began && e.Kind == timeline.KindPod && e.Pod == "web-0" && e.State == timeline.Gone:
			count++
		}
	}
	return count
}

func lastStatus(events []timeline.Event) (status model.Status) {
	for i := range events {
		if s := events[i].Status; s != nil {
			status = *s
		}
	}
	return status
}

// TestALivelockThatIsPlayedOnIsSaved takes the state of a world while a livelock is played on. Another world that begins
// with it, and is given the step that is left, comes to the same end.
func TestALivelockThatIsPlayedOnIsSaved(t *testing.T) {
	s := load(t, hotLoop+"  - {after: 2s, delete: pod/web-0}\n"+
		"  - {after: 20s, patch: {spec: {updateStrategy: {rollingUpdate: {partition: 0}}}}}\n")
	var saved *sim.State
	whole := s.Run(scenario.RunOptions{Watch: func(w *sim.World) {
		if saved == nil && w.Now() > model.Time(15*time.Second) {
			saved = w.State()
		}
	}}).Timeline
	config := s.Config(scenario.RunOptions{})
	config.Start = saved
	require.Equal(t, timeline.Digest(whole), timeline.Digest(sim.New(config).Run(s.Steps[3:])))
}
