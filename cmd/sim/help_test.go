package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

// TestHelpFitsATerminal: no line of help is wider than a terminal of 80 columns, and no sentence breaks off early in one
// line to go on in the next. The texts of cobra's own command completion are not ours.
func TestHelpFitsATerminal(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Hidden || cmd.Name() == "completion" {
			return
		}
		args := strings.Fields(cmd.CommandPath())
		args[0] = "help"
		code, out, err := call(t, simulator, "", args...)
		require.Equal(t, exitOK, code, err)
		lines := strings.Split(out, "\n")
		for i, line := range lines {
			require.LessOrEqual(t, utf8.RuneCountInString(line), helpWidth, "%s: %q", cmd.CommandPath(), line)
			if i+1 < len(lines) {
				require.False(t, ragged(line, lines[i+1]), "%s: the line breaks early: %q", cmd.CommandPath(), line)
			}
		}
		for _, below := range cmd.Commands() {
			visit(below)
		}
	}
	visit(newRootCmd(&streams{ctx: t.Context()}, simulator))
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
	room := helpWidth - utf8.RuneCountInString(line)
	return len(strings.Join(words[:min(3, len(words))], " ")) < room
}

func TestRagged(t *testing.T) {
	early := "that reads files has these"
	require.True(t, ragged(early, "flags to raise the limits:"))
	require.False(t, ragged(early, ""))
	require.False(t, ragged(early, "  - an item of a list"))
	require.False(t, ragged(early+strings.Repeat(" word", 10), "flags to raise the limits:"))
}
