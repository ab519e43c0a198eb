package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/cmd/sim/cli"
	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/course"
)

// TestLearnInterrupted: Ctrl-C before the first pause is told like any other.
func TestLearnInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	s := &command.Console{In: blocked{}, Out: io.Discard, Err: &stderr, Ctx: ctx}
	require.Equal(t, cli.ExitInterrupted, Main([]string{"learn", "1"}, s, new(fakeEngine).engine()))
	require.Equal(t, "sim: interrupted\n", stderr.String())
}

func TestLearnCommand(t *testing.T) {
	tests := []struct {
		name, args string
		code       int
		out, err   string
	}{
		{name: "list", args: "learn", out: "\n- 2. An ordered start\n"},
		{name: "argument", args: "learn 2", out: "2. An ordered start\n"},
		{name: "flag", args: "learn --lesson 2", out: "2. An ordered start\n"},
		{name: "both", args: "learn 2 --lesson 2", out: "2. An ordered start\n"},
		{name: "both, differing", args: "learn 2 --lesson 3", code: 2, err: "name one lesson by its number"},
		{name: "a word", args: "learn partition", code: 2, err: "name one lesson by its number"},
		{name: "two", args: "learn 1 2", code: 2, err: "name at most one lesson: 1 or 2"},
		{name: "the word", args: "learn lesson 2", code: 2, err: "leave out the word lesson: name only 2"},
		{name: "none such", args: "learn 12", code: 2, err: "there is no lesson 12: the lessons are 1 to 11"},
		{name: "zero", args: "learn --lesson 0", code: 2, err: "there is no lesson 0: the lessons are 1 to 11"},
		{name: "scenario", args: "learn 2 --scenario", out: "name: learn/02-ordered-start\n"},
		{name: "report", args: "learn 2 --report", out: "<title>2. An ordered start"},
		{name: "again", args: "learn 2 --report", out: "<code>sim learn 2 --report</code>"},
		{name: "no report", args: "learn --report", code: 2, err: "name the lesson"},
		{name: "both", args: "learn 2 --report --scenario", code: 2, err: "exclude each other"},
		{name: "no scenario", args: "learn --scenario", code: 2, err: "name the lesson"},
		{name: "color", args: "learn 2 --color always", out: "\x1b[1m2. An ordered start\x1b[0m\n"},
		{name: "completion", args: "__complete learn ''", out: "1\n2\n3\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, out, err := call(t, new(fakeEngine).engine(), "", strings.Fields(tt.args)...)
			require.Equal(t, tt.code, code, "stdout: %s\nstderr: %s", out, err)
			require.Contains(t, out, tt.out)
			require.Contains(t, err, tt.err)
			require.NotContains(t, out, "-- ", "nothing waits where nobody looks on")
		})
	}
}

// TestCoursePages: a page a lesson, and an index that links them.
func TestCoursePages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "course")
	code, out, err := call(t, new(fakeEngine).engine(), "", "learn", "--report", "all", "--dir", dir)
	require.Equal(t, 0, code, err)
	require.Equal(t, "The course begins in "+filepath.Join(dir, "index.html")+"\n", out)
	index, problem := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, problem)
	for _, l := range course.Lessons() {
		name := l.Name() + ".html"
		require.Contains(t, string(index), `href="`+name+`"`)
		page, problem := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, problem)
		require.Contains(t, string(page), `<section id="lesson"`)
		require.Contains(t, string(page), `<div id="answer" hidden>`, "the answer waits")
		require.Contains(t, string(page), "<code>sim learn all --report --dir ")
		require.Contains(t, string(page), `<span id="line-0-1">`, "the scenario to try things with")
	}
	first, problem := os.ReadFile(filepath.Join(dir, "00-first-picture.html"))
	require.NoError(t, problem)
	require.Contains(t, string(index), `href="00-first-picture.html"`)
	for _, name := range []string{"in order", "in parallel"} {
		require.Contains(t, string(first), `"name":"`+name+`"`)
	}
}

// TestTeachersPage: the page for teachers has each lesson, its right answer, common wrong ones, and what to try next.
func TestTeachersPage(t *testing.T) {
	page := markdown(t, "docs/teaching.md")
	require.Len(t, course.Lessons(), 11)
	for _, l := range course.Lessons() {
		_, about, found := strings.Cut(page, "\n### "+l.Title()+"\n")
		require.True(t, found, l.Title())
		about, _, _ = strings.Cut(about, "\n#")
		require.Contains(t, about, "Answer: "+l.Right()+".", l.Title())
		require.Contains(t, about, "**Common wrong answers.**", l.Title())
		require.Contains(t, about, "**Try next**", l.Title())
	}
}
