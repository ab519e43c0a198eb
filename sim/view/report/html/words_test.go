package html

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// notWords are the parts of a page that other tests hold, or that are no words: its head, the shell of the player, its
// scripts, data and pictures.
var notWords = []*regexp.Regexp{
	regexp.MustCompile(`(?s)<!DOCTYPE html>.*?<body>\n`), regexp.MustCompile(`(?s)<main id="player".*?</main>\n`),
	regexp.MustCompile(`(?s)<div id="player" hidden>.*?<ol></ol></details>\n</div>\n`),
	regexp.MustCompile(`(?s)<(script|svg)\b.*?</(script|svg)>\n?`), regexp.MustCompile(`"data:[^"]*"`),
}

// judgedRun is a run with an expectation of each verdict, and with all that is known of how it failed.
func judgedRun() *report.Run {
	run := stuckRun()
	run.Name, run.File, run.Complaint, run.Repeat = "stuck", "folder/stuck.yaml", "the run does not settle", "sim run folder/stuck.yaml"
	run.Description = "A set that is stuck."
	run.Expectations = []report.Expectation{
		{Verdict: report.Failed, Text: "never: web-2", Position: "folder/stuck.yaml:4:5", Detail: "web-2 was there", Instants: []model.Time{2e9, 3e9},
			Around: []string{"2s web-2 Ready", "3s web-2 Gone"}, Expected: []string{"a", "b"}, Got: []string{"a", "c"}},
		{Verdict: report.Failed, Text: "completes: {}", Position: "other.yaml:9:1"},
		{Verdict: report.Held, Text: "ends: stuck"},
		{Verdict: report.Skipped, Text: "since: '1.38'", Detail: "it is for other versions"},
	}
	return run
}

// fourRuns is a comparison of four runs, three of which diverge from the first.
func fourRuns() *report.Comparison {
	c := &report.Comparison{Name: "a change", Groups: [][]int{{0, 1}, {2}, {3}, {4}}}
	for i, run := range []*report.Run{rolled(2, 1), rolled(2, 1), judgedRun(), rolled(3, 1), rolled(1, 1)} {
		c.Versions = append(c.Versions, report.VersionRun{Version: "1.3" + string(rune('3'+i)), Run: run, OK: run.Complaint == ""})
	}
	for i, causes := range [][]report.Cause{
		{{Name: "one", Sentence: "One pod less is deleted.", On: true}, {Name: "two", Sentence: "Two are.", Links: []string{"https://example.com/2"}}}, nil, nil,
	} {
		other := c.Groups[i+1][0]
		c.Partings = append(c.Partings, report.Parting{
			Names:   [2]string{c.Versions[0].Version, c.Versions[other].Version},
			Parting: versus.Find(c.Versions[0].Events, c.Versions[other].Events), Causes: causes,
		})
	}
	return c
}

// sheetOfAll is a sheet with all that a sheet may have.
func sheetOfAll() *Sheet {
	return &Sheet{
		Title: "Plan", Headline: "2 sets roll", Tone: report.Waiting, Risks: []string{"one", "two", "three", "four", "five"},
		Notes: []string{"a note"}, Header: []string{"Set", "Does"},
		Rows: []Row{
			{Tone: report.Wrong, Cells: []Cell{{Text: "default/web", Href: "web.html", Image: Thumbnail(rolled(1, 1))}, {Text: "replaces"}}},
			{Cells: []Cell{{Text: "default/db", Image: "https://example.com/picture.png"}, {Text: "scales"}}},
		},
		Sections: []Section{
			{Title: "what if it is broken?", Tone: report.Waiting, Items: []Item{{Text: "it stops", Commands: []string{"kubectl x", "kubectl y"}}}},
			{Title: "what changes", First: true,
				Items: []Item{{Text: "the image"}, {Name: "order", Text: "web-1, web-0"}, {Text: "what if", Head: true, Items: []Item{
					{Name: "broken", Text: "it stops", Tone: report.Wrong, Commands: []string{"kubectl y"}, Run: 1},
				}}}},
			{Title: "slow?", Brief: "it waits", Items: []Item{
				{Name: "1.", Text: "Deleting db-0: takes 6s", Commands: []string{"kubectl a"}, Run: 1, Set: "default/db"},
				{Text: "Nothing else helps."},
			}},
		},
	}
}

