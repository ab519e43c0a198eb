package page

import (
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Grid is a table.
type Grid struct {
	Title  string
	Header []string
	Rows   [][]string
}

// Table writes the grid's header, in capitals, and its rows. The title is left to the caller.
func (p *Page) Table(g Grid) {
	for _, line := range g.Lines() {
		p.Line("", line, Plain)
	}
}

// Lines are the header and the rows of the table, as wide as they have to be.
func (g Grid) Lines() []string {
	rows := make([][]string, 0, len(g.Rows)+1)
	header := make([]string, len(g.Header))
	for i, title := range g.Header {
		header[i] = strings.ToUpper(title)
	}
	return draw(append(append(rows, header), g.Rows...))
}

// draw lets tablewriter lay rows out. East Asian width is fixed, because the default asks the environment.
func draw(rows [][]string) []string {
	var b strings.Builder
	table := tablewriter.NewTable(&b,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleNone),
			Settings: tw.Settings{
				Lines:      tw.LinesNone,
				Separators: tw.SeparatorsNone,
			},
		})),
		tablewriter.WithPadding(tw.Padding{Left: tw.Empty, Right: "  ", Overwrite: true}),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
	)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i := range row {
			cells[i] = Visible(row[i])
		}
		if err := table.Append(cells); err != nil {
			panic(fmt.Sprintf("page: the row %q: %v", row, err))
		}
	}
	if err := table.Render(); err != nil {
		panic(fmt.Sprintf("page: the table %q: %v", rows, err))
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// Markdown renders the grid as a table of Markdown. Cells are escaped, and the header keeps its words as they are.
func (g Grid) Markdown() string {
	escaped := make([][]string, len(g.Rows))
	for i, row := range g.Rows {
		escaped[i] = cells(row)
	}
	return MarkdownTable(cells(g.Header), escaped)
}

func cells(row []string) []string {
	escaped := make([]string, len(row))
	for i, cell := range row {
		escaped[i] = strings.ReplaceAll(inline(Visible(cell)), "\n", "<br>")
	}
	return escaped
}

// MarkdownTable renders a table whose cells are Markdown already: Code, a link, or what Markdown has escaped. A cell
// must not hold the end of a line.
func MarkdownTable(header []string, rows [][]string) string {
	widths := make([]int, len(header))
	all := append([][]string{header}, rows...)
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell))
		}
	}
	var b strings.Builder
	for i, row := range all {
		for j, cell := range row {
			b.WriteString("| " + Pad(cell, widths[j]) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			for _, width := range widths {
				b.WriteString("|:" + strings.Repeat("-", width+1))
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}
