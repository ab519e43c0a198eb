//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestSignals ends a process in a run that would take much longer: what is known so far is printed, and the exit code
// says by which signal.
func TestSignals(t *testing.T) {
	t.Run("Ctrl-C", func(t *testing.T) { testSignal(t, os.Interrupt, exitInterrupted) })
	t.Run("SIGTERM", func(t *testing.T) { testSignal(t, syscall.SIGTERM, exitTerminated) })
}

func testSignal(t *testing.T, with os.Signal, code int) {
	cmd := exec.Command("sim", "run", "-o", "watch", "-")
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	// A pipe does not hold as much as that: when all of it is written, the process has begun to read, and heeds signals.
	_, err = io.WriteString(stdin, strings.Repeat("# a comment\n", 20_000)+
		`steps: [{create: {name: web, replicas: 100000, image: "app:v1"}}, {setImage: {image: "app:v2"}}]`)
	require.NoError(t, err)
	require.NoError(t, stdin.Close())
	time.Sleep(time.Second / 2)
	require.NoError(t, cmd.Process.Signal(with))
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, code, exit.ExitCode(), stderr.String())
	require.Contains(t, out.String(), "web-0")
	require.Equal(t, "sim: interrupted\n", stderr.String())
}
