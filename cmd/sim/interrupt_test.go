//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
)

// TestSignals ends a process in a run that would take much longer: what is known so far is printed, and the exit code
// says by which signal.
func TestSignals(t *testing.T) {
	t.Run("Ctrl-C", func(t *testing.T) { testSignal(t, os.Interrupt, cli.ExitInterrupted) })
	t.Run("SIGTERM", func(t *testing.T) { testSignal(t, syscall.SIGTERM, cli.ExitTerminated) })
}

func testSignal(t *testing.T, with os.Signal, code int) {
	cmd := exec.Command("sim", "run", "-o", "jsonl", "-")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	cmd.Stdin = strings.NewReader(`steps: [{create: {name: web, replicas: 100000, image: "app:v1"}}, {setImage: {image: "app:v2"}}]`)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	// A pipe does not hold all that is printed: when a pod is seen, the process plays, and heeds signals.
	out := bufio.NewReader(stdout)
	for line := ""; !strings.Contains(line, `"web-0"`); {
		line, err = out.ReadString('\n')
		require.NoError(t, err, &stderr)
	}
	require.NoError(t, cmd.Process.Signal(with))
	rest, err := io.ReadAll(out)
	require.NoError(t, err)
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, code, exit.ExitCode(), stderr.String())
	require.Contains(t, string(rest), `"verdict":"interrupted"`)
	require.Equal(t, "sim: interrupted\n", stderr.String())
}
