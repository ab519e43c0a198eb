package main

import (
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/statefulsim/statefulsim/sim/command"
	"github.com/statefulsim/statefulsim/sim/render"
	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/report/html"
)

// pages writes the course into a folder, which it creates: a page for each lesson, which hides its answer until the
// reader has chosen, and an index.
func (o *learnOptions) pages() error {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return fmt.Errorf("--dir: %w", err)
	}
	index := html.Sheet{
		Title: "A course on StatefulSets", Headline: render.Count(len(lessons()), "lesson"), Tone: report.Right,
		Header:  []string{"Lesson", "The question"},
		Command: command.Line("sim", "learn", "--report", "all", "--dir", o.dir),
	}
	for _, l := range lessons() {
		played, err := l.play(o.interrupted)
		if err != nil {
			return err
		}
		played.Command = index.Command
		name := path.Base(l.file) + ".html"
		write := func(out io.Writer) error { return html.Teach(out, &played.Run, l.lesson()) }
		if err := o.page(name, write); err != nil {
			return err
		}
		index.Rows = append(index.Rows, html.Row{Cells: []html.Cell{{Text: l.title(), Href: name}, {Text: l.asks()}}})
	}
	if err := o.page("index.html", func(out io.Writer) error { return index.Write(out) }); err != nil {
		return err
	}
	_, err := fmt.Fprintf(o.out, "The course begins in %s\n", filepath.Join(o.dir, "index.html"))
	return err
}

// page writes one file of the course.
func (o *learnOptions) page(name string, write func(io.Writer) error) error {
	if err := writePage(filepath.Join(o.dir, name), write); err != nil {
		return fmt.Errorf("--dir: %w", err)
	}
	return nil
}
