// Package doc is the form that every answer has: a Document is a plain value, and this package draws it as text for a
// terminal, as Markdown and as a page.
package doc

import (
	"iter"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Text is a text for people, in which words from a file or a cluster may stand. No other package can take it out again:
// each form escapes it, so that nobody can forget to. The zero Text is none.
type Text struct{ words string }

// Of returns a text.
func Of(words string) Text { return Text{words} }

// All returns texts.
func All(list []string) []Text {
	var texts []Text
	for _, words := range list {
		texts = append(texts, Text{words})
	}
	return texts
}

// Document is an answer. Whatever is empty in it is left out.
type Document struct {
	// Marker is a comment at the beginning of Markdown, by which a program finds the document again.
	Marker string
	// First are what must be read before all else: what was required and failed, and why the answer is in doubt.
	First []Text
	Title Text
	// Headline is the verdict in a sentence, Tone says whether it is good.
	Headline Text
	Tone     render.Tone
	// Alarms are what somebody has to look at; the name of each is what it is about. Facts stand below them.
	Alarms, Facts []Item
	// Table is an overview of Parts, which a page begins with.
	Table Table
	Parts []Part
	// More are parts that are made while the document is written; text shows each at once.
	More iter.Seq[Part]
	// Notes are what else is to be known; they stand at the end.
	Notes []Text
	// Room is the most that Markdown may take, in bytes; 0 is no limit.
	Room int
}

// Part is a part of a document: what is to be said about a thing, or about things that are alike.
type Part struct {
	Title Text
	// Brief says in a sentence what it is about.
	Brief Text
	// Tone is Bad if somebody has to look at it, Warn if there is a risk, Good if all is well.
	Tone  render.Tone
	Items []Item
	// Folded says that it is not for the first look: Markdown and pages fold it away.
	Folded bool
	// Instead stands in Markdown in the place of what is folded, where there is no room for that. Things is how many
	// StatefulSets it is about: where there is no room for it either, these are counted.
	Instead Text
	Things  int
	// Run is the name of the run behind it, and Set the set in it that it is about.
	Run, Set string
}

// Item is a line of a part, with what belongs to it. A name stands before the text; items in a row with one name show
// it once. An item that is bold is a heading of the items below it.
type Item struct {
	Name, Text Text
	Tone       render.Tone
	Items      []Item
	// Links are addresses at which there is more to read, Commands are for copying.
	Links    []string
	Commands []Text
	// Language is what Commands are written in; "" is the language of a shell.
	Language string
	// Folded says that it is not for the first look: Markdown folds it away.
	Folded bool
	// Box says that it is something to do: Markdown has a box to tick before it.
	Box bool
	// Below says that it stands below the picture of a page, even if its part stands above it.
	Below bool
	// Ahead says that it stands before the other items of its part on a page, as what people look for.
	Ahead bool
	// Run is the name of the run behind it.
	Run string
}

// Table is an overview: each row is about one thing.
type Table struct {
	Header []string
	Rows   []Row
	// Everywhere says that it is the answer itself, so that text and Markdown have it too.
	Everywhere bool
}

// grid is the table as text and Markdown draw it.
func (t *Table) grid() render.Grid {
	g := render.Grid{Header: t.Header}
	for _, row := range t.Rows {
		var cells []string
		for _, cell := range row.Cells {
			cells = append(cells, cell.words)
		}
		g.Rows = append(g.Rows, cells)
	}
	return g
}

// Row is a row of a table, with as many cells as the header. Its first cell leads to the run of that name, if the page
// has it, or else to the part with that number, from 1; 0 is none.
type Row struct {
	Tone  render.Tone
	Cells []Text
	Run   string
	Part  int
}

// Line returns an item without a name.
func Line(text string) Item { return Item{Text: Text{text}} }

// Fact returns an item with a name.
func Fact(name, text string) Item { return Item{Name: Text{name}, Text: Text{text}} }

// Below returns the items as what stands below the picture of a page.
func Below(items ...Item) []Item {
	for i := range items {
		items[i].Below = true
	}
	return items
}

// Bad returns the item as something that somebody has to look at.
func (i Item) Bad() Item { return i.In(render.Bad) }

// In returns the item in a tone.
func (i Item) In(tone render.Tone) Item {
	i.Tone = tone
	return i
}

// Facts returns an item for each text, all with one name.
func Facts(name string, texts ...string) []Item {
	var items []Item
	for _, text := range texts {
		items = append(items, Fact(name, text))
	}
	return items
}

// Lines returns an item without a name for each text.
func Lines(texts ...string) []Item { return Facts("", texts...) }

// Head returns a heading with the items below it; none if there are no items.
func Head(text string, items ...Item) []Item {
	if len(items) == 0 {
		return nil
	}
	return []Item{{Text: Text{text}, Tone: render.Bold, Items: items}}
}

// Folded returns items as those that are not for the first look.
func Folded(items ...Item) []Item {
	for i := range items {
		items[i].Folded = true
	}
	return items
}

// Commands returns an item that is nothing but commands; none if there are no commands.
func Commands(commands ...string) []Item {
	if len(strings.Join(commands, "")) == 0 {
		return nil
	}
	return []Item{{Commands: All(commands)}}
}