// faulty is a run with faults, one of which is refused.
func faulty() *report.Run {
	run := troubled()
	for i := range run.Events {
		if run.Events[i].Fault != nil {
			run.Events[i].Fault.Refusal = "the API server is down"
		}
	}
	run.Name = "faulty"
	return run
}

// TestWords shows what stands on pages beside their pictures: testdata/words.html.
func TestWords(t *testing.T) {
	many := rolled(1, 0)
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"} {
		r := &roll{key: model.Key{Namespace: "default", Name: name}, now: model.Time(time.Minute)}
		r.step(1, 1)
		r.life(name+"-0", 1)
		last := len(many.Events) - 1
		many.Events = append(many.Events[:last:last], append(r.events, timeline.Entry{T: r.now, Kind: timeline.KindResult,
			Result: &timeline.Result{Verdict: timeline.Settled}}.Event())...)
	}
	var text strings.Builder
	for _, c := range []struct {
		name  string
		write func(io.Writer, ...*report.Run) error
	}{
		{"a run", func(w io.Writer, _ ...*report.Run) error { return Write(w, judgedRun()) }},
		{"a run with faults", func(w io.Writer, _ ...*report.Run) error { return Write(w, faulty()) }},
		{"a run of many sets", func(w io.Writer, _ ...*report.Run) error { return Write(w, many) }},
		{"several runs", func(w io.Writer, _ ...*report.Run) error { return Write(w, judgedRun(), rolled(1, 1)) }},
		{"a comparison", func(w io.Writer, _ ...*report.Run) error { return Compare(w, fourRuns()) }},
		{"a sheet", sheetOfAll().Write},
		{"a sheet of two runs", func(w io.Writer, _ ...*report.Run) error { return sheetOfAll().Write(w, judgedRun(), rolled(1, 1)) }},
		{"a lesson", func(w io.Writer, _ ...*report.Run) error {
			_, err := io.WriteString(w, lessonPage(t))
			return err
		}},
	} {
		var page bytes.Buffer
		require.NoError(t, c.write(&page))
		words := page.String()
		for _, pattern := range notWords {
			words = pattern.ReplaceAllString(words, "")
		}
		text.WriteString("<!-- " + c.name + " -->\n" + words + "\n")
	}
	goldenfile.Equal(t, "testdata/words.html", text.String())
}

// TestFaultRefusal: what a fault answers stands beside it.
func TestFaultRefusal(t *testing.T) {
	steps := gather([]*report.Run{faulty()}).Runs[0].Steps
	require.Equal(t, "the API server is down", steps[1].Refusal)
}

// TestFailures: only expectations that failed are marked, at each instant, in the order of time.
func TestFailures(t *testing.T) {
	run := judgedRun()
	run.Expectations[2].Instants = []model.Time{1e9}
	run.Expectations[1].Instants = []model.Time{1e9}
	times := stopTimes(run)
	require.Equal(t, []failureData{
		{stopOf(times, 1e9), "completes: {}"}, {stopOf(times, 2e9), "never: web-2"}, {stopOf(times, 3e9), "never: web-2"},
	}, failures(run))
}

// TestPageNames: a file of a page has no other letters than names of files have everywhere.
func TestPageNames(t *testing.T) {
	for file, want := range map[string]string{
		"azAZ09-._.yaml": "azAZ09-._-1.37.html", "a@b[c`d{e/f:g.yaml": "a-b-c-d-e-f-g-1.37.html", "ünder.yaml": "nder-1.37.html",
	} {
		require.Equal(t, want, PageName(file, "1.37"), file)
	}
}

// TestFolders: files of several folders, or in none, are called by their whole names.
func TestFolders(t *testing.T) {
	for _, names := range [][]string{{"a/x.yaml", "b/y.yaml"}, {"x.yaml", "y.yaml"}, {"a/x.yaml", "a/x.json"}, {"a/x.yaml", "y.yaml"}} {
		c := &report.Comparison{}
		for _, name := range names {
			c.Versions = append(c.Versions, report.VersionRun{Version: name})
		}
		require.Equal(t, c, shortened(c), names)
	}
}

// TestOwnerBars: a bar of a change of owners begins where the change is, and is the controller's.
func TestOwnerBars(t *testing.T) {
	run := gather([]*report.Run{troubled()}).Runs[0]
	bars := run.Sets[0].Pods[0].Bars
	last := bars[len(bars)-barWidth:]
	require.Equal(t, 1, last[bareAt])
	require.Equal(t, int(timeline.Controller), last[7])
	require.Equal(t, 1, last[changesAt])
}
