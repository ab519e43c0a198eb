package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
)

// TestHelpFitsATerminal: no line of help is wider than a terminal of 80 columns, and no sentence breaks off early in
// one line to go on in the next. The texts of cobra's own command completion are not ours.
func TestHelpFitsATerminal(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.DisableFlagParsing || cmd.Name() == "completion" {
			return
		}
		args := strings.Fields(cmd.CommandPath())
		args[0] = "help"
		code, out, err := call(t, command.Simulator, "", args...)
		require.Equal(t, cli.ExitOK, code, err)
		require.NotContains(t, out, "{{", "a list has no such name")
		lines := strings.Split(out, "\n")
		for i, line := range lines {
			require.LessOrEqual(t, utf8.RuneCountInString(line), cli.HelpWidth, "%s: %q", cmd.CommandPath(), line)
			if i+1 < len(lines) {
				require.False(t, ragged(line, lines[i+1]), "%s: the line breaks early: %q", cmd.CommandPath(), line)
			}
		}
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(newRootCmd(&command.Console{Ctx: t.Context()}, command.Simulator))
}

// ragged says whether prose at the margin or in an item of a list goes on in the next line although three more of its
// words would have had room.
func ragged(line, next string) bool {
	isProse := regexp.MustCompile(`^(\S|  - |    \S).* .* .* `)
	goesOn := regexp.MustCompile(`^(    )?[a-z(]\S*( \S+)* `)
	if !isProse.MatchString(line) || !goesOn.MatchString(next) || strings.HasPrefix(line, "Use ") {
		return false
	}
	words := strings.Fields(next)
	room := cli.HelpWidth - utf8.RuneCountInString(line)
	return len(strings.Join(words[:min(3, len(words))], " ")) < room
}

func TestRagged(t *testing.T) {
	early := "that reads files has these"
	require.True(t, ragged(early, "flags to raise the limits:"))
	require.False(t, ragged(early, ""))
	require.False(t, ragged(early, "  - an item of a list"))
	require.False(t, ragged(early+strings.Repeat(" word", 10), "flags to raise the limits:"))
}

// TestHelpFitsIntoOneScreen: what --help prints has at most the 24 lines of a small terminal, and no line is cut off.
// It begins with what the command is for, and has its two most common uses and the names of all flags. All the rest is
// in sim help COMMAND.
func TestHelpFitsIntoOneScreen(t *testing.T) {
	root := newRootCmd(&command.Console{Ctx: t.Context()}, command.Simulator)
	for _, cmd := range append(root.Commands(), root) {
		if help.Fill(cmd); cmd.Hidden || !cmd.HasExample() {
			continue
		}
		args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
		code, out, err := call(t, command.Simulator, "", args...)
		require.Equal(t, cli.ExitOK, code, err)
		require.Less(t, strings.Count(out, "\n"), 24, out)
		for line := range strings.Lines(out) {
			require.LessOrEqual(t, utf8.RuneCountInString(line), cli.HelpWidth+1, line)
		}
		uses := strings.SplitAfter(cmd.Example, "\n")
		require.Contains(t, out, strings.Join(uses[:min(2, len(uses))], ""), cmd.Name())
		require.Regexp(t, "(All about it|What each does): sim help", out)
		if cmd == root {
			continue
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			require.Equal(t, !f.Hidden, strings.Contains(out, "--"+f.Name), "%s --%s", cmd.Name(), f.Name)
		})
	}
}
