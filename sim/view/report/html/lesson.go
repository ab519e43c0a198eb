package html

import (
	"errors"
	"io"
	"regexp"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Lesson holds the question that a page asks before it shows a run, and the answer that it shows afterwards.
type Lesson struct {
	Title string
	// Question and Answer are Markdown.
	Question, Answer string
	Choices          []Choice
	// Right is the letter of the right choice.
	Right string
	// Index and Next are the addresses of the page of all lessons and of the next lesson; "" if there is none.
	Index, Next string
}

// Choice is one of the answers to choose from; its text is Markdown.
type Choice struct{ Letter, Text string }

// Teach writes the page of a lesson: its question, and the run under a curtain, until the reader has answered and
// watched. The run's name is not shown: the title is the lesson's.
func Teach(w io.Writer, run *report.Run, lesson *Lesson) error {
	if run == nil || lesson == nil {
		return errors.New("a lesson needs a run and a question")
	}
	v := viewOfRuns([]*report.Run{run})
	v.Title, v.Description = render.Visible(lesson.Title), ""
	v.Lesson = &lessonView{
		Question: prose(lesson.Question), Answer: prose(lesson.Answer), Right: render.Visible(lesson.Right),
		Index: lesson.Index, Next: lesson.Next,
	}
	for _, c := range lesson.Choices {
		v.Lesson.Choices = append(v.Lesson.Choices, choiceView{render.Visible(c.Letter), inline(c.Text)})
	}
	data := gather([]*report.Run{run})
	data.Lesson = true
	return v.write(w, data)
}

// lessonView is a lesson as the page shows it.
type lessonView struct {
	Question, Answer safe
	Choices          []choiceView
	Right            string
	Index, Next      string
}

// choiceView is an answer to choose; the letter is the value of its button.
type choiceView struct {
	Letter string
	Text   safe
}

// fence starts and ends a block of code.
const fence = "```"

// prose makes HTML of a page of Markdown, as far as the pages of the course use it: headings, paragraphs, lists, code.
// Links become their text, since a page leads nowhere.
func prose(markdown string) safe {
	var b strings.Builder
	for _, text := range report.Blocks(markdown) {
		b.WriteString(string(block(text)))
	}
	return safe(b.String())
}

// block makes HTML of the lines between two empty ones.
func block(text string) safe {
	switch {
	case strings.HasPrefix(text, fence):
		lines := strings.Split(text, "\n")
		code := visible(strings.Join(lines[1:len(lines)-1], "\n"))
		return `<pre tabindex="0">` + escape(code) + "\n</pre>\n"
	case strings.HasPrefix(text, "#"):
		return "<h2>" + inline(strings.TrimLeft(text, "# ")) + "</h2>\n"
	case strings.HasPrefix(text, "- "):
		var b strings.Builder
		for item := range strings.SplitSeq(text[2:], "\n- ") {
			b.WriteString("<li>" + string(inline(item)) + "</li>")
		}
		return safe("<ul>" + b.String() + "</ul>\n")
	}
	return "<p>" + inline(text) + "</p>\n"
}

// marks are the conversions of inline from Markdown, in this order. They work on an escaped text, and add only tags
// without attributes.
var marks = []struct {
	of   *regexp.Regexp
	html string
}{
	{regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`), "$1"},
	{regexp.MustCompile("`([^`]+)`"), "<code>$1</code>"},
	{regexp.MustCompile(`\*\*([^*]+)\*\*`), "<b>$1</b>"},
	{regexp.MustCompile(`\*([^*\s][^*]*)\*`), "<em>$1</em>"},
}

// inline makes HTML of a text within a line.
func inline(text string) safe {
	html := string(escape(render.Visible(strings.Join(strings.Fields(text), " "))))
	for _, mark := range marks {
		html = mark.of.ReplaceAllString(html, mark.html)
	}
	return safe(html)
}
