package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// goesOnFromObjects plays scenarios of the library, and stops the worlds at fixed points after the last step: another
// one that begins with the objects alone, as with a dump of a cluster, does to its pods what the first one would have
// done, at the same times.
func goesOnFromObjects(t *testing.T, globs ...string) {
	library(t, globs, func(name string, load func() *scenario.Scenario) {
		steps := len(load().Steps)
		first := &run{every: 1}
		first.play(load())
		stops := slices.DeleteFunc(first.taken, func(at taken) bool { return at.done < steps })
		for i := 0; i < len(stops); i += max(1, len(stops)/3) {
			from := stops[i]
			objects := *from.state
			objects.Rest = nil
			s := load()
			config := s.Config(scenario.RunOptions{})
			config.Start = &objects
			w := sim.New(config)
			second := w.Run(nil)
			want, got := pods(first.events, from.now), pods(second, 0)
			require.Equal(t, want, got, "%s begun with the objects at %s", name, from.now.Clock())
		}
	})
}

// pods renders what happens to pods after an instant, with times counted from there.
func pods(events []timeline.Event, start model.Time) string {
	var lines []string
	for i := range events {
		e := &events[i]
		if e.Kind == timeline.KindPod && e.T > start && e.Actor != timeline.Dump {
			lines = append(lines, fmt.Sprintf("%8s %s %s %s", (e.T-start).Clock(), e.Actor, e.Pod, e.State))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
