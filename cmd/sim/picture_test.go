package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// TestPicture holds the picture at the top of the README to the run that it is drawn from:
//
//	sim run -o animated-svg scenarios/rolling-update/reverse-order.yaml > docs/rollout.svg
func TestPicture(t *testing.T) {
	code, fresh, stderr := call(t, command.Simulator, "", "run", "-o", "animated-svg", "../../scenarios/rolling-update/reverse-order.yaml")
	require.Zero(t, code, stderr)
	goldenfile.Equal(t, "../../docs/rollout.svg", fresh)
}
