package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestHelp: each command of sessions has help with examples and all its flags, of which what --help prints fits into one
// screen, and no line is wider than a terminal.
func TestHelp(t *testing.T) {
	root := newRootCmd(&command.Console{Ctx: t.Context()})
	seen := 0
	for _, of := range cli.Sessions {
		cmd, _, err := root.Find(strings.Fields(of.Use)[:1])
		require.NoError(t, err)
		require.Equal(t, of.Use, cmd.Use)
		seen++
		code, all, stderr := call(t, "help", cmd.Name())
		require.Equal(t, cli.ExitOK, code, stderr)
		require.Contains(t, all, "Examples:\n  sim "+cmd.Name())
		code, brief, stderr := call(t, cmd.Name(), "--help")
		require.Equal(t, cli.ExitOK, code, stderr)
		require.Less(t, strings.Count(brief, "\n"), 24, brief)
		require.Contains(t, brief, "All about it: sim help "+cmd.Name())
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			require.Equal(t, !f.Hidden, strings.Contains(all, "--"+f.Name), f.Name)
			require.Equal(t, !f.Hidden, strings.Contains(brief, "--"+f.Name), f.Name)
		})
		for line := range strings.Lines(all + brief) {
			require.LessOrEqual(t, utf8.RuneCountInString(line), cli.HelpWidth+1, line)
		}
	}
	require.Len(t, root.Commands(), seen)
}

// TestCompletions: a shell completes the words of flags.
func TestCompletions(t *testing.T) {
	for line, want := range map[string]string{
		"serve --kubernetes": "1.37", "serve --output": "html", "serve --controllers": "none", "why --output": "json",
		"clock --color": "never",
	} {
		_, out, _ := call(t, append(append([]string{"__complete"}, strings.Fields(line)...), "")...)
		require.Contains(t, strings.Fields(out), want, line)
	}
}

// TestVersion: it is of one version with sim, whose name it tells.
func TestVersion(t *testing.T) {
	code, out, stderr := call(t, "--version")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.True(t, strings.HasPrefix(out, "sim "+command.Version+"\n"), out)
}
