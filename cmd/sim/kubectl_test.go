package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKubectlMissing: who has no kubectl is told what to give instead.
func TestKubectlMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	code, _, stderr := call(t, simulator, "", "explain", "--live")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "kubectl was not found in PATH: install it, or give a dump, which this prints: kubectl get")
}
