package explore_test

import (
	"bytes"
	"fmt"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/search/explore"
	"github.com/statefulsim/statefulsim/sim"
)

// TestPodsOfALiveSet: what usually happens to pods is tried with each that a set has at the start, though the plain run
// creates none of them.
func TestPodsOfALiveSet(t *testing.T) {
	one, three := widest(t, 1), widest(t, 3)
	require.GreaterOrEqual(t, three, one+2, "each pod is one thing more that may fail")
}

// widest returns the number of things that may happen at an instant to a live set of some replicas.
func widest(t *testing.T, replicas int) int {
	t.Helper()
	s, err := scenario.Parse("web.yaml", fmt.Appendf(nil, "kubernetes: \"1.36\"\nsteps:\n"+
		"- create: {name: web, replicas: %d, image: \"app:v1\"}\n", replicas), nil, scenario.Options{})
	require.NoError(t, err)
	var live bytes.Buffer
	config := s.Config(scenario.RunOptions{})
	config.Settled = func(w *sim.World) {
		require.NoError(t, printing.Print(&live, w.State(), time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)))
	}
	sim.New(config).Run(s.Steps)
	x, err := explore.New(&explore.Source{
		Name: "explored.yaml", Dir: fstest.MapFS{"live.yaml": {Data: live.Bytes()}},
		Data: []byte("kubernetes: \"1.36\"\nstart: live.yaml\nsteps:\n- label: {pod: web-0, labels: {a: b}}\n" +
			"explore: {usual: true}\n"),
	})
	require.NoError(t, err)
	part, err := x.Explore(explore.Settings{Deviations: 1, Runs: 200})
	require.NoError(t, err)
	return part.Result.Widest
}

// TestDump explores live sets: what is found begins with them, and is a plain scenario beside the dump.
func TestDump(t *testing.T) {
	const dir, name = "../../../../shared/dumps", "trap-parallel-reverted.dump.yaml"
	data, err := os.ReadFile(dir + "/" + name)
	if err != nil {
		t.Skip("the dumps are not here")
	}
	require.True(t, explore.IsDump(data))
	x, err := explore.New(&explore.Source{
		Name: name, Data: explore.Live(name), Dir: os.DirFS(dir), Options: scenario.Options{Kubernetes: "1.37"},
	})
	require.NoError(t, err)
	part, err := x.Explore(explore.Settings{Deviations: 1, Runs: 200})
	require.NoError(t, err)
	require.NotEmpty(t, part.Found)
	require.Contains(t, part.Found[0].Scenario, "start: "+name)
	require.False(t, explore.IsDump([]byte("kind: Pod\nmetadata: {name: web-0}\n")))
}
