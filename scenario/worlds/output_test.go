package worlds_test

import (
	"bytes"
	"io"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/expect"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/play"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
)

// jsonl renders a timeline as `sim run -o jsonl` does.
func jsonl(t require.TestingT, events []timeline.Event) string {
	var b bytes.Buffer
	require.NoError(t, report.JSONLines(&b, &report.Run{Events: events}))
	return b.String()
}

// requireOutputs renders the run in every format.
func requireOutputs(t require.TestingT, s *scenario.Scenario, o *scenario.Outcome) {
	run := &report.Run{Name: s.Name, Description: s.Description, File: s.Path, Events: o.Timeline, Expectations: judged(o.Verdicts)}
	style := render.Style{Width: 60}
	writers := map[string]func(io.Writer) error{
		"text":           func(w io.Writer) error { return report.Text(w, run, style) },
		"table":          func(w io.Writer) error { return report.Table(w, run, style) },
		"json":           func(w io.Writer) error { return report.JSON(w, run) },
		"watch":          func(w io.Writer) error { return report.Watch(w, run) },
		"rollout-status": func(w io.Writer) error { return report.RolloutStatus(w, run) },
		"history":        func(w io.Writer) error { return report.History(w, run) },
		"markdown":       func(w io.Writer) error { return report.Markdown(w, run) },
		"html":           func(w io.Writer) error { return html.Write(w, run) },
		"gantt":          func(w io.Writer) error { return report.Gantt(w, run) },
		"svg":            func(w io.Writer) error { return html.SVG(w, run) },
		"trace":          func(w io.Writer) error { return report.Trace(w, run) },
		"junit":          func(w io.Writer) error { return report.JUnit(w, []report.Test{report.NewTest(run, o.Held())}) },
	}
	for name, write := range writers {
		var b bytes.Buffer
		require.NotPanics(t, func() { require.NoError(t, write(&b), name) }, name)
		// What shows sets alone has nothing to show where there is none.
		require.True(t, b.Len() > 0 || name == "history" || name == "rollout-status", name)
		require.NotContains(t, b.String(), "%!", name)
	}
}

func judged(verdicts []expect.Verdict) []report.Expectation {
	var list []report.Expectation
	words := map[expect.Outcome]report.Verdict{expect.Held: report.Held, expect.Failed: report.Failed, expect.Skipped: report.Skipped}
	for i := range verdicts {
		v := &verdicts[i]
		list = append(list, report.Expectation{
			Verdict: words[v.Outcome], Text: v.Text, Position: v.Position(), Detail: v.Detail,
			Expected: v.Expected, Got: v.Got, Instants: v.Instants, Around: v.Around,
		})
	}
	return list
}

// requireReading reads the recorded timeline again: it is the same, folds to the same, and is judged alike.
func requireReading(t require.TestingT, s *scenario.Scenario, o *scenario.Outcome) {
	text := jsonl(t, o.Timeline)
	read, err := timeline.Read(strings.NewReader(text))
	require.NoError(t, err)
	require.Equal(t, text, jsonl(t, read), "a timeline that was read")
	var before, after timeline.Fold
	for i := range o.Timeline {
		before.Apply(&o.Timeline[i])
		after.Apply(&read[i])
	}
	require.Equal(t, foldedKeys(&before), foldedKeys(&after))
	for i, set := range before.Sets() {
		require.Equal(t, set.Status, after.Sets()[i].Status)
		require.Equal(t, foldedPods(set), foldedPods(after.Sets()[i]))
		require.Equal(t, set.History(), after.Sets()[i].History())
		require.Equal(t, set.SpecMap(), after.Sets()[i].SpecMap())
	}
	require.Equal(t, foldedClaims(&before), foldedClaims(&after))
	first, second := expect.Judge(s.Expectations, o.Timeline), expect.Judge(s.Expectations, read)
	require.Len(t, second, len(first))
	for i := range first {
		require.Equal(t, first[i].Outcome, second[i].Outcome, "%s: %s / %s", first[i].Text, first[i].Detail, second[i].Detail)
	}
}

// question is what is asked of a run.
type question struct {
	// at is the instant, of a thousand of the run.
	at  int
	pod string
	// out says that the ways out of the end are looked for, too, and other is a version that is compared with, "" for
	// none.
	out   bool
	other string
}

// requireExplained explains some instant, and now and then the end with the ways out.
func requireExplained(t require.TestingT, s *scenario.Scenario, events []timeline.Event, w world) {
	last := events[len(events)-1].T
	at := time.Duration(last) / 1000 * time.Duration(w.at)
	for _, pod := range []string{"", w.pod} {
		e, err := explain.Explain(events, explain.Options{At: &at, Pod: pod})
		if pod != "" && err != nil {
			continue
		}
		require.NoError(t, err)
		require.NoError(t, e.Document().Text(io.Discard, render.Style{}))
		require.NoError(t, render.JSON(io.Discard, e))
	}
	if !w.out {
		return
	}
	lab := &play.Lab{Profile: s.Profile, World: s.Config(w.options()), Before: s.Steps}
	e, err := explain.Explain(events, explain.Options{Lab: lab})
	require.NoError(t, err)
	require.NoError(t, e.Document().Text(io.Discard, render.Style{}))
	require.Equal(t, model.Time(e.At), last)
}

// requireCompared plays the file on another version too, and tells where the two part.
func requireCompared(t require.TestingT, o *scenario.Outcome, w world) {
	other, err := scenario.Parse("world.yaml", w.text, nil, scenario.Options{Limits: limits, Kubernetes: w.other})
	if err != nil {
		// The file sets a gate that the version does not know.
		return
	}
	timelines := [][]timeline.Event{o.Timeline, other.Run(w.options()).Timeline}
	c := &report.Comparison{Name: "world", Groups: versus.Groups(timelines)}
	var runs []*report.Run
	for i, version := range []string{"the file's", w.other} {
		runs = append(runs, &report.Run{Name: version, Events: timelines[i]})
		c.Versions = append(c.Versions, report.VersionRun{Version: version, Run: runs[i]})
	}
	if len(c.Groups) > 1 {
		c.Partings = []report.Parting{{Names: [2]string{"the file's", w.other}, Parting: versus.Compare(timelines[0], timelines[1])}}
	}
	require.NoError(t, report.CompareText(io.Discard, c, render.Style{}))
	require.NoError(t, report.CompareMarkdown(io.Discard, c))
	require.NoError(t, report.CompareJSON(io.Discard, c))
	require.NoError(t, html.Write(io.Discard, runs...))
	require.NoError(t, html.Compare(io.Discard, c))
}
