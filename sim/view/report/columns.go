package report

import (
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Column is one of several timelines side by side, with its name.
type Column struct {
	Name   string
	Events []timeline.Event
}

const (
	// leastColumn is the fewest characters for an easily readable column, and squeezed the width of two columns on
	// a terminal with less room. Lines may then be wider than the terminal.
	leastColumn, squeezed = 20, 12
	// mostRows is the number of rows that are shown after the first difference, and rowsBefore the number before it.
	mostRows, rowsBefore = 40, 2
	columnGap            = 2
)

// sideRow is a row of a side by side. If all columns agree, same has their text; otherwise each column has a cell,
// a list of entries below each other.
type sideRow struct {
	// when is the instant; "" for a row that summarizes others.
	when  string
	same  string
	cells [][]string
}

// columns writes timelines side by side, from shortly before their first difference on. If there is no room for all
// of them, it writes several blocks, each with the first timeline. There must be at least one.
func (p sheet) columns(all []Column) {
	room := p.Style().Columns()
	fit := max(1, (room-10)/(leastColumn+columnGap)-1)
	for rest := all[1:]; ; {
		n := min(fit, len(rest))
		p.Blank()
		p.sideBySide(append([]Column{all[0]}, rest[:n]...))
		if rest = rest[n:]; len(rest) == 0 {
			return
		}
	}
}

// sideBySide writes the rows of timelines that fit side by side.
func (p sheet) sideBySide(columns []Column) {
	rows := sideRows(columns)
	time := 4
	for i := range rows {
		time = max(time, render.Width(rows[i].when))
	}
	width := max(squeezed, (p.Style().Columns()-time)/len(columns)-columnGap)
	var names [][]string
	for _, c := range columns {
		names = append(names, []string{c.Name})
	}
	p.cells(fmt.Sprintf("%*s", time, "time"), width, names, render.Bold)
	for i := range rows {
		row := &rows[i]
		when := fmt.Sprintf("%*s", time, row.when)
		if row.same != "" {
			p.Wrapped(when+strings.Repeat(" ", columnGap), row.same, render.Dim)
		} else {
			p.cells(when, width, row.cells, render.Plain)
		}
	}
}

// cells writes one row: the entries of each cell below each other, in columns.
func (p sheet) cells(lead string, width int, cells [][]string, t render.Tone) {
	wrapped := make([][]string, len(cells))
	height := 1
	for i, cell := range cells {
		for _, entry := range cell {
			for rest := render.Visible(entry); rest != ""; {
				var first string
				first, rest = render.Cut(rest, width)
				wrapped[i] = append(wrapped[i], first)
			}
		}
		height = max(height, len(wrapped[i]))
	}
	for line := range height {
		var text strings.Builder
		for i := range wrapped {
			entry := ""
			if line < len(wrapped[i]) {
				entry = wrapped[i][line]
			}
			fmt.Fprintf(&text, "%*s%-*s", columnGap, "", width, entry)
		}
		p.Line(lead, strings.TrimRight(text.String(), " "), t)
		lead = strings.Repeat(" ", render.Width(lead))
	}
}

// sideRows lays out the rows: one for everything that the runs share, the rows around the first difference, one
// that counts the rest, and the ends. Text and Markdown show the same rows.
func sideRows(columns []Column) []sideRow {
	var rows []sideRow
	var runs [][]timeline.Event
	for _, c := range columns {
		runs = append(runs, c.Events)
	}
	aligned := versus.Align(runs)
	first := 0
	for first < len(aligned) && aligned[first].Same {
		first++
	}
	from := max(0, first-rowsBefore)
	if from > 0 {
		rows = append(rows, sideRow{same: fmt.Sprintf("... %s, the same in all runs", render.Count(from, "row"))})
	}
	to := min(len(aligned), first+mostRows)
	for _, row := range aligned[from:to] {
		if laid := layRow(row); laid != nil {
			rows = append(rows, *laid)
		}
	}
	if left := len(aligned) - to; left > 0 {
		rows = append(rows, sideRow{same: fmt.Sprintf("... and %s more", render.Count(left, "row"))})
	}
	ends := sideRow{when: "end"}
	for _, c := range columns {
		ends.cells = append(ends.cells, []string{ending(c.Events)})
	}
	return append(rows, ends)
}

// layRow lays one row out, nil if there is nothing to be seen in it.
func layRow(row versus.Row) *sideRow {
	laid := sideRow{when: render.Clock(row.T)}
	empty := true
	for _, m := range row.Moments {
		var cell []string
		if m != nil {
			if m.Step != nil {
				cell = append(cell, stepTitle(m.Step)+stepEffect(m.Step))
			}
			cell = append(cell, m.Entries()...)
		}
		empty = empty && len(cell) == 0
		if len(cell) == 0 {
			cell = []string{"-"}
		}
		laid.cells = append(laid.cells, cell)
	}
	if empty {
		return nil
	}
	if row.Same {
		laid.same = strings.Join(laid.cells[0], ", ")
	}
	return &laid
}

// ending says in a word how a run ended, and when.
func ending(events []timeline.Event) string {
	last := (&Run{Events: events}).result()
	if last == nil {
		return "cut off"
	}
	return endedAt(last.Result.Verdict, last.T)
}

// endedAt says how and when a run ended. A run without a verdict was cut off. Every end but settled is in capitals.
func endedAt(verdict timeline.Verdict, at model.Time) string {
	word := string(verdict)
	switch verdict {
	case "":
		return "cut off"
	case timeline.Settled:
	default:
		word = strings.ToUpper(word)
	}
	return word + " at " + render.Clock(at)
}

// lastChange returns the instant of the last thing that happened to a pod or by a step.
func lastChange(events []timeline.Event) model.Time {
	var last model.Time
	for i := range events {
		if kind := events[i].Kind; kind == timeline.KindPod || kind == timeline.KindStep {
			last = events[i].T
		}
	}
	return last
}
