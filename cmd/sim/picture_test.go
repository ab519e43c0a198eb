package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPicture holds the picture at the top of the README to the run that it is drawn from:
//
//	sim run -o svg scenarios/rolling-update/reverse-order.yaml > docs/rollout.svg
func TestPicture(t *testing.T) {
	const file = "../../docs/rollout.svg"
	code, fresh, stderr := call(t, simulator, "", "run", "-o", "svg", "../../scenarios/rolling-update/reverse-order.yaml")
	require.Zero(t, code, stderr)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(fresh), 0o644))
	}
	shown, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(shown), fresh)
}
