package doc

import (
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Text writes a document for a terminal or a pipe.
func (d *Document) Text(w io.Writer, style render.Style) error {
	p := paper{render.New(w, style)}
	for _, text := range d.First {
		p.Hanging(0, "", text.words, render.Bad)
	}
	if d.Title != (Text{}) {
		p.Hanging(0, "", d.Title.words, render.Plain)
	}
	p.Hanging(0, "", d.Headline.words, d.Tone)
	for i := range d.Alarms {
		alarm := &d.Alarms[i]
		p.Hanging(0, "  ALARM ", alarm.Name.words+": "+alarm.Text.words, render.Bad)
		p.below(8, alarm)
	}
	p.list(2, d.Facts, true)
	if d.Table.Everywhere && len(d.Table.Rows) > 0 {
		p.Blank()
		p.Table(d.Table.grid())
	}
	for i := range d.Parts {
		p.part(&d.Parts[i])
	}
	if d.More != nil {
		_ = p.Flush()
		d.More(func(part Part) bool {
			p.part(&part)
			return p.Flush() == nil
		})
	}
	if len(d.Notes) > 0 {
		p.Blank()
	}
	for _, note := range d.Notes {
		p.Hanging(0, "", note.words, render.Plain)
	}
	return p.Flush()
}

// paper is a page for drawing a document as text.
type paper struct{ *render.Page }

func (p paper) part(part *Part) {
	tone := render.Bold
	if part.Tone == render.Bad {
		tone = render.Bad
	}
	p.Blank()
	p.Hanging(0, "", part.Title.words, tone)
	if part.Brief != (Text{}) {
		p.Hanging(0, "  ", part.Brief.words, render.Plain)
	}
	p.list(2, part.Items, true)
}

// leastName is the least width of a column of names in a part, unless they are numbers: lists are in line then.
const leastName = 8

// list writes items below each other. Items of a part that have no name are marked, so that the start of each is
// visible.
func (p paper) list(indent int, items []Item, marked bool) {
	width, before, room := 0, "", strings.Repeat(" ", indent)
	for i := range items {
		width = max(width, render.Width(items[i].Name.words))
	}
	gap := 1
	if width > len("99.") {
		gap = 2
	}
	if marked && gap > 1 {
		width = max(width, leastName)
	}
	for i := range items {
		item := &items[i]
		name := item.Name.words
		switch {
		case name != "":
			if name == before {
				name = ""
			}
			p.hang(0, room+render.Pad(render.Visible(name), width+gap), item)
			p.below(indent+width+gap, item)
		case item.Text == (Text{}):
			p.below(indent, item)
		case marked && item.Tone != render.Bold:
			p.hang(2, room+"- ", item)
			p.below(indent+4, item)
		default:
			p.hang(2, room, item)
			p.below(indent+2, item)
		}
		before = item.Name.words
	}
}

// quotes introduce an item's quotes from the cluster.
var quotes = []string{" says: ", "The error is: "}

// hang writes the text of an item, its lines indented. Quotes of the cluster stay one line in a pipe, for programs.
func (p paper) hang(by int, lead string, item *Item) {
	text := item.Text.words
	if p.Style().Pipe && slices.ContainsFunc(quotes, func(q string) bool { return strings.Contains(text, q) }) {
		p.Line(lead, render.Visible(text), item.Tone)
		return
	}
	p.Hanging(by, lead, text, item.Tone)
}

// below writes what belongs to an item.
func (p paper) below(indent int, item *Item) {
	p.list(indent, item.Items, item.Tone == render.Bold)
	for _, link := range item.Links {
		p.Verbatim(indent, link, render.Dim)
	}
	if item.Text != (Text{}) {
		indent += 2
	}
	for _, command := range item.Commands {
		p.Verbatim(indent, command.words, render.Plain)
	}
}
