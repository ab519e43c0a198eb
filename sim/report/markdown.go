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
	if last := run.result(); last != nil {
		fmt.Fprintf(out, "**%s**\n\n", escapeMarkdown(verdictSentence(last, run)))
		for i := range last.Result.Stuck {
			fmt.Fprintf(out, "- %s\n", escapeMarkdown(stuckSentence(&last.Result.Stuck[i], sum, c)))
		}
		for _, warning := range last.Result.Warnings {
			fmt.Fprintf(out, "- warning: %s\n", escapeMarkdown(warning))
		}
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
