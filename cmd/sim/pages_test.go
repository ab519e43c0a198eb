package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestSearchIsRepeated: the shards of a search get every flag that says what is searched.
func TestSearchIsRepeated(t *testing.T) {
	inputs(t)
	code, out, errors := call(t, command.Simulator, "", strings.Fields("explore --job 2 --no-promise ordered-start --deviations 2 --random "+
		"--seed 4 --kubernetes 1.36 --promise ordered-stop --runs 7 fine.yaml")...)
	require.Zero(t, code, errors)
	require.Contains(t, out, `"--seed", "4", "--kubernetes", "1.36", "--promise", "ordered-stop", "--runs", "7", `+
		`"--no-promise", "ordered-start", "--deviations", "2", "--random"`)
	code, out, _ = call(t, command.Simulator, "", "explore", "--job", "2", "fine.yaml")
	require.Zero(t, code)
	require.NotContains(t, out, "--deviations")
	require.NotContains(t, out, "--random")
}

// TestShardsOfASweep: each plays its part of the seeds, from the one that is asked for, and together they are the
// whole.
func TestShardsOfASweep(t *testing.T) {
	inputs(t)
	sweep := func(words string) string {
		code, out, errors := call(t, command.Simulator, "", strings.Fields("sweep -o json --seed 3 --runs 5 "+words+" fine.yaml")...)
		require.Zero(t, code, errors)
		return out
	}
	require.Contains(t, sweep("--shard 0/2"), `"first": 3,
      "runs": 3,`)
	require.Contains(t, sweep("--shard 1/2"), `"first": 3,
      "runs": 2,`)
	require.NotContains(t, sweep(""), "shards")
	require.NotContains(t, sweep("--shard 0/1"), "shards")
}
