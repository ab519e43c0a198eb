package explore_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/runs/explore"
)

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
