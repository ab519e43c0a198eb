package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/answer"
	"github.com/statefulsim/statefulsim/scenario/course"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// learnOptions are the arguments of `sim learn`.
type learnOptions struct {
	*answer.Console
	// lesson is the number of the lesson, 0 for the list of all.
	lesson int
	// noPause says that nothing waits for a key. source asks for the lesson's scenario instead of the lesson, html for
	// its report; all, with html, for the reports of all lessons, in the folder dir. forget forgets which lessons were
	// finished. At most one of source, html and forget is set.
	noPause, source, html, all, forget bool
	dir                                string
}

func newLearnCmd(s *answer.Console) *cobra.Command {
	o := &learnOptions{Console: s}
	cmd := &cobra.Command{
		Use:               "learn [LESSON|all]",
		Short:             "Learn StatefulSets in lessons, step by step",
		GroupID:           groupPlay,
		Args:              atMostOne("lesson"),
		ValidArgsFunction: completeLesson,
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := o.choose(args, cmd.Flags().Changed("lesson")); err != nil {
				return err
			}
			return o.run()
		}),
	}
	cmd.Flags().IntVar(&o.lesson, "lesson", 0, "the same as the argument LESSON: `N`")
	cmd.Flags().BoolVar(&o.noPause, "no-pause", false, "print the lesson as a whole")
	cmd.Flags().BoolVar(&o.source, "scenario", false, "print the lesson's scenario, to change and play it")
	cmd.Flags().BoolVar(&o.html, "report", false, "print the lesson's run as an HTML page")
	cmd.Flags().StringVar(&o.dir, "dir", "course", "the `DIR` into which sim learn all --report writes the pages")
	cmd.Flags().BoolVar(&o.forget, "forget", false, "forget which lessons you have finished")
	work.Must(cmd.RegisterFlagCompletionFunc("lesson", completeLesson))
	return cmd
}

// choose takes the lesson from the arguments, unless a flag has named it. After it, lesson is 0 or the number of a
// lesson.
func (o *learnOptions) choose(args []string, named bool) error {
	switch all := len(args) > 0 && args[0] == "all" && !named; {
	case o.source && o.html || o.source && o.forget || o.html && o.forget:
		return usagef("--scenario, --report and --forget exclude each other: choose one")
	case all && !o.html:
		return usagef("all is for pages: sim learn all --report writes the whole course")
	case all:
		o.all = true
		return nil
	}
	if len(args) > 0 {
		number, err := strconv.Atoi(args[0])
		if err != nil || named && number != o.lesson {
			return usagef("name one lesson by its number, as in sim learn 3; sim learn lists the lessons")
		}
		o.lesson, named = number, true
	}
	switch n := len(course.Lessons()); {
	case named && (o.lesson < 1 || o.lesson > n):
		return usagef("there is no lesson %d: the lessons are 1 to %d", o.lesson, n)
	case !named && o.source:
		return usagef("--scenario: name the lesson, as in sim learn 3 --scenario")
	case !named && o.html:
		return usagef("--report: name the lesson, as in sim learn 3 --report, or all")
	case named && o.forget:
		return usagef("--forget: it forgets all lessons, so name none")
	}
	return nil
}

// run does what choose has chosen. A course as pages, the list and the forgetting are of no lesson; the others rely on
// the lesson being one.
func (o *learnOptions) run() error {
	switch {
	case o.forget:
		if err := course.ReadLearned(o.State).Forget(); err != nil {
			return err
		}
		_, err := fmt.Fprintln(o.Out, "All lessons are new again.")
		return err
	case o.all:
		return o.pages().Write()
	case o.lesson == 0:
		return o.list()
	case o.html:
		return o.pages().Lesson(o.lesson)
	case o.source:
		data, err := course.Lessons()[o.lesson-1].Scenario()
		if err == nil {
			_, err = o.Out.Write(data)
		}
		return err
	}
	return o.teach(&course.Lessons()[o.lesson-1])
}

// pages are the pages of the course.
func (o *learnOptions) pages() *course.Pages {
	return &course.Pages{Dir: o.dir, Sim: answer.Version, Out: o.Out, Interrupted: o.Interrupted,
		Opens: func(text string) string { return o.Link().Scenario(text, course.Files(), nil) }}
}

// list prints the lessons.
func (o *learnOptions) list() error {
	return report.Prose(o.Out, course.ReadLearned(o.State).List(), o.Style())
}

// teach goes through a lesson part by part. l must be the lesson with the number o.lesson. How the reader came through
// is kept only if they were asked and have not left.
func (o *learnOptions) teach(l *course.Lesson) error {
	parts, err := l.Parts(answer.Version, o.Interrupted, o.Style())
	if err != nil {
		return err
	}
	p := &course.Pauser{
		Out: o.Out, Ctx: o.Ctx, In: bufio.NewReader(o.In),
		On:    !o.noPause && o.OutTerminal && isTerminal(o.In),
		Erase: o.Style().Color && o.Width >= course.MinErase,
	}
	if file, is := o.In.(*os.File); is {
		p.Keys = func() func() { return singleKeys(file) }
	}
	if o.lesson < len(course.Lessons()) {
		parts[len(parts)-1].Text += fmt.Sprintf("\nNext: sim learn %d\n", o.lesson+1)
	}
	how, err := course.Present(o.Out, parts, p)
	if err != nil || !p.On || how == "" {
		return err
	}
	return course.ReadLearned(o.State).Keep(o.lesson, how)
}

// isTerminal says whether somebody types what is read.
func isTerminal(in io.Reader) bool {
	file, is := in.(*os.File)
	if is {
		_, is = terminal(file)
	}
	return is
}

// completeLesson returns the numbers of the lessons, for the shell to complete.
func completeLesson(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var numbers []string
	for i := range course.Lessons() {
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	return numbers, cobra.ShellCompDirectiveNoFileComp
}
