package html

import (
	"io"
	"path"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Sheet is a page that starts with a summary: a headline, a table with a filter, and sections to open. Below it are
// the runs, one at a time. Without rows it has no table. Its texts may be as users wrote them: Write makes them
// visible.
type Sheet struct {
	Title string
	// Headline sums up the whole, and Tone rates it: report.Right for all is well, report.Waiting for a risk to
	// look at, report.Wrong for a failure. Risks are what to look at, Notes the other facts to show at once.
	Headline     string
	Tone         report.Tone
	Risks, Notes []string
	// Alarms are risks, each with what it is about; they stand below Risks.
	Alarms []Alarm
	// Scatter is a picture above the table, nil for none.
	Scatter *Scatter
	// Header has the names of the columns; each row has as many cells. Empty columns are not shown.
	Header   []string
	Rows     []Row
	Sections []Section
	// Command is the command that prints the page, or "".
	Command string
	// Playground is the link that opens in the playground what the page is about, or "".
	Playground string
}

// Alarm is a risk of something, and where the page says more about that; Href is a fragment, or "".
type Alarm struct{ Of, Href, Text string }

// Row is a row of the table. Its tone has the same meaning as the sheet's; report.Plain needs no attention.
type Row struct {
	Tone  report.Tone
	Cells []Cell
}

// looks reports whether a tone asks the reader to look.
func looks(t report.Tone) bool { return t == report.Waiting || t == report.Wrong }

// Cell is a cell of the table. Href, if set, is a file next to the page, or the fragment of a run on it or of a
// section (#section-1 is the first). Image is a picture before the text, as Thumbnail draws it. Playground is a
// link that opens the playground.
type Cell struct{ Text, Href, Image, Playground string }

// Section is a part of the page to open.
type Section struct {
	Title string
	// Brief sums it up; it is next to the title while the section is closed.
	Brief string
	// Tone has the same meaning as the sheet's. A section that needs attention is open at first.
	Tone report.Tone
	// First puts the section above the picture of the runs, and opens it.
	First bool
	// Items are lines with their sub-items.
	Items []Item
	// Run is the number of its run, from 1; 0 if the page has none.
	Run int
	// Set is the set that the section is about, as NAMESPACE/NAME; "" if it is not about one.
	Set string
}

// Item is a line of a section: a name, if it has one, a text, commands to copy, and the items that belong to it.
// Head is true if it is a heading of these.
type Item struct {
	Name, Text string
	Tone       report.Tone
	Head       bool
	Commands   []string
	Items      []Item
	// Run is the number of its run, from 1; 0 if there is none. Set is its set, or "".
	Run int
	Set string
}

// visibleItems returns items with hidden characters in their texts made visible.
func visibleItems(items []Item) []Item {
	var list []Item
	for _, item := range items {
		item.Name, item.Text = render.Visible(item.Name), render.Visible(item.Text)
		item.Commands, item.Items = visibleAll(item.Commands), visibleItems(item.Items)
		list = append(list, item)
	}
	return list
}

// Write writes the page, with its runs. Cells, sections and ways refer to runs by their number, from 1 in this
// order. The sheet is not changed.
func (s *Sheet) Write(w io.Writer, runs ...*report.Run) error {
	v := &view{Title: render.Visible(s.Title), Command: render.Visible(s.Command), Sheet: s.visible()}
	v.Playground = render.Visible(s.Playground)
	for i, run := range runs {
		as := viewOf(i, run, len(runs) > 1)
		// How a run of the sheet ends is said in its section.
		as.Expectations, as.Source = nil, nil
		v.Runs = append(v.Runs, as)
	}
	v.packAll(runs)
	data := gather(runs)
	data.Tabs = true
	v.Stills = stills(runs, &data)
	return v.write(w, data)
}

// visible returns the sheet with hidden characters in its texts made visible. It shares nothing with the sheet.
func (s *Sheet) visible() *Sheet {
	as := *s
	as.Headline, as.Header = render.Visible(s.Headline), visibleAll(s.Header)
	as.Risks, as.Notes = visibleAll(s.Risks), visibleAll(s.Notes)
	as.Alarms, as.Rows, as.Sections = nil, nil, nil
	for _, a := range s.Alarms {
		as.Alarms = append(as.Alarms, Alarm{render.Visible(a.Of), render.Visible(a.Href), render.Visible(a.Text)})
	}
	for _, row := range s.Rows {
		shown := Row{Tone: row.Tone}
		for _, cell := range row.Cells {
			shown.Cells = append(shown.Cells, Cell{render.Visible(cell.Text), render.Visible(cell.Href),
				render.Visible(cell.Image), render.Visible(cell.Playground)})
		}
		as.Rows = append(as.Rows, shown)
	}
	for _, section := range s.Sections {
		section.Title, section.Brief = render.Visible(section.Title), render.Visible(section.Brief)
		section.Items = visibleItems(section.Items)
		as.Sections = append(as.Sections, section)
	}
	return &as
}

// visibleAll returns texts as visible makes them; nil for none.
func visibleAll(list []string) []string {
	var shown []string
	for _, text := range list {
		shown = append(shown, visible(text))
	}
	return shown
}

// PageName returns the name of the file for the page of a scenario that was read from a file, under a version or
// "". The names of different files may be the same, as of a/b.yaml and a-b.yaml: a caller that writes several pages
// has to tell them apart.
func PageName(file, version string) string {
	name := strings.TrimSuffix(file, path.Ext(file))
	if version != "" {
		name += "-" + version
	}
	return plain(name) + ".html"
}

// plain turns a text into the name of a file: every character but letters, digits, dots and underscores becomes a
// hyphen.
func plain(text string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '.', r == '_':
			return r
		}
		return '-'
	}, text), "-.")
}
