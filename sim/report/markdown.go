package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Markdown writes a summary of the run for a pull request or a page.
func Markdown(w io.Writer, run *Run) error {
	out := bufio.NewWriter(w)
	sum, c := summarize(run.Events), castOf(run.Events)
	header := run.header()
	fmt.Fprintf(out, "# %s\n\n", escapeMarkdown(run.Name))
	if description := strings.TrimSpace(run.Description); description != "" {
		fmt.Fprintf(out, "%s\n\n", escapeMarkdown(description))
	}
	if run.result() != nil {
		ending := Ending(run)
		fmt.Fprintf(out, "**%s**\n\n", escapeMarkdown(ending[0].Text))
		for _, line := range ending[1:] {
			fmt.Fprintf(out, "- %s\n", escapeMarkdown(line.Text))
		}
		curesMarkdown(out, run)
	}
	all := grids(sum, c)
	if len(run.Expectations) > 0 {
		all = append(all, expectationGrid(run.Expectations))
	}
	for _, g := range all {
		drawn, err := drawMarkdown(g)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n## %s\n\n%s\n", capital(g.title), drawn)
	}
	failuresMarkdown(out, run)
	out.WriteByte('\n')
	for _, fact := range facts(run, sum, c) {
		fmt.Fprintf(out, "- %s\n", escapeMarkdown(fact))
	}
	fmt.Fprintf(out, "- Kubernetes %s, seed %d, sim %s\n", header.Kubernetes, header.Seed, header.Sim)
	if run.Complaint != "" {
		fmt.Fprintf(out, "\n%s\n", escapeMarkdown(run.Complaint))
	}
	if run.Repeat != "" {
		fmt.Fprintf(out, "\n```console\n$ %s\n```\n", run.Repeat)
	}
	return out.Flush()
}

// curesMarkdown writes the ways out, or else the command that looks for the reason.
func curesMarkdown(out io.Writer, run *Run) {
	for i := range run.Cures {
		cure := &run.Cures[i]
		fmt.Fprintf(out, "\nThe way out (played, and it heals; %s):\n\n```console\n", escapeMarkdown(cure.Cost()))
		for _, command := range cure.Commands {
			fmt.Fprintf(out, "$ %s\n", clean(command))
		}
		io.WriteString(out, "```\n")
	}
	if run.Explain != "" {
		fmt.Fprintf(out, "\nTry: `%s`\n", clean(run.Explain))
	}
}

// failuresMarkdown says of each expectation that failed what came instead.
func failuresMarkdown(out io.Writer, run *Run) {
	for i := range run.Expectations {
		e := &run.Expectations[i]
		if e.Verdict != Failed {
			continue
		}
		fmt.Fprintf(out, "\n**FAILED** %s, at %s: %s\n", escapeMarkdown(e.Text), escapeMarkdown(e.Position),
			escapeMarkdown(e.Detail))
		if d := e.Difference(); len(d) > 0 {
			fmt.Fprintf(out, "\n```diff\n- expected\n+ got\n%s\n```\n", strings.Join(d, "\n"))
		}
	}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

var markdownEscapes = strings.NewReplacer(
	`\`, `\\`, "*", `\*`, "_", `\_`, "`", "\\`", "<", "&lt;", "|", `\|`, "[", `\[`)

// escapeMarkdown keeps text from being read as markup. Line ends stay.
func escapeMarkdown(text string) string {
	lines := strings.Split(text, "\n")
	for i := range lines {
		lines[i] = markdownEscapes.Replace(clean(lines[i]))
	}
	return strings.Join(lines, "\n")
}
