package explain_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestNodesThatTheDumpDoesNotShow: a pod that terminates goes on only if its node answers, which nobody promises of a
// node that the dump does not show. Where the pod shows that its node is silent, that is what is taken.
func TestNodesThatTheDumpDoesNotShow(t *testing.T) {
	const nodes = "nodes: {count: 3}\nsteps:\n" + three
	cases := []struct {
		name, text string
		until      string
		stuck      bool
		provided   string
	}{
		{"a pod that is on its way", nodes + "- delete: pod/web-1\n", "10s", false,
			"provided that node-2 answers, which the dump does not show (kubectl get nodes node-2)"},
		{"a node that is silent", nodes + "- nodeDown: node-2\n", "1h", true, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := scenario.Parse("s.yaml", []byte("until: "+c.until+"\n"+c.text), nil, scenario.Options{})
			require.NoError(t, err)
			state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
			state.Nodes = nil
			d := dumpedAfter(t, state, 0)
			live := explain.ExplainLive(d, labOf(s, d))
			require.Equal(t, c.stuck, live.Sets[0].Stuck(), "%+v", live.Sets[0])
			if c.stuck {
				require.Equal(t, "web-1", live.Sets[0].StuckOn)
				require.Contains(t, live.Sets[0].Waits[0].Release, "node-2 is down")
			}
			require.Contains(t, live.Sets[0].Provided, c.provided)
		})
	}
}

// labOf plays worlds that begin with a dump.
func labOf(s *scenario.Scenario, d *dump.Dump) *play.Lab {
	return &play.Lab{Profile: s.Profile, World: d.Begin(sim.Config{
		Controller: statefulset.New(s.Profile), API: s.Profile.API(),
	})}
}

// TestNoNodeTakesThePod: an image does not bring a pod on a node. Where the scheduler finds none and the dump does not show
// the nodes, what is to be changed is what keeps the pod from them; that nodes are cordoned is what the scheduler says.
func TestNoNodeTakesThePod(t *testing.T) {
	s, err := scenario.Parse("s.yaml", []byte("nodes: {count: 1}\nsteps:\n"+three+"- cordon: node-1\n- delete: pod/web-1\n"), nil,
		scenario.Options{})
	require.NoError(t, err)
	state := (&play.Lab{Profile: s.Profile, World: s.Config(scenario.RunOptions{}), Before: s.Steps}).State(nil)
	state.Nodes = nil
	var printed bytes.Buffer
	require.NoError(t, dump.Print(&printed, state, time.Unix(1e9, 0)))
	text := regexp.MustCompile(`(\n *)(status: "False"\n *type: PodScheduled)`).ReplaceAllString(printed.String(),
		"${1}message: '0/1 nodes are available: 1 node(s) were unschedulable.'${1}$2")
	require.NotEqual(t, printed.String(), text)
	d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: []byte(text)}}, dump.Options{})
	require.NoError(t, err)
	live := explain.ExplainLive(d, labOf(s, d)).Sets[0]
	require.True(t, live.Stuck())
	require.Contains(t, strings.Join(live.Facts, "\n"), "kubectl uncordon NODE")
	for _, way := range live.WaysOut {
		require.NotContains(t, strings.Join(way.Commands, "\n"), "IMAGE")
	}
	require.Contains(t, live.WaysOut[0].Needs, "what keeps the pods from all nodes")
}
