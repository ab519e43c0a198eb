package plan

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/alarm"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/judge"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestStuckBefore: a pod that has been in ContainerCreating for a quarter of an hour is stuck for a plan too, if it is
// told when the dump was taken, as sim explain is; else it says that the dump may be old.
func TestStuckBefore(t *testing.T) {
	data, err := os.ReadFile("testdata/volume-not-mounted.yaml")
	require.NoError(t, err)
	text := string(data)
	after := strings.ReplaceAll(web("3", "app:v3", "serviceName: web"), "{name: web}", "{name: web, namespace: shop}")
	at := func(taken time.Time) (*Plan, error) {
		in, err := Read(Stream{Name: "old.yaml", Data: []byte(text), At: taken}, Stream{Name: "new.yaml", Data: []byte(after)},
			strict.Limits{})
		if err != nil {
			return nil, err
		}
		return Of(in, &Options{Profiles: profiles(t, "1.37")})
	}
	late, err := at(time.Date(2026, 1, 1, 0, 16, 19, 0, time.UTC))
	require.NoError(t, err)
	set := late.find("web")
	require.Equal(t, judge.Stuck, set.Now.State)
	require.False(t, set.Completes)
	require.Contains(t, set.Headline, "the rollout does not start: no pod is replaced")
	require.Contains(t, late.Alarms[0].Sentence, "web-2 is not Running and Ready")

	guessed, err := at(time.Time{})
	require.NoError(t, err)
	set = guessed.find("web")
	require.Equal(t, judge.Continues, set.Now.State)
	require.Contains(t, strings.Join(set.Notes, "\n"), "the dump does not show when it was taken")

	_, err = at(time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
	require.ErrorContains(t, err, "old.yaml: it has a newer time than 2025-01-01T00:00:00Z: it was taken at 2026-01-01T00:02:06Z or later")
}

// TestStuckOnCall: a change leaves no set stuck unsaid that sim explain calls stuck. Where it completes, the change
// itself has ended that.
func TestStuckOnCall(t *testing.T) {
	idle := 0
	for _, c := range oncall.Dumps() {
		d, err := dump.Read([]dump.Source{{Name: c.Name, Data: c.Data}}, dump.Options{})
		require.NoError(t, err)
		for _, set := range d.State.Sets {
			after := changed(t, c.Data, set.Name, "kubectl rollout restart")
			if after == "" {
				continue
			}
			in, err := Read(Stream{Name: "old.yaml", Data: c.Data}, Stream{Name: "new.yaml", Data: []byte(after)}, strict.Limits{})
			if err != nil {
				continue // The API server would refuse the set as it is.
			}
			plan, err := Of(in, &Options{Profiles: profiles(t, "1.37")})
			require.NoError(t, err)
			s := plan.find(set.Key().String())
			if s == nil || s.Now == nil || s.Now.State != judge.Stuck {
				continue
			}
			name := s.Now.Causes[0].Name
			if slices.Contains([]string{"controller-idle", "scheduler-idle", "made-again", "delete-refused"}, name) {
				idle++
				require.False(t, s.Completes, c.Name)
				require.Equal(t, judge.Stuck, s.Then.State, c.Name)
				require.NotEmpty(t, s.alarms, c.Name)
				continue
			}
			if s.Completes && name != "controller-asleep" && name != "claim-missing" { // The change wakes, or claims anew.
				require.Equal(t, alarm.TrapNotAtRest, s.alarms[0].Trap, c.Name)
			}
		}
	}
	require.Positive(t, idle)
}
