package main

import (
	"io/fs"
	"iter"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/runs/judged"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
	"github.com/statefulsim/statefulsim/sim/output/report/html"
	"github.com/statefulsim/statefulsim/sim/output/work"
)

// lesson is a page of the course and the scenario that belongs to it.
type lesson struct {
	// file is the path of both in the library, without the extension.
	file string
	// page is the page's Markdown.
	page string
}

// course is the folder of the lessons in the library.
const course = "learn"

// lessons returns the lessons in their order, that of the file names. They are part of the binary, so it cannot fail.
// Each call makes a new list.
func lessons() []lesson {
	pages, err := fs.Glob(scenarios.Course, course+"/*.md")
	work.Must(err)
	var all []lesson
	for _, page := range pages {
		text, err := fs.ReadFile(scenarios.Course, page)
		work.Must(err)
		all = append(all, lesson{file: strings.TrimSuffix(page, ".md"), page: string(text)})
	}
	return all
}

// completeLesson returns the numbers of the lessons, for the shell to complete.
func completeLesson(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	var numbers []string
	for i := range lessons() {
		numbers = append(numbers, strconv.Itoa(i+1))
	}
	return numbers, cobra.ShellCompDirectiveNoFileComp
}

// title returns the page's first heading, which begins with the number.
func (l *lesson) title() string {
	title, _, _ := strings.Cut(l.page, "\n")
	return strings.TrimLeft(title, "# ")
}

// scenario returns the text of the scenario that belongs to the page.
func (l *lesson) scenario() ([]byte, error) { return fs.ReadFile(scenarios.Course, l.file+".yaml") }

// answer is the heading of the page behind which the answer stands, tryIt that of what to try next.
const (
	answer = "\n## What happens"
	tryIt  = "\n## Try it"
)

// parts returns the lesson as a terminal shows it: the page up to the question, the story instant by instant, the
// explanation, and what to try. There are at least four; the first has the right answer, the last no prompt.
func (l *lesson) parts(interrupted func() bool, style render.Style) ([]part, error) {
	story, err := l.story(interrupted, style)
	if err != nil {
		return nil, err
	}
	before, after, _ := strings.Cut(l.page, answer)
	var text strings.Builder
	work.Must(report.Prose(&text, before, style))
	parts := []part{{text: text.String(), ask: l.ask(), right: l.right()}}
	for told := range story {
		parts = append(parts, part{text: told, ask: askOn, step: strings.Contains(told, " STEP ")})
	}
	end := &parts[len(parts)-1]
	end.ask, end.judged = askWhy, true
	why, tries, _ := strings.Cut(after, tryIt)
	for _, page := range []part{{text: answer + why, ask: askMore}, {text: tryIt + tries}} {
		text.Reset()
		work.Must(report.Prose(&text, page.text, style))
		parts = append(parts, part{text: "\n" + text.String(), ask: page.ask})
	}
	return parts, nil
}

// story plays the scenario and prints its story. The run is over before the first instant is asked for.
func (l *lesson) story(interrupted func() bool, style render.Style) (iter.Seq[string], error) {
	played, err := l.play(interrupted)
	if err != nil {
		return nil, err
	}
	return report.Story(&played.Run, style), nil
}

// play plays the scenario. The error is errInterrupted if the user ended it; the scenarios of lessons have no other,
// which a test checks.
func (l *lesson) play(interrupted func() bool) (*played, error) {
	data, err := l.scenario()
	if err != nil {
		return nil, err
	}
	folder, err := fs.Sub(scenarios.Course, course)
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(path.Base(l.file)+".yaml", data, folder, scenario.Options{})
	if err != nil {
		return nil, err
	}
	played := judged.Scenario{Scenario: s, Sim: Version}.Play(ends{Interrupted: interrupted})
	if played.Interrupted {
		return nil, errInterrupted
	}
	played.Source, played.File = string(data), path.Base(l.file)+".yaml"
	return played, nil
}

// choice matches one of the answers that the page offers, right the line behind them that says which one is right.
var (
	choice = regexp.MustCompile(`(?m)^- ([a-z])\) (.*)$`)
	right  = regexp.MustCompile(`(?m)^The answer is ([a-z])\.$`)
)

// right returns the letter of the right answer. Each page must name one.
func (l *lesson) right() string { return right.FindStringSubmatch(l.page)[1] }

// question matches what a page asks, up to the answers to choose from.
var question = regexp.MustCompile(`(?s)\n## The question\n(.*?)\n- a\) `)

// asks returns the question of the page as plain text.
func (l *lesson) asks() string {
	text := question.FindStringSubmatch(l.page)[1]
	return strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "").Replace(text)), " ")
}

// ask returns the prompt for the answer.
func (l *lesson) ask() string {
	var letters []string
	for _, found := range choice.FindAllStringSubmatch(l.page, -1) {
		letters = append(letters, found[1])
	}
	last := len(letters) - 1
	return askAnswer + strings.Join(letters[:last], ", ") + " or " + letters[last] + "), then Enter; without one: Enter"
}

// lesson returns the lesson as an HTML page has it: the question, the answers to choose from, and the text that is
// shown after the choice. Question and answer are Markdown.
func (l *lesson) lesson() *html.Lesson {
	before, after, _ := strings.Cut(l.page, answer)
	_, before, _ = strings.Cut(before, "\n")
	as := &html.Lesson{Title: l.title(), Right: l.right()}
	for _, found := range choice.FindAllStringSubmatch(before, -1) {
		as.Choices = append(as.Choices, html.Choice{Letter: found[1], Text: found[2]})
	}
	as.Question = choice.ReplaceAllString(before, "")
	as.Answer = answer + right.ReplaceAllString(after, "")
	return as
}
