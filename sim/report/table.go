package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Table writes a summary of the run as tables: steps, sets and pods, and the revisions of
// sets that have more than one, and what is not well at the end beside the pods. Expectations stand below them as in
// Text.
func Table(w io.Writer, run *Run, style Style) error {
	p := newPage(w, style)
	p.heading(run)
	sum, c := summarize(run.Events), castOf(run.Events)
	all := append(grids(sum, c), historyGrids(run.Events, c, 1)...)
	for _, g := range append(all, thingGrids(run)...) {
		p.blank()
		p.text(0, g.title, bold)
		drawn, err := drawTable(g)
		if err != nil {
			return err
		}
		p.verbatim(0, drawn, plain)
	}
	p.blank()
	for _, fact := range facts(run, sum, c) {
		p.text(0, fact, plain)
	}
	p.verdict(run, c)
	p.expectations(run)
	p.repeat(run)
	return p.flush()
}

func drawTable(g grid) (string, error) {
	return draw(g, tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
		Borders: tw.BorderNone,
		Symbols: tw.NewSymbols(tw.StyleNone),
		Settings: tw.Settings{
			Lines:      tw.LinesNone,
			Separators: tw.SeparatorsNone,
		},
	})), tablewriter.WithPadding(tw.Padding{Left: tw.Empty, Right: "  ", Overwrite: true}))
}

func drawMarkdown(g grid) (string, error) {
	return draw(g, tablewriter.WithRenderer(renderer.NewMarkdown()))
}

// draw lets tablewriter lay the grid out. East Asian width is fixed, because the default asks the environment.
func draw(g grid, options ...tablewriter.Option) (string, error) {
	var b strings.Builder
	options = append(options,
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
	)
	table := tablewriter.NewTable(&b, options...)
	header := make([]string, len(g.header))
	for i, title := range g.header {
		header[i] = strings.ToUpper(title)
	}
	table.Header(header)
	for _, row := range g.rows {
		cells := make([]string, len(row))
		for i := range row {
			cells[i] = clean(row[i])
		}
		if err := table.Append(cells); err != nil {
			return "", fmt.Errorf("the table %q: %w", g.title, err)
		}
	}
	if err := table.Render(); err != nil {
		return "", fmt.Errorf("the table %q: %w", g.title, err)
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n"), nil
}
