package dump_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/sim"
)

// TestHung: a kubelet is assumed to be unable to stop a pod only if its node has answered for long enough. Where the
// node is silent, or has just come back, it may well stop it.
func TestHung(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("kubelet: {stop: never}\nsteps:\n- create: {name: web, image: \"app:v1\"}\n"+
		"- delete: pod/web-0\n"), nil, scenario.Options{})
	require.NoError(t, err)
	world := sim.New(s.Config(scenario.RunOptions{}))
	world.Run(s.Steps)
	var printed bytes.Buffer
	require.NoError(t, printing.Print(&printed, world.State(), epoch.Add(time.Duration(world.Now()))))
	at := epoch.Add(20 * time.Minute)
	const ready = "lastHeartbeatTime: null\n          lastTransitionTime: null\n          status: \"True\""
	require.Contains(t, printed.String(), ready)
	for name, c := range map[string]struct {
		status, since string
		hung          bool
	}{
		"a node of which nobody knows since when": {`"True"`, "null", true},
		"a node that answers all the time":        {`"True"`, "2025-12-31T00:00:00Z", true},
		"a node that has answered for an hour":    {`"True"`, "2025-12-31T23:20:00Z", true},
		"a node that has just come back":          {`"True"`, "2026-01-01T00:19:50Z", false},
		"a node that is silent":                   {"Unknown", "2026-01-01T00:10:00Z", false},
	} {
		text := strings.ReplaceAll(printed.String(), ready,
			"lastHeartbeatTime: null\n          lastTransitionTime: "+c.since+"\n          status: "+c.status)
		d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{At: at})
		require.NoError(t, err, name)
		require.Equal(t, c.hung, d.State.Pods[0].Hung, name)
	}
}
