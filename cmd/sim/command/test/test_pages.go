package test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
)

// testPages write a page for each scenario that was played, and an index of them. Nil ones, if none are asked for, do
// nothing.
//
// dir is the folder, and failed the number of tests that have not passed. names are the names of the index and of
// the written pages, in lower case: on some file systems names that differ only in case are the same.
type testPages struct {
	dir    string
	sheet  html.Sheet
	failed int
	names  map[string]bool
	// interrupted reports whether the user has interrupted.
	interrupted func() bool
}

// newTestPages creates the folder of the pages. command is the one that writes them again.
func newTestPages(dir, title, command string, interrupted func() bool) (*testPages, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("--html: %w", err)
	}
	if err := (files.Written{Path: filepath.Join(dir, indexPage), Mode: 0o644}).Try(); err != nil {
		return nil, fmt.Errorf("--html: %w", err)
	}
	return &testPages{dir: dir, names: map[string]bool{indexPage: true}, interrupted: interrupted, sheet: html.Sheet{
		Title: title, Command: command,
		Header: []string{"Result", "Scenario", "Kubernetes", "Ended", "Expectations", "What is wrong", "Try it"},
	}}, nil
}

// add writes the page of one test, and notes it for the index. A scenario that could not be read has a row and no page;
// neither has one whose page was not written before an interruption. Tests that were skipped must not come here.
func (t *testPages) add(test *report.Test, p *command.Played) error {
	if t == nil {
		return nil
	}
	result, ended, held, wrong, file, image := "ok", "", "", test.Problem, "", ""
	tone := report.Plain
	if !test.Passed {
		result, tone = "FAILED", report.Wrong
		t.failed++
	}
	version, opens := test.Version, html.Cell{}
	if p != nil && !t.interrupted() {
		file, image = t.name(html.PageName(test.File, test.Version)), html.Thumbnail(&p.Run)
		if len(p.Events) > 0 && p.Events[0].Run != nil {
			version = p.Events[0].Run.Version()
		}
		ended = fmt.Sprintf("%s at %s", test.Verdict, render.Clock(test.End))
		held = fmt.Sprintf("%d of %d held", test.Expectations[0], len(p.Expectations))
		wrong = p.Wrong()
		p.Command = t.sheet.Command
		if p.Playground != "" {
			opens = html.Cell{Text: "in the playground", Playground: p.Playground}
		}
		if err := t.write(file, func(out io.Writer) error { return html.Write(out, &p.Run) }); err != nil {
			return err
		}
	}
	name := test.Name
	if name == "" {
		name = test.File
	}
	t.sheet.Rows = append(t.sheet.Rows, html.Row{Tone: tone, Cells: []html.Cell{
		{Text: result}, {Text: name, Href: file, Image: image}, {Text: version}, {Text: ended}, {Text: held}, {Text: wrong},
		opens,
	}})
	return nil
}

// indexPage is the name of the index.
const indexPage = "index.html"

// name returns a name that no other page has: the one that is wanted, or else with the first number that makes it new.
func (t *testPages) name(wanted string) string {
	name := wanted
	for i := 2; t.names[strings.ToLower(name)]; i++ {
		name = fmt.Sprintf("%s-%d.html", strings.TrimSuffix(wanted, ".html"), i)
	}
	t.names[strings.ToLower(name)] = true
	return name
}

// index writes the index: what failed comes first.
func (t *testPages) index() error {
	if t == nil {
		return nil
	}
	passed := slices.DeleteFunc(slices.Clone(t.sheet.Rows), func(r html.Row) bool { return r.Tone == report.Wrong })
	failed := slices.DeleteFunc(t.sheet.Rows, func(r html.Row) bool { return r.Tone != report.Wrong })
	t.sheet.Rows = append(failed, passed...)
	all := render.Count(len(t.sheet.Rows), "scenario")
	t.sheet.Tone, t.sheet.Headline = report.Right, fmt.Sprintf("%d of %s passed", len(passed), all)
	if t.failed > 0 {
		t.sheet.Tone, t.sheet.Headline = report.Wrong, fmt.Sprintf("FAILED: %d of %s", t.failed, all)
	}
	return t.write(indexPage, func(out io.Writer) error { return t.sheet.Write(out) })
}

// write writes one file of the folder.
func (t *testPages) write(name string, write func(io.Writer) error) error {
	if err := files.Page(filepath.Join(t.dir, name), write); err != nil {
		return fmt.Errorf("--html: %w", err)
	}
	return nil
}
