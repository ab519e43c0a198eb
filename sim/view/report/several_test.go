package report

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// severalSample compares runs that all differ, with long names, sets in two namespaces, one that is cut off, and one
// that has only a complaint.
func severalSample() *Comparison {
	cut := canaryRun()
	cut.Events, cut.Expectations = cut.Events[:len(cut.Events)/2], nil
	loop := livelockRun()
	c := &Comparison{Name: "several", File: "several.yaml", Versions: []VersionRun{
		{Version: "as it is", Run: stuckRun()}, {Version: "a canary of two pods", Run: canaryRun(), OK: true},
		{Version: "the same canary", Run: canaryRun(), OK: true}, {Version: "cut off", Run: cut, OK: true},
		{Version: "a hot loop", Run: loop}, {Version: "what is rare", Run: rareRun()},
	}}
	var runs [][]timeline.Event
	for i := range c.Versions {
		runs = append(runs, c.Versions[i].Events)
	}
	c.Groups = versus.Groups(runs)
	for _, group := range c.Groups[1:] {
		c.Partings = append(c.Partings, Parting{Names: [2]string{"as it is", c.Versions[group[0]].Version},
			Parting: versus.Find(runs[0], runs[group[0]])})
	}
	return c
}

// TestSeveral compares what is told of several runs with golden files.
func TestSeveral(t *testing.T) {
	c := severalSample()
	for name, write := range map[string]func(io.Writer) error{
		"several.text":          func(w io.Writer) error { return VariantsText(w, c, render.Style{Width: 170}) },
		"several.narrow.text":   func(w io.Writer) error { return VariantsText(w, c, render.Style{Width: 60}) },
		"several.md":            func(w io.Writer) error { return VariantsMarkdown(w, c) },
		"several.json":          func(w io.Writer) error { return VariantsJSON(w, c) },
		"several.versions.text": func(w io.Writer) error { return CompareText(w, c, render.Style{Width: 100, Color: true}) },
		"several.versions.md":   func(w io.Writer) error { return CompareMarkdown(w, c) },
		"several.versions.json": func(w io.Writer) error { return CompareJSON(w, c) },
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, write(&out))
			golden(t, name, out.Bytes())
		})
	}
}

// TestOrderIsAgainstTheFirst: what a table says of order is against its first row.
func TestOrderIsAgainstTheFirst(t *testing.T) {
	c := severalSample()
	var order []bool
	for _, run := range c.Compared().Runs {
		order = append(order, run.SameOrder)
	}
	require.Equal(t, []bool{true, false, false, false, false, false}, order)
}

// TestAlike: two runs behave alike, and of three or more that are all there are it is said that these are all.
func TestAlike(t *testing.T) {
	for want, groups := range map[string][][]int{
		"[A and B behave alike]":                      {{0, 1}},
		"[all of A, B and C behave alike]":            {{0, 1, 2}},
		"[A, B and C behave alike]":                   {{0, 1, 2}, {3}},
		"[A and B behave alike C and D behave alike]": {{0, 1}, {2, 3}},
		"[]": {{0}, {1}},
	} {
		c := &Comparison{Versions: []VersionRun{{Version: "A"}, {Version: "B"}, {Version: "C"}, {Version: "D"}}, Groups: groups}
		require.Equal(t, want, fmt.Sprint(c.alike()))
	}
}

// TestLetters: names are replaced by letters where the table or a column is narrower than they are, and only there.
func TestLetters(t *testing.T) {
	named := func(names ...string) *Comparison {
		c := &Comparison{Groups: [][]int{{0}, {1}, {2}}}
		for _, name := range names {
			c.Versions = append(c.Versions, VersionRun{Version: name, Run: &Run{}})
		}
		return c
	}
	const ten, eleven = "0123456789", "0123456789a"
	const long = eleven + eleven + eleven + "a"
	wide := render.Width(named(eleven, "b", "c").variantGrid().Lines()[0])
	for _, c := range []struct {
		first string
		width int
		want  bool
	}{
		{ten, 12, false}, {eleven, 12, true}, {eleven, wide, false}, {eleven, wide - 1, true},
		{long, 3 * (len(long) + 4), false}, {long, 3*(len(long)+4) - 1, true},
	} {
		require.Equal(t, c.want, named(c.first, "b", "c").tooWide(render.Style{Width: c.width}), "%q on %d columns", c.first, c.width)
	}
}

// TestSideBySide: runs that are the same have rows nonetheless, and where there is no room for two columns each other run
// stands beside the first by itself.
func TestSideBySide(t *testing.T) {
	side := func(width int, names ...string) string {
		var out bytes.Buffer
		p := newSheet(&out, render.Style{Width: width})
		var columns []Column
		for _, name := range names {
			columns = append(columns, Column{Name: name, Events: canaryRun().Events})
		}
		p.columns(columns)
		require.NoError(t, p.Flush())
		return out.String()
	}
	golden(t, "same.columns", []byte(side(100, "A", "B", "C")+side(53, "A", "B", "C")+side(54, "A", "B", "C")))
}

