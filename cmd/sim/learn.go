package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario/files"
	"github.com/statefulsim/statefulsim/sim/output/command"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// learnOptions are the arguments of `sim learn`.
type learnOptions struct {
	*streams
	color *colorChoice
	// lesson is the number of the lesson, 0 for the list of all.
	lesson int
	// noPause says that nothing waits for a key. source asks for the lesson's scenario instead of the lesson, html for
	// its report; all, with html, for the reports of all lessons, in the folder dir. forget forgets which lessons were
	// finished. At most one of source, html and forget is set.
	noPause, source, html, all, forget bool
	dir                                string
}

func newLearnCmd(s *streams, color *colorChoice) *cobra.Command {
	o := &learnOptions{streams: s, color: color}
	cmd := &cobra.Command{
		Use:   "learn [LESSON|all]",
		Short: "Learn StatefulSets in lessons, step by step",
		Long: `Learn StatefulSets in lessons, step by step.

Without arguments it lists the lessons. With the number of a lesson it prints
what you need to know, and asks a question: type the letter of your answer and
Enter, or only Enter. Then it plays the scenario. Enter, Space or n goes to the
next instant, s to the next step of the scenario, p back, r plays all the rest,
? helps, q or Ctrl-C leaves. (On Windows, press Enter after each key.) At the
end it explains what happened and why, and what to try next. In a pipe, or with
--no-pause, it prints the whole lesson at once.

The list marks the lessons that you have finished in a terminal. sim stores
their numbers in $XDG_STATE_HOME/sim/learned or, if that is not set, in
~/.local/state/sim/learned.`,
		Example: `  sim learn
  sim learn 1
  sim learn 3 --no-pause | less
  sim learn 3 --report > lesson.html     # the same as a page, for a projector
  sim learn all --report --dir course    # all lessons as pages, with an index
  sim learn 3 --scenario > lesson.yaml   # change it, and sim run lesson.yaml`,
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
	switch n := len(lessons()); {
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
		if err := readLearned(o.state).forget(); err != nil {
			return err
		}
		_, err := fmt.Fprintln(o.out, "All lessons are new again.")
		return err
	case o.all:
		return o.pages()
	case o.lesson == 0:
		return o.list()
	case o.html:
		played, err := lessons()[o.lesson-1].play(o.interrupted)
		if err != nil {
			return err
		}
		played.Command = command.Line("sim", "learn", strconv.Itoa(o.lesson), "--report")
		played.Playground = o.lessonInPlayground(played.Source)
		return html.Teach(o.out, &played.Run, lessons()[o.lesson-1].lesson())
	case o.source:
		data, err := lessons()[o.lesson-1].scenario()
		if err == nil {
			_, err = o.out.Write(data)
		}
		return err
	}
	return o.teach(&lessons()[o.lesson-1])
}

// list prints the lessons.
func (o *learnOptions) list() error {
	var text strings.Builder
	text.WriteString("# A course on StatefulSets\n\nEach lesson asks a question, plays a scenario, and explains the " +
		"result. Answer before you continue: you will remember what surprised you.\n\n")
	known := readLearned(o.state)
	for i, l := range lessons() {
		fmt.Fprintf(&text, "- %s%s\n", l.title(), known.mark(i+1))
	}
	fmt.Fprintf(&text, "\n%s\n", known.next())
	return report.Prose(o.out, text.String(), o.style(*o.color))
}

// teach goes through a lesson part by part. l must be the lesson with the number o.lesson. How the reader came through
// is kept only if they were asked and have not left.
func (o *learnOptions) teach(l *lesson) error {
	parts, err := l.parts(o.interrupted, o.style(*o.color))
	if err != nil {
		return err
	}
	p := &pauser{
		streams: o.streams, in: bufio.NewReader(o.in),
		on:    !o.noPause && o.outTerminal && isTerminal(o.in),
		erase: o.style(*o.color).Color && o.width >= minErase,
	}
	if file, is := o.in.(*os.File); is {
		p.keys = func() func() { return singleKeys(file) }
	}
	if o.lesson < len(lessons()) {
		parts[len(parts)-1].text += fmt.Sprintf("\nNext: sim learn %d\n", o.lesson+1)
	}
	asked := p.on
	how, err := present(o.out, parts, p)
	if err != nil || !asked || how == "" {
		return err
	}
	return readLearned(o.state).keep(o.lesson, how)
}

// How somebody came through a lesson.
const (
	answeredRight = "right"
	answeredWrong = "wrong"
	watched       = "watched"
)

// learned says which lessons somebody has finished, and how, by the lesson's number, from 1; a lesson that is not in it
// was not finished. It is kept in a file with one line for each lesson, "3 right"; if file is "", it is not kept. Two
// calls at the same time may lose what one of them has learned.
type learned struct {
	file string
	of   map[int]string
}

// stateDir returns the folder in which programs keep what they remember of their user, or "" if there is none: as the
// XDG Base Directory Specification has it.
func stateDir() string {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "sim")
	}
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return ""
	}
	return filepath.Join(home, ".local", "state", "sim")
}

// longestLearned is the longest list of finished lessons that is read: many times what there are.
const longestLearned = 1 << 16

// readLearned reads which lessons were finished. It never fails: a file that cannot be read is like none, and lines
// that are about no lesson are skipped.
func readLearned(dir string) *learned {
	l := &learned{of: map[int]string{}}
	if dir == "" {
		return l
	}
	l.file = filepath.Join(dir, "learned")
	data, err := files.Source{Path: l.file}.Read(longestLearned)
	if err != nil {
		return l
	}
	for line := range strings.Lines(string(data)) {
		var number int
		var how string
		if _, err := fmt.Sscan(line, &number, &how); err != nil || number < 1 || number > len(lessons()) {
			continue
		}
		switch how {
		case answeredRight, answeredWrong, watched:
			l.of[number] = how
		}
	}
	return l
}

// keep notes how somebody came through a lesson, and writes the file. A right answer is never replaced by another one.
func (l *learned) keep(number int, how string) error {
	if l.file == "" || l.of[number] == answeredRight || l.of[number] == how {
		return nil
	}
	l.of[number] = how
	var text strings.Builder
	for i := range lessons() {
		if how := l.of[i+1]; how != "" {
			fmt.Fprintln(&text, i+1, how)
		}
	}
	if err := os.MkdirAll(filepath.Dir(l.file), 0o700); err != nil {
		return fmt.Errorf("the list of finished lessons cannot be stored: %w", err)
	}
	if err := (files.Written{Path: l.file, Text: []byte(text.String()), Mode: 0o600}).Write(); err != nil {
		return fmt.Errorf("the list of finished lessons cannot be stored: %w", err)
	}
	return nil
}

// forget removes the file. That there is none is no error. What was read stays.
func (l *learned) forget() error {
	if l.file == "" {
		return nil
	}
	if err := os.Remove(l.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// mark returns the mark behind a lesson in the list.
func (l *learned) mark(number int) string {
	switch l.of[number] {
	case answeredRight:
		return " (answered rightly)"
	case answeredWrong:
		return " (answered wrongly)"
	case watched:
		return " (watched)"
	}
	return ""
}

// next says which lesson to continue with: the first that was not finished.
func (l *learned) next() string {
	for i := range lessons() {
		if l.of[i+1] != "" {
			continue
		}
		if len(l.of) == 0 {
			return fmt.Sprintf("Begin with `sim learn %d`.", i+1)
		}
		return fmt.Sprintf("Continue with `sim learn %d`; `sim learn --forget` begins again.", i+1)
	}
	return "You have seen all lessons; `sim learn --forget` begins again."
}
