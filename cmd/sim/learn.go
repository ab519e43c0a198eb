package main

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/report"
	"github.com/statefulsim/statefulsim/sim/report/html"
)

// learnOptions are what `sim learn` was asked for.
type learnOptions struct {
	*streams
	color *colorChoice
	// lesson is the number of the lesson, 0 for the list of all.
	lesson int
	// noPause says that nothing waits for Enter; source asks for the lesson's scenario in place of the lesson, html for
	// its report.
	noPause, source, html bool
}

func newLearnCmd(s *streams, color *colorChoice) *cobra.Command {
	o := &learnOptions{streams: s, color: color}
	cmd := &cobra.Command{
		Use:   "learn [LESSON]",
		Short: "Learn StatefulSets in lessons, step by step",
		Long: `Learn StatefulSets in lessons, step by step.

Without a lesson: the list. With its number: what to know before, and a question
to answer by yourself; then the scenario, of which each Enter shows the next
instant; and at the end what happened and why, and something to try. a shows all
the rest at once; q or Ctrl-C leaves. In a pipe, or with --no-pause, the lesson
is printed as a whole.`,
		Example: `  sim learn
  sim learn 1
  sim learn --lesson 3 --no-pause | less
  sim learn 3 --report > lesson.html     # the same to look at, for a projector
  sim learn 3 --scenario > lesson.yaml   # change it, and sim run lesson.yaml`,
		GroupID:           groupPlay,
		Args:              cobra.MaximumNArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(lessonNumbers(), cobra.ShellCompDirectiveNoFileComp),
		RunE: action(func(cmd *cobra.Command, args []string) error {
			if err := o.choose(args, cmd.Flags().Changed("lesson")); err != nil {
				return err
			}
			return o.run()
		}),
	}
	cmd.Flags().IntVar(&o.lesson, "lesson", 0, "the number of the lesson")
	cmd.Flags().BoolVar(&o.noPause, "no-pause", false, "print the lesson as a whole")
	cmd.Flags().BoolVar(&o.source, "scenario", false, "print the lesson's scenario, to change and play it")
	cmd.Flags().BoolVar(&o.html, "report", false, "print the lesson's run as a page of HTML, to look at")
	cmd.MarkFlagsMutuallyExclusive("scenario", "report")
	complete(cmd, "lesson", lessonNumbers())
	return cmd
}

// choose takes the lesson from the arguments, unless a flag has named it.
func (o *learnOptions) choose(args []string, named bool) error {
	if len(args) > 0 {
		number, err := strconv.Atoi(args[0])
		if err != nil || named && number != o.lesson {
			return usagef("name one lesson by its number, as in sim learn 3: see sim learn for the list")
		}
		o.lesson, named = number, true
	}
	switch n := len(lessons()); {
	case named && (o.lesson < 1 || o.lesson > n):
		return usagef("there is no lesson %d: they are 1 to %d", o.lesson, n)
	case !named && o.source:
		return usagef("--scenario: name the lesson, as in sim learn 3 --scenario")
	case !named && o.html:
		return usagef("--report: name the lesson, as in sim learn 3 --report")
	}
	return nil
}

func (o *learnOptions) run() error {
	switch {
	case o.lesson == 0:
		return o.list()
	case o.html:
		played, err := lessons()[o.lesson-1].play(o.interrupted)
		if err != nil {
			return err
		}
		return html.Write(o.out, &played.Run)
	case o.source:
		data, err := lessons()[o.lesson-1].scenario()
		if err == nil {
			_, err = o.out.Write(data)
		}
		return err
	}
	return o.teach(&lessons()[o.lesson-1])
}

// list tells which lessons there are.
func (o *learnOptions) list() error {
	var page strings.Builder
	page.WriteString("# A course on StatefulSets\n\nEach lesson asks a question, plays a scenario, and says why it " +
		"came so. Answer before you go on: what surprises you, you will remember.\n\n")
	for _, l := range lessons() {
		fmt.Fprintf(&page, "- %s\n", l.title())
	}
	page.WriteString("\nBegin with `sim learn 1`.\n")
	return report.Prose(o.out, page.String(), o.style(*o.color))
}

// teach goes through a lesson part by part.
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
	if o.lesson < len(lessons()) {
		parts[len(parts)-1].text += fmt.Sprintf("\nNext: sim learn %d\n", o.lesson+1)
	}
	return present(o.out, parts, p.pause)
}

// minErase is the width at which what a pause says fits into one line, so that one line is to be taken back.
const minErase = 40

// isTerminal says whether somebody types what is read.
func isTerminal(in io.Reader) bool {
	file, is := in.(*os.File)
	if is {
		_, is = terminal(file)
	}
	return is
}

