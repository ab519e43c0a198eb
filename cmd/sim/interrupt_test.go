//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestCtrlC interrupts a process in a run that would take much longer: what is known so far is printed, and the exit
// code says so.
func TestCtrlC(t *testing.T) {
	cmd := exec.Command("sim", "run", "-o", "watch", "-")
	cmd.Stdin = strings.NewReader(`steps: [{create: {name: web, replicas: 100000, image: "app:v1"}}]`)
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	require.NoError(t, cmd.Start())
	time.AfterFunc(300*time.Millisecond, func() { _ = cmd.Process.Signal(os.Interrupt) })
	err := cmd.Wait()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, exitInterrupted, exit.ExitCode(), stderr.String())
	require.Contains(t, out.String(), "web-0")
	require.Equal(t, "sim: interrupted\n", stderr.String())
}