// lcs is the length of the longest common subsequence, found the slow way.
func lcs(a, b []string) int {
	switch {
	case len(a) == 0 || len(b) == 0:
		return 0
	case a[0] == b[0]:
		return 1 + lcs(a[1:], b[1:])
	}
	return max(lcs(a[1:], b), lcs(a, b[1:]))
}

// TestCompareIsShortest: a comparison contains both lists, and says of as many lines as it can that both have them.
func TestCompareIsShortest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 7)
		expected, got := list.Draw(t, "expected"), list.Draw(t, "got")
		var left, right []string
		same := 0
		for _, d := range Align(expected, got) {
			if d.Mark != '+' {
				left = append(left, d.Text)
			}
			if d.Mark != '-' {
				right = append(right, d.Text)
			}
			if d.Mark == ' ' {
				same++
			}
		}
		require.Equal(t, fmt.Sprint(expected), fmt.Sprint(left))
		require.Equal(t, fmt.Sprint(got), fmt.Sprint(right))
		require.Equal(t, lcs(expected, got), same)
	})
}

// TestPictures: Markdown has a picture of a run with pods, and none of one without.
func TestPictures(t *testing.T) {
	for pods, want := range map[int]bool{0: false, 1: true, maxGanttPods: true, maxGanttPods + 1: false} {
		f := newFilm(int32(pods))
		for i := range pods {
			f.create(fmt.Sprint("web-", i))
		}
		f.to(1)
		f.result(timeline.Result{Verdict: timeline.Settled})
		var out bytes.Buffer
		require.NoError(t, Markdown(&out, &Run{Name: "x", Events: f.events}))
		require.Equal(t, want, bytes.Contains(out.Bytes(), []byte("```mermaid")), "%d pods", pods)
	}
}

// TestStopsOfRuns holds what a reader sees who goes through runs tick by tick, and the ending.
func TestStopsOfRuns(t *testing.T) {
	var out bytes.Buffer
	for _, run := range []*Run{rareRun(), stuckRun(), livelockRun(), {Events: canaryRun().Events[:9]}} {
		for stop := range Stops(run) {
			fmt.Fprintf(&out, "%s: %d events\n", Clock(stop.T), len(stop.Events))
			for _, l := range stop.Lines {
				fmt.Fprintf(&out, "  %d %s: %s\n", l.Tone, l.Actor, l.Text)
			}
			for i := range stop.Events {
				if e := &stop.Events[i]; e.Owned != nil {
					fmt.Fprintf(&out, "  (%s)\n", OwnerChange(e))
				}
			}
		}
		for _, l := range Ending(run) {
			fmt.Fprintf(&out, "= %d %s\n", l.Tone, l.Text)
		}
		out.WriteString("\n")
	}
	golden(t, "runs.stops", out.Bytes())
}

// TestStoryEndsWithTheVerdict: the last part of a story is how the run ended.
func TestStoryEndsWithTheVerdict(t *testing.T) {
	last := ""
	for part := range Story(stuckRun(), render.Style{Width: 200}) {
		last = part
	}
	require.Contains(t, last, "STUCK at 9s: 1 StatefulSet cannot make progress")
}

// TestProseAtTheEdges: a title goes on below its beginning, and code without an end is shown to its end.
func TestProseAtTheEdges(t *testing.T) {
	for text, want := range map[string]string{
		"# a title that is much longer than a line can be": "a title that is much longer than a line\ncan be\n",
		"```text\ncode\n\nwithout an end":                  "code\n\nwithout an end\n\n",
		"before\n\n```\nx\n```\n\nbehind\n\nlast":          "before\n\nx\n\nbehind\n\nlast\n",
	} {
		var out bytes.Buffer
		require.NoError(t, Prose(&out, text, render.Style{Width: 40}))
		require.Equal(t, want, out.String())
	}
}

// TestPendingWithoutATemplate: a pod that was made from no template that the run knows has no @N.
func TestPendingWithoutATemplate(t *testing.T) {
	s := newStory(&cast{})
	event := timeline.Entry{Kind: timeline.KindPod, Pod: "tool", State: timeline.Pending, Image: "tool:1"}.Event()
	require.Equal(t, "tool Pending tool:1", s.pod(&event))
	event.State = timeline.Terminating
	event.Cause = &timeline.Cause{Why: model.Why{Code: model.WaitingForReady, Object: "web-0"}}
	require.NotContains(t, s.pod(&event), "@")
	require.Contains(t, s.pod(&event), "tool Terminating: web-0 is not Running and Ready")
}
