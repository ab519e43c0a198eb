package follow

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestRecorded holds the first look at real clusters to what then came of them: what is stuck for certain was stuck, what
// continues came to its end, and the pods went in the order of the forecast.
func TestRecorded(t *testing.T) {
	files, _ := filepath.Glob("../../../../shared/dumps*/*.truth.json")
	if len(files) == 0 {
		t.Skip("there are no dumps")
	}
	looks, next, first := 0, 0, 0
	for _, file := range files {
		var of struct {
			Sets map[string]struct {
				AtRest bool
				Next   []string
				End    string
			}
		}
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &of))
		text, err := os.ReadFile(strings.Replace(file, ".truth.json", ".dump.yaml", 1))
		require.NoError(t, err)
		d, err := dump.Read([]dump.Source{{Name: file, Data: text}}, dump.Options{})
		require.NoError(t, err)
		require.True(t, d.Version() != "" || len(d.State.Nodes) == 0, file)
		profile, err := statefulset.Lookup(cmp.Or(d.Version(), "1.36"))
		require.NoError(t, err)
		lab := &play.Lab{Profile: profile, World: d.Begin(sim.Config{Controller: statefulset.New(profile), API: profile.API(), MaxEvents: 20_000})}
		for _, set := range d.State.Sets {
			want, found := of.Sets[set.Name]
			if !found {
				want = of.Sets[set.Key().String()]
			}
			look := See(d, lab, model.Key{Namespace: set.Namespace, Name: set.Name})
			f := Begin(look)
			end := f.End(nil)
			looks++
			if end != nil {
				require.Equal(t, want.AtRest, end.Outcome == Complete || end.Outcome == WaitsForYou, "%s %s: %s", file, set.Name, end.Sentence)
				require.Equal(t, want.End == "stuck" && !want.AtRest, end.Outcome == IsStuck, "%s %s: %s", file, set.Name, end.Sentence)
			}
			if look.Set.State != judge.Continues {
				continue
			}
			require.Equal(t, "settled", want.End, "%s %s", file, set.Name)
			happened := changesOf(want.Next)
			if strings.Contains(file, "/revision-label-gone.") {
				// The pod was replaced while kubectl read the kinds.
				continue
			}
			require.Empty(t, departure(f.next, happened), "%s %s: %v", file, set.Name, f.next)
			next++
			if len(happened) == 0 || slices.ContainsFunc(f.next, func(due Due) bool {
				return due.At.Equal(f.next[0].At) && happened[0] == change{due.Pod, due.State}
			}) {
				first++
			} else {
				t.Logf("%s %s: %v, but %v came", file, set.Name, f.next, want.Next)
			}
		}
	}
	t.Logf("%d looks; of %d that continue the next change was as forecast in %d", looks, next, first)
	require.GreaterOrEqual(t, 100*first, 99*next)
}

// changesOf reads changes as they were written down: "web-2 Terminating".
func changesOf(list []string) (happened []change) {
	for _, text := range list {
		pod, state, _ := strings.Cut(text, " ")
		if s := timeline.StateOf(state); s != timeline.NoState {
			happened = append(happened, change{pod, s})
		}
	}
	return happened
}
