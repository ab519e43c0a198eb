package doc

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
	"github.com/statefulsim/statefulsim/sim/view/report/html"
)

// Page is what only a page shows: the runs, each with a unique name, the command that prints the page, and the link
// that opens the input in the playground, or "".
type Page struct {
	Runs                []*report.Run
	Command, Playground string
	// Scatter is a picture above the table, nil for none.
	Scatter *Scatter
}

// Scatter is a picture of settings, and Point one of them.
type (
	Scatter = html.Scatter
	Point   = html.Point
)

// Write writes a document in a form: text, markdown or html.
func (d *Document) Write(w io.Writer, form string, style render.Style, page func() Page) error {
	switch form {
	case "markdown":
		return d.Markdown(w)
	case "html":
		p := page()
		return d.sheet(p).Write(w, p.Runs...)
	}
	return d.Text(w, style)
}

// The limits for the parts that show a problem: how many come before the picture, and how many are open.
const mostBefore, mostOpen = 2, 8

// MostRuns is the number of runs that a page carries, MostEvents the number of events in each of them.
const (
	MostRuns   = 16
	MostEvents = 30_000
)

// sheet is the page without its runs.
func (d *Document) sheet(p Page) *html.Sheet {
	at := func(name string) int {
		return slices.IndexFunc(p.Runs, func(r *report.Run) bool { return name != "" && r.Name == name }) + 1
	}
	s := &html.Sheet{
		Title: d.Title.words, Headline: render.Capital(d.Headline.words), Tone: tones[d.Tone],
		Command: p.Command, Playground: p.Playground, Scatter: p.Scatter, Header: d.Table.Header, Notes: flat(d.Facts),
	}
	for _, text := range d.First {
		s.Risks = append(s.Risks, text.words)
	}
	for _, alarm := range d.Alarms {
		s.Alarms = append(s.Alarms, html.Alarm{Of: alarm.Name.words, Href: d.wherever(alarm.Name.words), Text: alarm.Text.words})
	}
	for _, row := range d.Table.Rows {
		s.Rows = append(s.Rows, row.html(at(row.Run)))
	}
	bad, few := 0, len(slices.DeleteFunc(slices.Clone(d.Parts), func(p Part) bool { return p.Folded })) <= mostBefore
	var below []html.Section
	for i := range d.Parts {
		part := d.Parts[i]
		part.Items = slices.Concat(part.which(true), part.which(false))
		section := part.section(at)
		if section.Tone == report.Wrong {
			bad++
			section.First = bad <= mostBefore
		}
		section.First = section.First || few && !d.Parts[i].Folded
		if bad > mostOpen {
			section.Tone = report.Plain
		}
		if section.First && len(p.Runs) > 0 {
			section, below = part.divided(section, below)
		}
		s.Sections = append(s.Sections, section)
	}
	if len(below) == 1 && len(d.Parts) == 1 && len(s.Rows) == 1 {
		// The section says all that the row would.
		s.Header, s.Rows = nil, nil
	}
	s.Sections = append(s.Sections, below...)
	if len(d.Notes) > 0 {
		notes := []html.Item{}
		for _, note := range d.Notes {
			notes = append(notes, html.Item{Text: note.words})
		}
		s.Sections = append(s.Sections, html.Section{Title: "What else is to be known", Items: notes})
	}
	return s
}

// wherever returns the fragment of the part about the first of some names, by the table; "" if it has none.
func (d *Document) wherever(names string) string {
	first, _, _ := strings.Cut(names, ", ")
	for _, row := range d.Table.Rows {
		if len(row.Cells) > 0 && row.Cells[0].words == first && row.Part > 0 {
			return fmt.Sprintf("#section-%d", row.Part)
		}
	}
	return ""
}

// tones are the tones of a page.
var tones = map[render.Tone]report.Tone{
	render.Good: report.Right, render.Warn: report.Waiting, render.Bad: report.Wrong,
}

// html is the row. Its first cell links to a run or, if run is 0, to a part.
func (r *Row) html(run int) html.Row {
	row := html.Row{Tone: tones[r.Tone]}
	for _, cell := range r.Cells {
		row.Cells = append(row.Cells, html.Cell{Text: cell.words})
	}
	switch {
	case run > 0:
		row.Cells[0].Href = fmt.Sprintf("#run=%d", run)
	case r.Part > 0:
		row.Cells[0].Href = fmt.Sprintf("#section-%d", r.Part)
	}
	return row
}

// section is the part as a page has it. at has the number of a run by its name; 0 if the page does not have it.
func (p *Part) section(at func(string) int) html.Section {
	return html.Section{
		Title: p.Title.words, Brief: p.Brief.words, Tone: tones[p.Tone], Items: p.items(p.Items, at), Run: at(p.Run),
		Set: p.Set,
	}
}

// which are the items of a part that come ahead of the others, or the others.
func (p *Part) which(ahead bool) []Item {
	return slices.DeleteFunc(slices.Clone(p.Items), func(item Item) bool { return item.Ahead != ahead })
}

// divided moves the items below the picture from the section of the part into a section of its own. An item with
// more such items below it moves as a whole.
func (p *Part) divided(section html.Section, below []html.Section) (html.Section, []html.Section) {
	rest := html.Section{Title: section.Title + ", in detail", Tone: report.Waiting, Set: p.Set}
	var kept []html.Item
	isBelow := func(item Item) bool { return item.Below }
	for i, item := range section.Items {
		if !isBelow(p.Items[i]) {
			kept = append(kept, item)
		}
		if slices.ContainsFunc(p.Items[i].Items, isBelow) {
			kept[len(kept)-1].Items = nil
		}
		if isBelow(p.Items[i]) || slices.ContainsFunc(p.Items[i].Items, isBelow) {
			rest.Items = append(rest.Items, item)
		}
	}
	if len(rest.Items) == 0 {
		return section, below
	}
	if len(rest.Items) == 1 && rest.Items[0].Head {
		rest.Title, rest.Items = section.Title+". "+rest.Items[0].Text, rest.Items[0].Items
	}
	section.Items = kept
	return section, append(below, rest)
}

// items are the items of the part, or the sub-items of one of them.
func (p *Part) items(list []Item, at func(string) int) []html.Item {
	var items []html.Item
	for i := range list {
		item := &list[i]
		as := html.Item{
			Name: item.Name.words, Text: item.Text.words, Tone: tones[item.Tone], Head: item.Tone == render.Bold,
			Items: p.items(item.Items, at), Run: at(item.Run), Set: p.Set,
		}
		for _, link := range item.Links {
			as.Items = append(as.Items, html.Item{Text: link})
		}
		for _, command := range item.Commands {
			as.Commands = append(as.Commands, command.words)
		}
		items = append(items, as)
	}
	return items
}

// flat are the texts of items, each followed by the texts of the items below it.
func flat(list []Item) []string {
	var texts []string
	for i := range list {
		texts = append(append(texts, list[i].Text.words), flat(list[i].Items)...)
	}
	return texts
}
