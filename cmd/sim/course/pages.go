package course

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"github.com/statefulsim/statefulsim/cmd/sim/files"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
	"github.com/statefulsim/statefulsim/sim/view/shell"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Pages are the options for writing the pages of the course: Dir is their folder, Out gets the path of the first
// page, and Opens is the link that opens a scenario of the course in the playground, or "".
type Pages struct {
	Dir, Sim    string
	Out         io.Writer
	Interrupted func() bool
	Opens       func(text string) string
}

// Lesson writes the page of one lesson to Out.
func (o *Pages) Lesson(number int) error {
	l := Lessons()[number-1]
	played, err := l.play(o.Sim, o.Interrupted)
	if err != nil {
		return err
	}
	played.Command = shell.Line("sim", "learn", strconv.Itoa(number), "--report")
	played.Playground = o.Opens(played.Source)
	return html.Teach(o.Out, &played.Run, l.lesson())
}

// Write writes the course into a folder, which it creates: the first picture, a page for each lesson, which hides its
// answer until the reader has chosen, and an index.
func (o *Pages) Write() error {
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return fmt.Errorf("--dir: %w", err)
	}
	index := html.Sheet{
		Title:    "A course on StatefulSets",
		Headline: "A first picture, and " + render.Count(len(Lessons()), "lesson"), Tone: report.Right,
		Header:  []string{"Lesson", "The question"},
		Command: shell.Line("sim", "learn", "all", "--report", "--dir", o.Dir),
	}
	first := html.Cell{Text: firstTitle, Href: "00-first-picture.html"}
	if err := o.page(first.Href, o.firstPicture); err != nil {
		return err
	}
	asks := html.Cell{Text: "Two StatefulSets on one axis of time. What is different?"}
	index.Rows = append(index.Rows, html.Row{Cells: []html.Cell{first, asks}})
	for i, l := range Lessons() {
		played, err := l.play(o.Sim, o.Interrupted)
		if err != nil {
			return err
		}
		played.Command, played.Playground = index.Command, o.Opens(played.Source)
		name := l.Name() + ".html"
		as := l.lesson()
		if as.Index = "index.html"; i+1 < len(Lessons()) {
			as.Next = Lessons()[i+1].Name() + ".html"
		}
		write := func(out io.Writer) error { return html.Teach(out, &played.Run, as) }
		if err := o.page(name, write); err != nil {
			return err
		}
		index.Rows = append(index.Rows, html.Row{Cells: []html.Cell{{Text: l.Title(), Href: name}, {Text: l.asks()}}})
	}
	if err := o.page("index.html", func(out io.Writer) error { return index.Write(out) }); err != nil {
		return err
	}
	_, err := fmt.Fprintf(o.Out, "The course begins in %s\n", filepath.Join(o.Dir, "index.html"))
	return err
}

// firstTitle is the title of the first picture.
const firstTitle = "In order, or in parallel"

// picture is the scenario of the first picture; its two runs differ in the policy.
const picture = `name: %s
description: >-
  Two StatefulSets of three pods on one axis of time. One creates its pods in order, the other all at once. What does
  each pod wait for?
steps:
  - create: {name: web, replicas: 3, image: "app:v1", podManagementPolicy: %s}
`

// firstPicture writes the page that comes before the lessons: in order and in parallel, side by side.
func (o *Pages) firstPicture(out io.Writer) error {
	var runs []*report.Run
	for _, of := range [][2]string{{"in order", "OrderedReady"}, {"in parallel", "Parallel"}} {
		name, policy := of[0], of[1]
		s, err := scenario.Parse(name, fmt.Appendf(nil, picture, name, policy), nil, scenario.Options{})
		if err != nil {
			return err
		}
		p := verdict.Scenario{Scenario: s, Sim: o.Sim}.Play(verdict.Ends{Interrupted: o.Interrupted})
		if p.Interrupted {
			return work.ErrInterrupted
		}
		runs = append(runs, &p.Run)
	}
	return html.Introduce(out, firstTitle, runs...)
}

// page writes one file of the course.
func (o *Pages) page(name string, write func(io.Writer) error) error {
	if err := files.Page(filepath.Join(o.Dir, name), write); err != nil {
		return fmt.Errorf("--dir: %w", err)
	}
	return nil
}
