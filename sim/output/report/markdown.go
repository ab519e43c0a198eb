package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Markdown writes a summary of the run for a pull request or a page. It has no story: the chart and the tables stand
// for it.
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
	fmt.Fprintf(out, "- Kubernetes %s, seed %d, sim %s\n", header.Kubernetes, header.Seed, header.Sim)
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
	_ = buffered.Flush() // A builder takes whatever is written to it.
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

// failuresMarkdown says of each expectation that failed what came instead.
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
