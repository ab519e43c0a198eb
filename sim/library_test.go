package sim_test

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// themes are those of the library in which somebody does something to the cluster, something goes wrong, or the run has
// no end of its own.
var themes = []string{
	"deletion", "drain", "failed-pods", "faults", "machinery", "nodes", "several-sets", "statefulset-life", "stuck",
}

// TestLibrary plays themes of the library and writes down what users and faults did in each, which objects that was
// about, how the run ended and of what it warned, with the digest of its timeline. It plays each once more and hands
// the timeline on while it forgets it, which changes nothing.
func TestLibrary(t *testing.T) {
	var got strings.Builder
	for _, theme := range themes {
		files, err := fs.Glob(scenarios.FS, theme+"/*.yaml")
		require.NoError(t, err)
		for _, file := range files {
			s := ofLibrary(t, file)
			whole := s.Run(scenario.RunOptions{})
			tellLibrary(&got, file, whole.Timeline)

			var handed []timeline.Event
			s.Run(scenario.RunOptions{NoHistory: s.NeedsHistory() == nil, Written: func(events []timeline.Event) {
				require.NotEmpty(t, events)
				handed = append(handed, events...)
			}})
			require.Equal(t, timeline.Digest(whole.Timeline), timeline.Digest(handed), file)
		}
	}
	goldenfile.Equal(t, "testdata/library.txt", got.String())
}

func ofLibrary(t *testing.T, file string) *scenario.Scenario {
	data, err := fs.ReadFile(scenarios.FS, file)
	require.NoError(t, err)
	dir, err := fs.Sub(scenarios.FS, path.Dir(file))
	require.NoError(t, err)
	s, err := scenario.Parse(file, data, dir, scenario.Options{})
	require.NoError(t, err)
	return s
}

// tellLibrary writes down a run.
func tellLibrary(b *strings.Builder, file string, events []timeline.Event) {
	last := events[len(events)-1]
	fmt.Fprintf(b, "%s: %s at %s, %d events, %d syncs, %.8s\n", file, last.Result.Verdict, last.T.Clock(), last.Result.Events,
		last.Result.Syncs, timeline.Digest(events))
	line := func(text string) {
		if text != "" {
			fmt.Fprintf(b, "    %s\n", text)
		}
	}
	for i := range events {
		switch e := &events[i]; e.Kind {
		case timeline.KindStep:
			fmt.Fprintf(b, "  %s %s: %s %s %s [%s %s] %s\n", e.T.Clock(), e.Actor, e.Step.Verb, e.Step.Effect, e.Step.Trigger, e.Set, e.Pod,
				e.Step.Removed)
			line(e.Step.Refusal)
			line(e.Message)
		case timeline.KindFault:
			fmt.Fprintf(b, "  %s %s: fault %s %s %s [%s %s] %s\n", e.T.Clock(), e.Actor, e.Fault.Does, e.Fault.Effect, e.Fault.Trigger, e.Set,
				e.Pod, e.Fault.Removed)
			line(e.Fault.Refusal)
		}
	}
	line(last.Message)
	for _, text := range last.Result.Warnings {
		line(text)
	}
	for _, s := range last.Result.Stuck {
		line(fmt.Sprintf("stuck since %s: %s %s %s", s.Since.Clock(), s.Set, s.Why.Code, s.Why.Object))
	}
	for _, text := range last.Result.Repeats {
		line("repeats " + text)
	}
}
