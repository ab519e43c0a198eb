package report

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestStory: the parts of a story, one after the other, are the story.
func TestStory(t *testing.T) {
	for _, run := range []*Run{canaryRun(), stuckRun(), livelockRun()} {
		for _, style := range []render.Style{{}, {Width: 50}, {Color: true}} {
			var text bytes.Buffer
			require.NoError(t, Text(&text, run, style))
			parts := slices.Collect(Story(run, style))
			story := strings.Join(parts, "")
			require.Contains(t, text.String(), story)
			require.Greater(t, len(parts), 2)
			for _, part := range parts {
				require.LessOrEqual(t, strings.Count(part, "STEP "), 1, "a part has at most one step")
			}
			before, after, _ := strings.Cut(text.String(), story)
			require.NotContains(t, before, "STEP ", "the heading is no part of the story")
			require.NotContains(t, after, " waits: ", "the story is whole")
		}
	}
}

// TestStoryEnds: who has read enough is told no more.
func TestStoryEnds(t *testing.T) {
	parts := slices.Collect(Story(stuckRun(), render.Style{}))
	for want := range parts {
		var got []string
		for part := range Story(stuckRun(), render.Style{}) {
			if got = append(got, part); len(got) > want {
				break
			}
		}
		require.Equal(t, parts[:want+1], got)
	}
}

func TestProse(t *testing.T) {
	const text = "# 1. A title\n\nA paragraph that is long enough to be wrapped\non a narrow terminal, with " +
		"`code`.\n\n\n" +
		"```text\n  code that is not wrapped, however long it may be\n\n  even with an empty line\n```\n\n" +
		"- one [link](https://example.org/a-long-address-that-stays-whole)\n- two, which goes on for longer\n  than a line\n"
	var out bytes.Buffer
	require.NoError(t, Prose(&out, text, render.Style{Width: 40}))
	require.Equal(t, `1. A title

A paragraph that is long enough to be
wrapped on a narrow terminal, with
`+"`code`"+`.

  code that is not wrapped, however long it may be

  even with an empty line

- one link:
  https://example.org/a-long-address-that-stays-whole
- two, which goes on for longer than a
  line
`, out.String())

	out.Reset()
	require.NoError(t, Prose(&out, "# T\x1b[31m\n\ntext\n\n```diff\n-a\n\n+b\n```\n", render.Style{Color: true}))
	require.Equal(t, "\x1b[1mT\\x1b[31m\x1b[0m\n\ntext\n\n\x1b[31m-a\x1b[0m\n\n\x1b[32m+b\x1b[0m\n", out.String())
}

// TestProseOfAnything: a page that is cut off anywhere is still shown.
func TestProseOfAnything(t *testing.T) {
	const text = "# T\n\n```text\na\n\nb\n```\n\n- x\n- y [z](u)\n"
	for n := range len(text) {
		var out bytes.Buffer
		require.NoError(t, Prose(&out, text[:n], render.Style{}))
		require.Equal(t, strings.TrimSpace(text[:n]) == "", out.Len() == 0, "%q", text[:n])
	}
}
