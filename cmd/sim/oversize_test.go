//go:build unix

package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// readers are the commands that read a file, each with the arguments before the file.
var readers = [][]string{
	{"run"}, {"test"}, {"sweep"}, {"compare", "--with", "seed=2"}, {"expand"}, {"init", "--write", "-"}, {"explain"},
	{"explore"}, {"plan", "web.yaml"}, {"upgrade", "--from", "1.36", "--to", "1.37"}, {"check", "expect.yaml"}, {"merge"},
}

// TestOversize: each command refuses what is longer than --max-file-size, and never reads it whole: a large file by its
// size, a device and a pipe without an end where the limit is.
func TestOversize(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("web.yaml", []byte("kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n"), 0o600))
	require.NoError(t, os.WriteFile("expect.yaml", []byte("expect: [{ends: settled}]\n"), 0o600))
	large, err := os.Create("large.yaml")
	require.NoError(t, err)
	require.NoError(t, large.Truncate(1<<40))
	require.NoError(t, large.Close())
	for _, words := range readers {
		for _, file := range []string{"large.yaml", "/dev/zero", "pipe"} {
			if file == "/dev/zero" && words[0] == "test" {
				// It names files of scenarios, and this is none.
				continue
			}
			t.Run(strings.Join(words, " ")+" "+file, func(t *testing.T) {
				if file == "pipe" {
					require.NoError(t, syscall.Mkfifo("pipe", 0o600))
					t.Cleanup(func() { require.NoError(t, os.Remove("pipe")) })
					go pour("pipe")
				}
				args := append(append([]string{}, words...), "--max-file-size", "100KiB", file)
				if words[0] == "check" {
					args = []string{"check", "--max-file-size", "100KiB", file, "expect.yaml"}
				}
				var out, stderr bytes.Buffer
				code := Main(args, &command.Console{In: strings.NewReader(""), Out: &out, Err: &stderr, Ctx: t.Context()}, command.Simulator)
				require.Equal(t, cli.ExitUsage, code, "%s", &stderr)
				require.Regexp(t, "has more than 102400 bytes|is no regular file|this is not a timeline", out.String()+stderr.String())
			})
		}
	}
}

// pour writes into a pipe until nobody reads any more.
func pour(path string) {
	pipe, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	_, _ = io.Copy(pipe, strings.NewReader(strings.Repeat("# nothing\n", 1<<17)))
	_ = pipe.Close()
}

// TestInterruptedReading: a signal ends the reading of standard input in each words that takes it.
func TestInterruptedReading(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, words := range [][]string{{"run"}, {"init", "--write", "-"}, {"explain"}, {"explore"}, {"upgrade", "--from", "1.36", "--to", "1.37"}} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second/20)
		in, _ := io.Pipe()
		var out, stderr bytes.Buffer
		code := Main(append(append([]string{}, words...), "-"), &command.Console{In: in, Out: &out, Err: &stderr, Ctx: ctx}, command.Simulator)
		require.Equal(t, cli.ExitInterrupted, code, "%s: %s", words, &stderr)
		cancel()
	}
}
