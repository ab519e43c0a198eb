package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// Grid is a table, as plain data: callers fill it in, and its methods draw it for a terminal or for Markdown. Every
// row has as many cells as the header. A cell is one line: a line end in it becomes visible like any control
// character.
type Grid struct {
	Title  string
	Header []string
	Rows   [][]string
}

// Table writes the grid's header, in capitals, and its rows. If the page is too narrow, cells are wrapped, starting
// with the widest columns: at their spaces, and if that is not enough after the marks within words. If that is not
// enough either, each row becomes a list of its cells. In a pipe, and if no width is given, each row stays one
// line, for grep. The caller writes the title.
func (p *Page) Table(g Grid) {
	rows := g.rows()
	if p.style.Width > 0 && !p.style.Pipe {
		wrapped, fits := fit(rows, p.style.Columns())
		if !fits {
			p.records(rows)
			return
		}
		rows = wrapped
	}
	for _, line := range draw(rows) {
		p.Line("", line, Plain)
	}
}

// records writes each row as a paragraph, with a line for each cell that holds something.
func (p *Page) records(rows [][]string) {
	widest := 0
	for _, name := range rows[0] {
		widest = max(widest, Width(name))
	}
	for i, row := range rows[1:] {
		if i > 0 {
			p.Blank()
		}
		for j, cell := range row {
			if cell != "" {
				p.Hanging(0, Pad(rows[0][j], widest+gap), cell, Plain)
			}
		}
	}
}

// Lines returns the header and the rows of the table, as wide as they have to be, without spaces at the ends.
func (g Grid) Lines() []string { return draw(g.rows()) }

// rows returns the header, in capitals, and the rows, with control characters made visible.
func (g Grid) rows() [][]string {
	rows := make([][]string, 0, len(g.Rows)+1)
	for _, row := range append([][]string{g.Header}, g.Rows...) {
		cells := make([]string, len(row))
		for i := range row {
			cells[i] = Visible(row[i])
			if len(rows) == 0 {
				cells[i] = strings.ToUpper(cells[i])
			}
		}
		rows = append(rows, cells)
	}
	return rows
}

// gap are the columns between two columns of a table.
const gap = 2

// fit wraps the cells of the widest columns until the rows are at most room columns wide, and reports whether they
// are. It wraps at spaces as long as that helps, and then after the marks within words. A column that cannot become
// narrower is not tried again, so it ends. rows stay as they are.
func fit(rows [][]string, room int) (wrapped [][]string, fits bool) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		wrapped = append(wrapped, slices.Clone(row))
		for i, cell := range row {
			widths[i] = max(widths[i], Width(cell))
		}
	}
	total := gap * (len(widths) - 1)
	for _, width := range widths {
		total += width
	}
	for _, cut := range []cutter{Cut, cutAtMark} {
		stiff := make([]bool, len(widths))
		for total > room && slices.Contains(stiff, false) {
			widest := -1
			for i := range widths {
				if !stiff[i] && (widest < 0 || widths[i] > widths[widest]) {
					widest = i
				}
			}
			narrower := 0
			for i, row := range rows {
				cell, width := wrapCell(row[widest], widths[widest]-1, cut)
				wrapped[i][widest], narrower = cell, max(narrower, width)
			}
			stiff[widest] = narrower >= widths[widest]
			total -= widths[widest] - narrower
			widths[widest] = narrower
		}
	}
	return wrapped, total <= room
}

// cutter splits text so that the first part is at most room columns wide, if it can; first is empty only if text is.
type cutter func(text string, room int) (first, rest string)

// cutAtMark is Cut, but if a word is longer than room it cuts after the last mark in it that fits, or else after the
// first, and leaves at least three characters on each side: between the parts of a name, of an image or of a header.
func cutAtMark(text string, room int) (first, rest string) {
	const least = 3
	first, rest = Cut(text, room)
	if Width(first) <= room {
		return first, rest
	}
	at := -1
	for i, r := range first {
		if i+1 < least || len(first)-i-1 < least || !strings.ContainsRune("-/:,_", r) {
			continue
		}
		if at < 0 || Width(first[:i+1]) <= room {
			at = i + 1
		}
	}
	if at < 0 {
		return first, rest
	}
	return text[:at], text[at:]
}

// wrapCell wraps a cell at that width, and returns it with the width of its widest line.
func wrapCell(cell string, room int, cut cutter) (wrapped string, width int) {
	rest, lines := cell, []string(nil)
	for first := ""; rest != ""; {
		first, rest = cut(rest, room)
		lines = append(lines, first)
		width = max(width, Width(first))
	}
	return strings.Join(lines, "\n"), width
}

// draw lets tablewriter lay rows out. East Asian width is fixed, because the default asks the environment. A row that
// it refuses is a mistake of ours, so it panics.
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
	for _, row := range lines(rows) {
		if err := table.Append(row); err != nil {
			panic(fmt.Sprintf("page: the row %q: %v", row, err))
		}
	}
	if err := table.Render(); err != nil {
		panic(fmt.Sprintf("page: the table %q: %v", rows, err))
	}
	drawn := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	for i := range drawn {
		drawn[i] = strings.TrimRight(drawn[i], " ")
	}
	return drawn
}

// lines turns each line of a row into a row of its own, with empty cells if a cell has no more lines.
func lines(rows [][]string) [][]string {
	var all [][]string
	for _, row := range rows {
		for more, n := true, 0; more; n++ {
			line := make([]string, len(row))
			more = false
			for i, cell := range row {
				if parts := strings.Split(cell, "\n"); n < len(parts) {
					line[i], more = parts[n], more || n+1 < len(parts)
				}
			}
			all = append(all, line)
		}
	}
	return all
}

// Markdown renders the grid as a table of Markdown. Cells are escaped, and the header keeps its words as they are. The
// title is left to the caller.
func (g Grid) Markdown() string {
	escaped := make([][]string, len(g.Rows))
	for i, row := range g.Rows {
		escaped[i] = cells(row)
	}
	return MarkdownTable(cells(g.Header), escaped)
}

// cells makes the cells of a row visible and escapes them. Nothing in them ends a line, which would end the row.
func cells(row []string) []string {
	escaped := make([]string, len(row))
	for i, cell := range row {
		escaped[i] = inline(Visible(cell))
	}
	return escaped
}

// MarkdownTable renders a table whose cells are Markdown already: Code, a link, or what Markdown has escaped. A cell
// must not hold the end of a line. Columns are padded, so that the source can be read too.
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
