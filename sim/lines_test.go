package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestLinesOfFaults plays faults of every kind. The lines of faults say what was done to which object, and
// those of results whether a set still waits: not for an error that is met for ever, but for one that may pass.
func TestLinesOfFaults(t *testing.T) {
	var text strings.Builder
	for _, test := range []struct{ name, faults, steps string }{
		{"two creations of pods that fail, and one whose answer is lost", "- {write: {verb: create, kind: pod, nth: 2}, error: InternalError, times: 2}\n" +
			"- {write: {verb: create, kind: pod, name: \"*-1\"}, loseAnswer: true}\n", twoPods},
		{"answers that are lost for ever", "- {write: {verb: create, kind: pod}, loseAnswer: true, times: always}\n", twoPods},
		{"an answer that is lost twice", "- {write: {verb: create, kind: pod}, loseAnswer: true, times: 2}\n", twoPods},
		{"a refusal for ever", "- {write: {verb: create, kind: pod, nth: 2}, error: Forbidden, times: always, message: no room}\n", twoPods},
		{"a deletion of a pod that is said not to be there", "- {write: {verb: delete, kind: pod}, error: NotFound}\n",
			twoPods + "- scale: {replicas: 1}\n"},
		{"a pod that goes when another is Ready", "- {pod: web-1 Ready, delete: pod/web-0, times: 2}\n", twoPods},
		{"a scale-down and a watch that breaks after a write", "- {name: less, write: {verb: create, kind: pod, nth: 2}, scale: {replicas: 1}}\n" +
			"- {write: {verb: delete, kind: pod}, watch: {break: 1s}}\n", twoPods},
		{"by chance, out of hundred", "- {at: 10s, delete: pod/web-0, chance: 0.01}\n- {at: 12s, delete: pod/web-1, chance: 0.99}\n", twoPods},
	} {
		s, err := scenario.Parse("test.yaml", []byte("faults:\n"+test.faults+"steps:\n"+test.steps), nil, scenario.Options{})
		require.NoError(t, err, test.name)
		fmt.Fprintf(&text, "# %s\n", test.name)
		for _, e := range s.Run(scenario.RunOptions{}).Timeline {
			switch e.Kind {
			case timeline.KindFault, timeline.KindResult:
				text.Write(append(timeline.AppendJSON(nil, &e), '\n'))
			}
		}
	}
	goldenfile.Equal(t, "testdata/faults.jsonl", text.String())
}
