package dump_test

import (
	"bytes"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// What no dump shows.
const (
	backsOff    = "how long the controller still waits until it tries again, or until it is back"
	asleep      = "that nothing has woken the controller since a claim was deleted"
	heldUnready = "that somebody holds a pod unready, and for how long"
	hangs       = "that a kubelet does not end a pod"
	nodeIsBack  = "since when a node answers again"
	unused      = "since when nothing uses a claim that is being deleted"
	leftOut     = "pods whose StatefulSet is not in the dump are left out"
	claimless   = "a dump without claims is taken for one without that kind"
)

// unseen are the recordings whose worlds a dump does not continue, with what it does not show.
var unseen = map[string]string{
	"restart-01-mid-rollout": backsOff, "restart-02-pods-deleted-while-away": backsOff,
	"restart-05-scaled-delete-midway":     backsOff,
	"restart-06-updated-twice-while-away": backsOff, "restart-07-evict-while-away": backsOff,
	"restart-09-claims-and-scale-meanwhile":   backsOff,
	"claims-21-recreated-at-once-whendeleted": backsOff, "owners-13-hand-made-name-taken-by-stranger": backsOff,
	"owners-16-release-terminating-pod": backsOff, "shipped-owners-relabelled-pod": backsOff,
	"shipped-deletion-created-again-before-the-collector": backsOff,

	"claims-17-condemned-pod-hangs": asleep, "claims-31-scaled-delete-back-again": asleep,
	"claims-32-scaled-delete-back-again": asleep,

	"services-02-publish-not-ready": heldUnready, "v-06-parallel-unready-old-pod-partition": heldUnready,
	"deletion-17-foreground-pod-deleted-by-hand-meanwhile": hangs,

	"nodes-01-down-evicted-back": nodeIsBack, "nodes-12-down-in-rollout": nodeIsBack,
	"nodes-15-down-scale-down": nodeIsBack,
	"nodes-17-two-down":        nodeIsBack, "nodes-25-down-foreground-delete-back": nodeIsBack,
	"nodes-30-down-ondelete-scale-claims": nodeIsBack,

	"shipped-claims-terminating-blocks-its-pod":         unused,
	"owners-06-overlapping-selectors":                   leftOut,
	"owners-20-overlapping-same-template":               leftOut,
	"claims-41-wffc-claim-of-unschedulable-pod-deleted": claimless,
}

// TestDumpsOfLivesGoOn takes dumps of the worlds of the recordings after their last steps, and begins again with them:
// they go on as the unbroken ones, but for those that need what no dump shows.
func TestDumpsOfLivesGoOn(t *testing.T) {
	archive, err := txtar.ParseFile("../../testdata/recordings/lives.txtar")
	require.NoError(t, err)
	for _, f := range archive.Files {
		if !strings.HasSuffix(f.Name, ".yaml") {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			s, err := scenario.Parse(f.Name, f.Data, nil, scenario.Options{})
			require.NoError(t, err)
			config := s.Config(scenario.RunOptions{})
			unbroken := sim.New(config).Run(s.Steps)
			last := lastStep(unbroken)
			if last%time.Second != 0 {
				t.Skip("kubectl prints whole seconds")
			}
			same := true
			for _, after := range []time.Duration{250 * time.Millisecond, 1250 * time.Millisecond, 3250 * time.Millisecond} {
				want, got := parted(t, config, s.Steps, unbroken, last+after)
				if unseen[path.Base(strings.TrimSuffix(f.Name, ".yaml"))] == "" {
					require.Equal(t, want, got, "stopped %s after the last step", after)
				}
				same = same && strings.Join(want, "\n") == strings.Join(got, "\n")
			}
			if why := unseen[path.Base(strings.TrimSuffix(f.Name, ".yaml"))]; why != "" && same {
				t.Errorf("it goes on all the same: take it out of the table (%s)", why)
			}
		})
	}
}

// lastStep returns when the last step acted.
func lastStep(events []timeline.Event) (last time.Duration) {
	for i := range events {
		if events[i].Step != nil {
			last = time.Duration(events[i].T)
		}
	}
	return last
}

// parted returns what happens after an instant in an unbroken run, and in a world that begins with a dump of it.
func parted(
	t *testing.T, config sim.Config, steps []sim.Step, unbroken []timeline.Event, at time.Duration,
) (want, got []string) {
	stopped := config
	stopped.Until = at
	world := sim.New(stopped)
	world.Run(steps)
	if len(world.State().Sets) == 0 {
		return nil, nil
	}
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, world.State(), epoch.Add(time.Duration(max(world.Now(), 0)))))
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: printed.Bytes()}}, dump.Options{At: epoch.Add(at)})
	require.NoError(t, err)
	config.Start = d.State
	return changes(unbroken, at), changes(sim.New(config).Run(nil), -1)
}
