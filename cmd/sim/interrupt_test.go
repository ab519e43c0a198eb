//go:build unix

package main

import (
	"bytes"
	"io"
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
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	// A pipe does not hold as much as that: when all of it is written, the process has begun to read, and heeds signals.
	_, err = io.WriteString(stdin, strings.Repeat("# a comment\n", 20_000)+
		`steps: [{create: {name: web, replicas: 100000, image: "app:v1"}}]`)
	require.NoError(t, err)
	require.NoError(t, stdin.Close())
	time.Sleep(time.Second)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	require.Equal(t, exitInterrupted, exit.ExitCode(), stderr.String())
	require.Contains(t, out.String(), "web-0")
	require.Equal(t, "sim: interrupted\n", stderr.String())
}
