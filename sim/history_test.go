package sim_test

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/statefulset"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestNoHistory plays random worlds in which things go wrong three times: as they are, handing their events on, and
// forgetting them then. Each time the lines are the same, and only the last instants are left in the end.
func TestNoHistory(t *testing.T) {
	forgot := 0
	rapid.Check(t, func(t *rapid.T) {
		tr, cycles := randomTrouble(t), rapid.Bool().Draw(t, "cycles")
		play := func(hand, forget bool) (lines, left string) {
			config := tr.config(t)
			config.Cycles, config.NoHistory = cycles, forget
			var written []byte
			if hand {
				config.Written = func(events []timeline.Event) { written = appendLines(written, events) }
			}
			events := sim.New(config).Run(append([]sim.Step{creating(tr.set)}, tr.steps...))
			return string(written), string(appendLines(nil, events))
		}
		_, want := play(false, false)
		handed, all := play(true, false)
		require.Equal(t, want, handed)
		require.Equal(t, want, all)
		handed, left := play(true, true)
		require.Equal(t, want, handed)
		if len(left) < len(want) {
			forgot++
		}
	})
	requireMet(t, forgot, "forgotten")
}

func appendLines(to []byte, events []timeline.Event) []byte {
	for i := range events {
		to = append(timeline.AppendJSON(to, &events[i]), '\n')
	}
	return to
}

// TestNoHistoryTakesNoMemory plays pods that fail and are recreated for a very long time: after 50,000 events the heap is
// as large as after 10,000. With a history it grows by about 8 MB.
func TestNoHistoryTakesNoMemory(t *testing.T) {
	grows := func(noHistory bool) (bytes int64) {
		seen, heap := 0, uint64(0)
		config := failing(t)
		config.NoHistory = noHistory
		config.Written = func(events []timeline.Event) {
			for range events {
				switch seen++; seen {
				case 10_000:
					heap = live()
				case 50_000:
					bytes = int64(live()) - int64(heap)
				}
			}
		}
		config.Interrupted = func() bool { return seen > 50_000 }
		sim.New(config).Run([]sim.Step{creating(&model.StatefulSet{
			Meta: model.Meta{Namespace: "default", Name: "web"},
			Spec: model.Spec{
				Replicas: 5, ServiceName: "web", Template: template("app:v1"), PodManagement: model.Parallel,
				Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			},
		})})
		require.Greater(t, seen, 50_000)
		return bytes
	}
	require.Less(t, grows(true), int64(100_000))
	require.Greater(t, grows(false), int64(4_000_000), "this is what the test looks for")
}

// failing is a world whose pods fail after 5 seconds.
func failing(t *testing.T) sim.Config {
	profile, err := statefulset.Lookup("")
	require.NoError(t, err)
	return sim.Config{
		Controller: statefulset.New(profile), API: profile.API(),
		Kubelet: behaviour.Behaviour{Default: behaviour.Times{
			Schedule: behaviour.Constant(0), Start: behaviour.Constant(time.Second), Ready: behaviour.Constant(time.Second),
			Stop: behaviour.Constant(time.Second), Fail: behaviour.Constant(5 * time.Second),
		}},
	}
}

// live returns the bytes of the heap that somebody holds.
func live() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
