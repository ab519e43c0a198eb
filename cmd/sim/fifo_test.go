//go:build unix

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestPipesWithNames: what a shell calls <(helm template db) is read once, even if a command needs it several times.
func TestPipesWithNames(t *testing.T) {
	t.Chdir(t.TempDir())
	const manifest = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {serviceName: web,
  selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: a, image: b}]}}}}
`
	const played = `kubernetes: "1.36"
steps: [{create: {name: web, image: "app:v1"}}]
`
	for _, c := range []struct {
		args        []string
		in, outcome string
	}{
		{[]string{"init", "--write", "-", "pipe"}, manifest, "  - apply: |\n      {apiVersion: apps/v1, "},
		{[]string{"run", "--save-as-test", "pipe"}, played, "\n  - completes: {within: 10s}\n"},
		{[]string{"run", "--kubernetes", "1.36,1.37", "pipe"}, played, "1.37"},
		{[]string{"compare", "--with", "spec.replicas=2", "pipe"}, played, "replicas=2  settled at 6s"},
		{[]string{"explain", "pipe"}, played, "default/web: 1 of 1 serve"},
	} {
		require.NoError(t, syscall.Mkfifo("pipe", 0o600))
		go func() { _ = os.WriteFile("pipe", []byte(c.in), 0o600) }()
		var out, stderr bytes.Buffer
		code := Main(c.args, &command.Console{Out: &out, Err: &stderr, Ctx: t.Context()}, command.Simulator)
		require.Equal(t, cli.ExitOK, code, "%s: %s", c.args, &stderr)
		require.Contains(t, out.String(), c.outcome, c.args)
		require.NoError(t, os.Remove("pipe"))
	}
}

// TestPipeWithoutWriter: Ctrl-C ends the wait for somebody who writes into a pipe.
func TestPipeWithoutWriter(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, syscall.Mkfifo("pipe", 0o600))
	require.NoError(t, os.WriteFile("expect.yaml", []byte("expect: [{ends: settled}]\n"), 0o600))
	for _, args := range [][]string{{"run", "pipe"}, {"check", "pipe", "expect.yaml"}} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/10)
		var out, stderr bytes.Buffer
		require.Equal(t, cli.ExitInterrupted, Main(args, &command.Console{Out: &out, Err: &stderr, Ctx: ctx}, command.Simulator), args)
		require.Equal(t, "sim: interrupted\n", stderr.String(), args)
		cancel()

		// The goroutine that still waits is let go, so that it does not stay with the tests after this one. There may be
		// none: a writer alone would wait for it.
		writer, err := os.OpenFile("pipe", os.O_RDWR, 0)
		require.NoError(t, err)
		require.NoError(t, writer.Close())
	}
}

// TestReportToStandardOutput: standard output under its name is written to and not replaced.
func TestReportToStandardOutput(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /dev/stdout")
	}
	folder(t)
	require.NoError(t, os.WriteFile("web.yaml", []byte("steps: [{create: {name: web, replicas: 1, image: a}}]\n"), 0o644))
	out, err := os.Create("out.txt")
	require.NoError(t, err)
	cmd := exec.Command("sim", "test", "--junit", "/dev/stdout", "web.yaml")
	cmd.Stdout = out
	require.NoError(t, cmd.Run())
	require.NoError(t, out.Close())
	text, err := os.ReadFile("out.txt")
	require.NoError(t, err)
	require.Contains(t, string(text), "<testsuites")
	require.Contains(t, string(text), "1 passed")
}
