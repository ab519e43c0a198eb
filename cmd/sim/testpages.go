package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
)

// testPages writes a page for each scenario that was played, and an index of them. A nil one, if none are asked for,
// does nothing.
//
// dir is the folder, limit the size in bytes up to which a page shows its scenario, and failed the number of tests that
// have not passed. names are those of the index and of the pages that are written, in lower case: for some file systems
// names that differ in their case are the same.
type testPages struct {
	dir    string
	limit  int64
	sheet  html.Sheet
	failed int
	names  map[string]bool
	// interrupted says that the user wants the end.
	interrupted func() bool
	// opens is the link that opens a test in the playground, or "".
	opens func(*tested) string
}

// newPages creates the folder of the pages, if they are asked for; otherwise it returns nil.
func (o *testOptions) newPages() (*testPages, error) {
	if o.html == "" {
		return nil, nil
	}
	if err := os.MkdirAll(o.html, 0o755); err != nil {
		return nil, fmt.Errorf("--html: %w", err)
	}
	names := map[string]bool{indexPage: true}
	page := &testPages{dir: o.html, limit: o.world.limits.FileSize, names: names, interrupted: o.interrupted}
	page.opens = func(t *tested) string {
		world := o.world.under(cmp.Or(t.Version, o.world.kubernetes))
		return o.runInPlayground(t.source, world)
	}
	page.sheet = html.Sheet{
		Title:   "Scenarios: " + strings.Join(o.paths, ", "),
		Header:  []string{"Result", "Scenario", "Kubernetes", "Ended", "Expectations", "What is wrong", "Try it"},
		Command: command.Line(slices.Concat([]string{"sim", "test", "--html", o.html}, o.world.asked(), o.paths)...),
	}
	return page, nil
}

// add writes the page of one test, and notes it for the index. A scenario that could not be read has a row and no page;
// neither has one whose page was not written before an interruption. Tests that were skipped must not come here.
func (t *testPages) add(test *tested) error {
	if t == nil {
		return nil
	}
	result, ended, held, wrong, file, image := "ok", "", "", test.Problem, "", ""
	if !test.Passed {
		result = "FAILED"
		t.failed++
	}
	version, opens := test.Version, html.Cell{}
	if p := test.run; p != nil && !t.interrupted() {
		file, image = t.name(html.PageName(test.File, test.Version)), html.Thumbnail(&p.Run)
		if len(p.Events) > 0 && p.Events[0].Run != nil {
			version = p.Events[0].Run.Kubernetes
		}
		ended = fmt.Sprintf("%s at %s", test.Verdict, render.Clock(test.End))
		held = fmt.Sprintf("%d of %d held", test.Expectations[0], len(p.Expectations))
		wrong = p.Wrong()
		carry(p, test.source, t.limit)
		p.Command, p.Playground = t.sheet.Command, t.opens(test)
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
	t.sheet.Rows = append(t.sheet.Rows, html.Row{Tone: toneOf(!test.Passed, report.Wrong), Cells: []html.Cell{
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
	t.sheet.Tone = toneOf(t.failed > 0, report.Wrong)
	if t.failed == 0 {
		t.sheet.Tone = report.Right
	}
	slices.SortStableFunc(t.sheet.Rows, func(a, b html.Row) int {
		return urgency(b.Tone) - urgency(a.Tone)
	})
	all := render.Count(len(t.sheet.Rows), "scenario")
	t.sheet.Headline = fmt.Sprintf("%d of %s passed", len(t.sheet.Rows)-t.failed, all)
	if t.failed > 0 {
		t.sheet.Headline = fmt.Sprintf("FAILED: %d of %s", t.failed, all)
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
