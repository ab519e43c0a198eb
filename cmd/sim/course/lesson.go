// Package course is the course on StatefulSets: its lessons, their presentation on a terminal, its pages, and the
// lessons that a reader has finished. It belongs to commands: it waits for keys, and writes files.
package course

import (
	"io/fs"
	"iter"
	"path"
	"regexp"
	"strings"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/play/verdict"
	"github.com/statefulsim/statefulsim/scenarios"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
	"github.com/statefulsim/statefulsim/sim/view/work"
)

// Lesson is a page of the course and the scenario that belongs to it.
type Lesson struct {
	// file is the path of both in the library, without the extension.
	file string
	// page is the page's Markdown.
	page string
}

// folder is the folder of the lessons in the library.
const folder = "learn"

// Lessons returns the lessons in the order of their file names. They are part of the binary, so it cannot fail.
// Each call makes a new list.
func Lessons() []Lesson {
	pages, err := fs.Glob(scenarios.Course, folder+"/*.md")
	work.Must(err)
	var all []Lesson
	for _, page := range pages {
		text, err := fs.ReadFile(scenarios.Course, page)
		work.Must(err)
		all = append(all, Lesson{file: strings.TrimSuffix(page, ".md"), page: string(text)})
	}
	return all
}

// Name returns the name of both files, without their folder and their extension.
func (l *Lesson) Name() string { return path.Base(l.file) }

// Title returns the page's first heading, which starts with the number.
func (l *Lesson) Title() string {
	title, _, _ := strings.Cut(l.page, "\n")
	return strings.TrimLeft(title, "# ")
}

// Scenario returns the text of the scenario that belongs to the page.
func (l *Lesson) Scenario() ([]byte, error) { return fs.ReadFile(scenarios.Course, l.file+".yaml") }

// Files is the folder of the lessons, with the manifests that their scenarios name.
func Files() fs.FS {
	files, err := fs.Sub(scenarios.Course, folder)
	work.Must(err)
	return files
}

// answer is the heading of the page that the answer follows, tryIt the heading of the suggestions to try next.
const (
	answer = "\n## What happens"
	tryIt  = "\n## Try it"
)

// Parts returns the lesson as a terminal shows it: the page up to the question, the story instant by instant, the
// explanation, and what to try. There are at least four; the first has the right answer, the last no prompt.
func (l *Lesson) Parts(sim string, interrupted func() bool, style render.Style) ([]Part, error) {
	story, err := l.story(sim, interrupted, style)
	if err != nil {
		return nil, err
	}
	before, after, _ := strings.Cut(l.page, answer)
	var text strings.Builder
	work.Must(report.Prose(&text, before, style))
	parts := []Part{{Text: text.String(), ask: l.ask(), right: l.Right()}}
	for told := range story {
		parts = append(parts, Part{Text: told, ask: askOn, step: strings.Contains(told, " STEP ")})
	}
	end := &parts[len(parts)-1]
	end.ask, end.judged = askWhy, true
	why, tries, _ := strings.Cut(after, tryIt)
	for _, page := range []Part{{Text: answer + why, ask: askMore}, {Text: tryIt + tries}} {
		text.Reset()
		work.Must(report.Prose(&text, page.Text, style))
		parts = append(parts, Part{Text: "\n" + text.String(), ask: page.ask})
	}
	return parts, nil
}

// story plays the scenario and prints its story. The run is over before the first instant is asked for.
func (l *Lesson) story(sim string, interrupted func() bool, style render.Style) (iter.Seq[string], error) {
	played, err := l.play(sim, interrupted)
	if err != nil {
		return nil, err
	}
	return report.Story(&played.Run, style), nil
}

// play plays the scenario. The error is work.ErrInterrupted if the user ended it; the scenarios of lessons have no
// other, which a test checks.
func (l *Lesson) play(sim string, interrupted func() bool) (*verdict.Run, error) {
	data, err := l.Scenario()
	if err != nil {
		return nil, err
	}
	s, err := scenario.Parse(l.Name()+".yaml", data, Files(), scenario.Options{})
	if err != nil {
		return nil, err
	}
	played := verdict.Scenario{Scenario: s, Sim: sim}.Play(verdict.Ends{Interrupted: interrupted})
	if played.Interrupted {
		return nil, work.ErrInterrupted
	}
	played.Source, played.File = string(data), l.Name()+".yaml"
	return played, nil
}

// choice matches one of the answers that the page offers, right the following line with the right one.
var (
	choice = regexp.MustCompile(`(?m)^- ([a-z])\) (.*)$`)
	right  = regexp.MustCompile(`(?m)^The answer is ([a-z])\.$`)
)

// Right returns the letter of the right answer. Each page must name one.
func (l *Lesson) Right() string { return right.FindStringSubmatch(l.page)[1] }

// question matches what a page asks, up to the answers to choose from.
var question = regexp.MustCompile(`(?s)\n## The question\n(.*?)\n- a\) `)

// asks returns the question of the page as plain text.
func (l *Lesson) asks() string {
	text := question.FindStringSubmatch(l.page)[1]
	return strings.Join(strings.Fields(strings.NewReplacer("`", "", "*", "").Replace(text)), " ")
}

// ask returns the prompt for the answer.
func (l *Lesson) ask() string {
	var letters []string
	for _, found := range choice.FindAllStringSubmatch(l.page, -1) {
		letters = append(letters, found[1])
	}
	last := len(letters) - 1
	return askAnswer + strings.Join(letters[:last], ", ") + " or " + letters[last] + "), then Enter; without one: Enter"
}

// lesson returns the lesson as an HTML page has it: the question, the answers to choose from, and the text that is
// shown after the choice. Question and answer are Markdown.
func (l *Lesson) lesson() *html.Lesson {
	before, after, _ := strings.Cut(l.page, answer)
	_, before, _ = strings.Cut(before, "\n")
	as := &html.Lesson{Title: l.Title(), Right: l.Right()}
	for _, found := range choice.FindAllStringSubmatch(before, -1) {
		as.Choices = append(as.Choices, html.Choice{Letter: found[1], Text: found[2]})
	}
	as.Question = choice.ReplaceAllString(before, "")
	as.Answer = answer + right.ReplaceAllString(after, "")
	return as
}
