package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Prose writes a page of Markdown for a terminal: headings are highlighted, paragraphs and lists are rewrapped,
// code stays as it is, and a link is followed by its address. It knows no other marks.
func Prose(w io.Writer, markdown string, style render.Style) error {
	p := newSheet(w, style)
	for i, block := range Blocks(markdown) {
		if i > 0 {
			p.Blank()
		}
		p.block(block)
	}
	return p.Flush()
}

const fence = "```"

// Blocks splits a page at its empty lines, except those within code. Code that is not closed is closed at the end.
func Blocks(markdown string) []string {
	var list []string
	var block strings.Builder
	code := false
	for line := range strings.Lines(markdown + "\n\n") {
		if strings.HasPrefix(line, fence) {
			code = !code
		}
		if code || strings.TrimSpace(line) != "" {
			block.WriteString(line)
			continue
		}
		if block.Len() > 0 {
			list = append(list, strings.TrimSuffix(block.String(), "\n"))
			block.Reset()
		}
	}
	if code {
		list = append(list, block.String()+fence)
	}
	return list
}

// block writes a block by its first characters: code, a heading, a list or a paragraph.
func (p sheet) block(block string) {
	switch {
	case strings.HasPrefix(block, fence):
		lines := strings.Split(block, "\n")
		p.code(strings.TrimPrefix(lines[0], fence), lines[1:len(lines)-1])
	case strings.HasPrefix(block, "#"):
		p.Hanging(0, "", strings.TrimLeft(block, "# "), render.Bold)
	case strings.HasPrefix(block, "- "):
		for item := range strings.SplitSeq(block[2:], "\n- ") {
			p.Hanging(0, "- ", inline(item), render.Plain)
		}
	default:
		p.Hanging(0, "", inline(block), render.Plain)
	}
}

// code writes lines of a language; lines that a diff adds or removes are highlighted.
func (p sheet) code(language string, lines []string) {
	tones := map[byte]render.Tone{}
	if language == "diff" {
		tones = map[byte]render.Tone{'+': render.Good, '-': render.Bad}
	}
	for _, line := range lines {
		p.Verbatim(0, line, tones[(line + " ")[0]])
	}
}

// link matches a link of Markdown.
var link = lazy.Regexp(`\[([^\]]*)\]\(([^)]*)\)`)

// inline puts a text on one line and its links into words.
func inline(text string) string {
	return link().ReplaceAllString(strings.Join(strings.Fields(text), " "), "$1: $2")
}

// Markdown writes a summary of the run for a pull request or a page. It has charts and tables for a story.
func Markdown(w io.Writer, run *Run) error {
	out := bufio.NewWriter(w)
	sum, c := summarize(run.Events), castOf(run.Events)
	header := run.header()
	fmt.Fprintf(out, "# %s\n\n", render.Markdown(run.Name))
	if description := strings.TrimSpace(run.Description); description != "" {
		fmt.Fprintf(out, "%s\n\n", render.Paragraphs(description))
	}
	if run.result() != nil {
		ending, numbers := Ending(run), figure(run, sum)
		fmt.Fprintf(out, "**%s**\n\n", render.Markdown(ending[0].Text))
		fmt.Fprintf(out, "- %s\n", render.Markdown(numbers.line()))
		for _, line := range ending[1:] {
			fmt.Fprintf(out, "- %s\n", render.Markdown(line.Text))
		}
		curesMarkdown(out, run)
	}
	pictureMarkdown(out, run)
	all := grids(sum, c)
	if len(run.Expectations) > 0 {
		all = append(all, expectationGrid(run.Expectations))
	}
	for _, g := range all {
		fmt.Fprintf(out, "\n## %s\n\n%s", render.Markdown(render.Capital(g.Title)), g.Markdown())
	}
	failuresMarkdown(out, run)
	out.WriteByte('\n')
	for _, fact := range facts(run, sum, c) {
		fmt.Fprintf(out, "- %s\n", render.Markdown(fact))
	}
	fmt.Fprintf(out, "- Kubernetes %s, seed %d, sim %s\n", header.Version(), header.Seed, header.Sim)
	if run.Complaint != "" {
		fmt.Fprintf(out, "\n%s\n", render.Paragraphs(run.Complaint))
	}
	if run.Repeat != "" {
		fmt.Fprint(out, "\n"+render.Block("console", "$ "+run.Repeat))
	}
	return out.Flush()
}

// pictureMarkdown writes the run as a gantt chart, folded away, which GitHub and GitLab draw; nothing if it has no
// pods, or more than can be drawn.
func pictureMarkdown(out io.Writer, run *Run) {
	g := ganttOf(run)
	if len(g.pods) == 0 || len(g.pods) > maxGanttPods {
		return
	}
	var chart strings.Builder
	buffered := bufio.NewWriter(&chart)
	g.write(buffered, run)
	_ = buffered.Flush() // A builder accepts everything.
	fmt.Fprintf(out, "\n<details><summary>The run as a picture</summary>\n\n%s\n</details>\n",
		render.Block("mermaid", strings.TrimSuffix(chart.String(), "\n")))
}

// curesMarkdown writes the ways out, or else the command that looks for the reason.
func curesMarkdown(out io.Writer, run *Run) {
	for i := range run.Cures {
		cure := &run.Cures[i]
		fmt.Fprintf(out, "\n%s\n\n%s", render.Markdown(strings.Join(cure.Fix(), " ")),
			render.Block("console", "$ "+strings.Join(cure.Commands, "\n$ ")))
	}
	if text := run.Untries(); text != "" {
		fmt.Fprintf(out, "\n%s\n", render.Markdown(text))
	}
	if run.Explain != "" {
		fmt.Fprintf(out, "\nTry: %s\n", render.Code(run.Explain))
	}
}

// failuresMarkdown says for each failed expectation what came instead.
func failuresMarkdown(out io.Writer, run *Run) {
	for i := range run.Expectations {
		e := &run.Expectations[i]
		if e.Verdict != Failed {
			continue
		}
		fmt.Fprintf(out, "\n**FAILED** at %s: expected %s; got %s\n", render.Markdown(e.Position),
			render.Paragraphs(e.wanted()), render.Paragraphs(e.Detail))
		if d := e.Difference(); len(d) > 0 {
			fmt.Fprint(out, "\n"+render.Block("diff", "- expected\n+ got\n"+strings.Join(d, "\n")))
		}
	}
}
