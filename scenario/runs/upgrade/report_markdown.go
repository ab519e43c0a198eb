package upgrade

import (
	"fmt"
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/output/report"
)

// Markdown writes the report for a pull request or a page.
func Markdown(w io.Writer, r *Report, view View) error {
	var b strings.Builder
	p := &paper{view: &view}
	fmt.Fprintf(&b, "# Kubernetes %s to %s\n\n**%s**\n", r.From, r.To, render.Markdown(render.Capital(r.headline())))
	if len(r.Path) > 1 {
		fmt.Fprintf(&b, "\n%s\n\n", render.Capital(r.onTheWay()))
		for _, hop := range r.Path {
			fmt.Fprintf(&b, "- %s\n", render.Markdown(hop.summary()+hop.avoids()))
		}
	}
	for i, text := range movingLines(r.shown(p.view)) {
		if i == 0 {
			fmt.Fprintf(&b, "\n%s\n\n", render.Markdown(render.Capital(notAtRest)))
		}
		fmt.Fprintf(&b, "- %s\n", render.Markdown(text))
	}
	for _, hop := range r.worstFirst() {
		p.hopMarkdown(&b, hop, len(r.Path) > 1)
	}
	d := report.Parting{Names: [2]string{r.From, r.To}}
	for i := range p.told {
		if i == 0 {
			b.WriteString("\n## What these differences are\n\n")
		}
		fmt.Fprintf(&b, "- %s%s\n", render.Markdown(d.Sentence(&p.told[i])), report.MarkdownLinks(p.told[i].Links))
	}
	for _, note := range r.notes(&view) {
		fmt.Fprintf(&b, "\n%s.\n", render.Markdown(render.Capital(note)))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// hopMarkdown writes a hop: each group, or each difference if there are many groups. titled says that it has a heading.
func (p *paper) hopMarkdown(b *strings.Builder, h *Hop, titled bool) {
	if titled && len(h.Groups)+len(h.Patches) > 0 {
		fmt.Fprintf(b, "\n## %s\n", render.Markdown(render.Capital(h.summary())))
	}
	for _, patch := range h.Patches {
		fmt.Fprintf(b, "\n⚠️ %s\n", render.Markdown(render.Capital(patch.says(p.view))))
	}
	if len(h.Groups) > manyGroups {
		b.WriteString("\n")
		for _, f := range p.view.findings(&h.Between) {
			p.findingMarkdown(b, &h.Between, f)
		}
		return
	}
	for _, g := range h.Groups {
		p.groupMarkdown(b, h, g, titled)
	}
}

// findingMarkdown writes what sets of several groups do differently.
func (p *paper) findingMarkdown(b *strings.Builder, between *Between, f *finding) {
	title := render.Markdown(f.title())
	if f.weight == forTheWorse {
		title = "**" + title + "**"
	}
	fmt.Fprintf(b, "- %s\n", title)
	shown := f.shown()
	if len(f.examples) > 0 {
		fmt.Fprintf(b, "  - %s\n", render.Markdown(render.Capital(f.says(between))))
		shown[0].markdown(b)
	}
	p.note(shown)
	fmt.Fprintf(b, "  - Sets: %s\n", render.Markdown(p.view.names(f.names())))
	if len(shown) > 0 && shown[0].Show != "" {
		fmt.Fprintf(b, "  - %s\n", render.Code(shown[0].Show))
	}
}

// groupMarkdown writes a group, or nothing if all of it is left out by the view. below says that it is below a heading
// of its hop.
func (p *paper) groupMarkdown(b *strings.Builder, h *Hop, g *Group, below bool) {
	rows, status := p.view.rows(g)
	if len(rows)+len(status)+len(g.API) == 0 || p.view.OnlyWorse && !g.Worse() {
		return
	}
	heading := "##"
	if below {
		heading = "###"
	}
	fmt.Fprintf(b, "\n%s %s\n\n%s\n\n", heading, render.Markdown(p.view.names(g.Sets)), render.Paragraphs(g.Description))
	for _, line := range append(g.trapsIn(&h.Between), g.API...) {
		fmt.Fprintf(b, "- %s\n", render.Markdown(line))
	}
	for _, row := range rows {
		mark := ""
		if row.IsWorse {
			mark = "**For the worse:** "
		}
		fmt.Fprintf(b, "- %s**%s** (`%s`): %s\n", mark, render.Markdown(row.Does), row.Case,
			render.Markdown(row.contrast(&h.Between)))
		row.markdown(b)
		p.note([]*Row{row})
	}
	if len(status) > 0 {
		fmt.Fprintf(b, "- %s\n", render.Markdown(render.Capital(statusOnly(status))))
		p.note(status)
	}
	if shown := append(rows, status...); len(shown) > 0 && shown[0].Show != "" {
		fmt.Fprintf(b, "\n%s", render.Block("console", "$ "+shown[0].Show))
	}
}

// markdown writes what each version does where the runs part, and by which differences.
func (r *Row) markdown(b *strings.Builder) {
	fmt.Fprintf(b, "  - %s:\n", render.Markdown(r.Parting.Heading()))
	for side, does := range r.Parting.Does() {
		fmt.Fprintf(b, "    - **%s** %s\n", render.Markdown(r.Parting.Names[side]), render.Markdown(does))
	}
	if causes := causeNames([]*Row{r}); len(causes) > 0 {
		fmt.Fprintf(b, "    - because of %s\n", render.Markdown(render.And(causes)))
	}
	if r.Advice != "" {
		fmt.Fprintf(b, "  - way out: %s\n", render.Markdown(r.Advice))
	}
}
