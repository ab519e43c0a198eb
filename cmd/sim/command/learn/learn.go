// Package learn is the command sim learn: it teaches the course.
package learn

import (
	"bufio"
	"fmt"
	"strconv"

	"github.com/statefulsim/statefulsim/cmd/sim/command"
	"github.com/statefulsim/statefulsim/cmd/sim/course"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Command holds the arguments of `sim learn`.
type Command struct {
	command.Call
	// Lesson is the number of the lesson, 0 for the list of all; Named is true if a flag has named it.
	Lesson int
	Named  bool
	// NoPause is true if nothing waits for a key. Source asks for the lesson's scenario instead of the lesson,
	// Report for its page; all, with Report, for the pages of all lessons, in the folder Dir. At most one of Source
	// and Report is set.
	NoPause, Source, Report, all bool
	Dir                          string
}

// choose takes the lesson from the arguments, unless a flag has named it. After it, Lesson is 0 or the number of a
// lesson.
func (o *Command) choose() error {
	args, named := o.Args, o.Named
	switch all := len(args) > 0 && args[0] == "all" && !named; {
	case o.Source && o.Report:
		return command.Usagef("--scenario and --report exclude each other: choose one")
	case all && !o.Report:
		return command.Usagef("all is for pages: sim learn all --report writes the whole course")
	case all:
		o.all = true
		return nil
	}
	if len(args) > 0 {
		number, err := strconv.Atoi(args[0])
		if err != nil || named && number != o.Lesson {
			return command.Usagef("name one lesson by its number, as in sim learn 3; sim learn lists the lessons")
		}
		o.Lesson, named = number, true
	}
	switch n := len(course.Lessons()); {
	case named && (o.Lesson < 1 || o.Lesson > n):
		return command.Usagef("there is no lesson %d: the lessons are 1 to %d", o.Lesson, n)
	case !named && o.Source:
		return command.Usagef("--scenario: name the lesson, as in sim learn 3 --scenario")
	case !named && o.Report:
		return command.Usagef("--report: name the lesson, as in sim learn 3 --report, or all")
	}
	return nil
}

// Answer does what the arguments ask for. The pages of a course and the list need no lesson; everything else relies
// on the lesson.
func (o *Command) Answer() error {
	if err := o.choose(); err != nil {
		return err
	}
	switch {
	case o.all:
		return o.pages().Write()
	case o.Lesson == 0:
		return o.list()
	case o.Report:
		return o.pages().Lesson(o.Lesson)
	case o.Source:
		data, err := course.Lessons()[o.Lesson-1].Scenario()
		if err == nil {
			_, err = o.Out.Write(data)
		}
		return err
	}
	return o.teach(&course.Lessons()[o.Lesson-1])
}

// pages are the pages of the course.
func (o *Command) pages() *course.Pages {
	return &course.Pages{Dir: o.Dir, Sim: command.Version, Out: o.Out, Interrupted: o.Interrupted,
		Opens: func(text string) string { return o.Link().Scenario(text, course.Files(), nil) }}
}

// list prints the lessons.
func (o *Command) list() error {
	return report.Prose(o.Out, course.List(), o.Style())
}

// teach goes through a lesson part by part. l must be the lesson with the number o.Lesson.
func (o *Command) teach(l *course.Lesson) error {
	parts, err := l.Parts(command.Version, o.Interrupted, o.Style())
	if err != nil {
		return err
	}
	p := &course.Pauser{
		Out: o.Out, Ctx: o.Ctx, In: bufio.NewReader(o.In), Keys: o.Keys,
		On:    !o.NoPause && o.OutTerminal && o.Keys != nil,
		Erase: o.Style().Color && o.Width >= course.MinErase,
	}
	if o.Lesson < len(course.Lessons()) {
		parts[len(parts)-1].Text += fmt.Sprintf("\nNext: sim learn %d\n", o.Lesson+1)
	}
	return course.Present(o.Out, parts, p)
}
