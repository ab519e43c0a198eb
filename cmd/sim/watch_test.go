package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// TestWatched: each change of a file is answered, a mistake ends nothing, and the user ends it.
func TestWatched(t *testing.T) {
	file := filepath.Join(t.TempDir(), "web.yaml")
	ctx, end := context.WithCancel(t.Context())
	var told bytes.Buffer
	s := (&command.Console{Ctx: ctx, Out: &told, Err: &told}).Guarded()
	on, answers := true, 0
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o644)) }
	write("one")
	err := watched(s, &on, func(*cobra.Command, []string) error {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		told.WriteString("answer to " + string(text) + "\n")
		switch answers++; answers {
		case 1:
			write("longer")
			return work.Usagef("web.yaml:1:1: it is wrong")
		case 2:
			write("the longest")
			return work.ErrFailed
		}
		end()
		return nil
	})(&cobra.Command{Use: "test"}, []string{file})
	require.ErrorIs(t, err, work.ErrInterrupted)
	require.Equal(t, []string{"answer to one", "answer to longer", "answer to the longest"}, answersIn(told.String()))
	require.Contains(t, told.String(), "web.yaml:1:1: it is wrong")
	require.Contains(t, told.String(), "watching 1 file; Ctrl-C ends")

	code, _, said := call(t, new(fakeEngine).engine(), "", "run", "--watch", "-")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, said, "--watch watches files: standard input is read once")
}

func answersIn(text string) (list []string) {
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "answer to ") {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}
