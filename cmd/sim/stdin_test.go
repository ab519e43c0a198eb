package main

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// zeros is an input without an end, which counts how much of it is read.
type zeros struct{ read int }

func (z *zeros) Read(p []byte) (int, error) {
	clear(p)
	z.read += len(p)
	return len(p), nil
}

// TestTimelineFromStandardInput: a timeline is read as it comes, so that what is none is refused before it fills the
// memory, and Ctrl-C ends the wait for the rest.
func TestTimelineFromStandardInput(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("expect.yaml", []byte("expect: [{ends: settled}]\n"), 0o600))
	check := []string{"check", "-", "expect.yaml"}

	var out, stderr bytes.Buffer
	endless := &zeros{}
	require.Equal(t, cli.ExitUsage, Main(check, &command.Console{In: endless, Out: &out, Err: &stderr, Ctx: t.Context()}, command.Simulator))
	require.Equal(t, "<stdin>:1: the line is longer than 16 MiB\n", stderr.String())
	require.Less(t, endless.read, 20<<20)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stderr.Reset()
	require.Equal(t, cli.ExitInterrupted, Main(check, &command.Console{In: blocked{}, Out: &out, Err: &stderr, Ctx: ctx}, command.Simulator))
	require.Equal(t, "sim: interrupted\n", stderr.String())
}