// part is what is shown between two pauses; ask is what the pause after it says.
type part struct{ text, ask string }

// What the pauses of a lesson say.
const (
	askAnswer = "Your answer? Enter plays it"
	askOn     = "Enter: go on, a: all, q: leave"
)

// present shows parts, with a pause after each but the last, until somebody wants to leave.
func present(w io.Writer, parts []part, pause func(ask string) (more bool, err error)) error {
	for i, part := range parts {
		if _, err := io.WriteString(w, part.text); err != nil {
			return err
		}
		if i+1 == len(parts) {
			break
		}
		if more, err := pause(part.ask); err != nil || !more {
			return err
		}
	}
	return nil
}

// pauser waits for Enter.
type pauser struct {
	*streams
	in *bufio.Reader
	// on is false where nobody is there to press a key, and once somebody has asked for all the rest.
	on bool
	// erase says that the terminal can take back what a pause has said.
	erase bool
}

// pause waits for Enter, and says whether to go on.
func (p *pauser) pause(ask string) (more bool, err error) {
	if p.interrupted() {
		return false, errInterrupted
	}
	if !p.on {
		return true, nil
	}
	fmt.Fprintf(p.out, "-- %s ", ask)
	reply, err := p.line()
	if err != nil {
		// The cursor still stands behind what the pause has said.
		fmt.Fprintln(p.out)
		return false, err
	}
	if p.erase {
		fmt.Fprint(p.out, "\x1b[A\x1b[2K\r")
	}
	switch strings.ToLower(strings.TrimSpace(reply)) {
	case "q", "quit", "exit":
		return false, nil
	case "a", "all":
		p.on = false
	}
	return true, nil
}

// line reads a line. The end of the input is as good as q.
func (p *pauser) line() (string, error) {
	type read struct {
		text string
		err  error
	}
	done := make(chan read, 1)
	go func() {
		text, err := p.in.ReadString('\n')
		done <- read{text, err}
	}()
	select {
	case r := <-done:
		if r.err == io.EOF {
			fmt.Fprintln(p.out)
			return "q", nil
		}
		return r.text, r.err
	case <-p.ctx.Done():
		return "", errInterrupted
	}
}

// lesson is a page of the course and the scenario that belongs to it.
type lesson struct {
	// file is the path of both in the library, without the extension.
	file string
	// page is the page's Markdown.
	page string
}

// course is the folder of the lessons in the library.
const course = "learn"

// lessons are the lessons in their order.
func lessons() []lesson {
	pages, err := fs.Glob(scenarios.FS, course+"/*.md")
	must(err)
	var all []lesson
	for _, page := range pages {
		text, err := fs.ReadFile(scenarios.FS, page)
		must(err)
		all = append(all, lesson{file: strings.TrimSuffix(page, ".md"), page: string(text)})
	}
	return all
}

// lessonNumbers are the numbers of the lessons, for the shell to complete.
func lessonNumbers() []string {
	var numbers []string
	for i := range lessons() {
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	return numbers
}

// title is the page's first heading, which begins with the number.
func (l *lesson) title() string {
	title, _, _ := strings.Cut(l.page, "\n")
	return strings.TrimLeft(title, "# ")
}

func (l *lesson) scenario() ([]byte, error) { return fs.ReadFile(scenarios.FS, l.file+".yaml") }

// answer is the heading of the page at which the question has been asked.
const answer = "\n## What happens"

// parts are the lesson as it is shown: the page up to the question, the story, and the rest of the page.
func (l *lesson) parts(interrupted func() bool, style page.Style) ([]part, error) {
	story, err := l.story(interrupted, style)
	if err != nil {
		return nil, err
	}
	before, after, _ := strings.Cut(l.page, answer)
	var text strings.Builder
	must(report.Prose(&text, before, style))
	parts := []part{{text.String(), askAnswer}}
	for told := range story {
		parts = append(parts, part{told, askOn})
	}
	text.Reset()
	must(report.Prose(&text, answer+after, style))
	return append(parts, part{text: "\n" + text.String()}), nil
}

// story plays the scenario and tells it.
func (l *lesson) story(interrupted func() bool, style page.Style) (iter.Seq[string], error) {
	played, err := l.play(interrupted)
	if err != nil {
		return nil, err
	}
	return report.Story(&played.Run, style), nil
}

// play plays the scenario.
func (l *lesson) play(interrupted func() bool) (*played, error) {
	data, err := l.scenario()
	if err != nil {
		return nil, err
	}
	folder, err := fs.Sub(scenarios.FS, course)
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(path.Base(l.file)+".yaml", data, folder, scenario.Options{})
	if err != nil {
		return nil, err
	}
	played := loaded{s}.Play(interrupted)
	if played.interrupted {
		return nil, errInterrupted
	}
	return played, nil
}
