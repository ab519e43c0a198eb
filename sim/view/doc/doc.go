// Package doc is the form that every answer has: a Document is a plain value, and this package draws it as text for a
// terminal, as Markdown and as a page.
package doc

import (
	"iter"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Text is a text for people that may contain words from a file or a cluster. Other packages cannot take the text
// out again: each form escapes it, so that escaping cannot be forgotten. The zero Text is none.
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

// Document is an answer. Empty parts are left out.
type Document struct {
	// Marker is a comment at the start of Markdown that lets a program find the document again.
	Marker string
	// First are the most important facts: requirements that failed, and why the answer is in doubt.
	First []Text
	Title Text
	// Headline is the verdict in a sentence, Tone shows whether it is good.
	Headline Text
	Tone     render.Tone
	// Alarms are what the reader has to look at; each is named after its subject. Facts come below them.
	Alarms, Facts []Item
	// Table is an overview of Parts, which a page begins with.
	Table Table
	Parts []Part
	// More are parts that are made while the document is written; text shows each at once.
	More iter.Seq[Part]
	// Notes are further facts; they come at the end.
	Notes []Text
	// Room is the most bytes that Markdown may take; 0 is no limit.
	Room int
}

// Part is a part of a document: the text about one thing, or about similar things.
type Part struct {
	Title Text
	// Brief sums up the part in a sentence.
	Brief Text
	// Tone is Bad if the reader has to look at it, Warn if there is a risk, Good if all is well.
	Tone  render.Tone
	Items []Item
	// Folded is true if it is not for the first look: Markdown and pages fold it away.
	Folded bool
	// Instead replaces the folded items in Markdown if there is no room for them. Things is the number of
	// StatefulSets in the part: if there is no room for the part either, they are counted.
	Instead Text
	Things  int
	// Run is the name of the part's run, and Set its set in that run.
	Run, Set string
}

// Item is a line of a part, with its sub-items. A name comes before the text; consecutive items with the same name
// show it once. A bold item is a heading of the items below it.
type Item struct {
	Name, Text Text
	Tone       render.Tone
	Items      []Item
	// Links are addresses with more to read, Commands are for copying.
	Links    []string
	Commands []Text
	// Language is what Commands are written in; "" is the language of a shell.
	Language string
	// Folded is true if it is not for the first look: Markdown folds it away.
	Folded bool
	// Box is true if it is something to do: Markdown has a box to tick before it.
	Box bool
	// Below puts the item below the picture of a page, even if its part is above the picture.
	Below bool
	// Ahead puts the item before the other items of its part on a page, since readers look for it.
	Ahead bool
	// Run is the name of the item's run.
	Run string
}

// Table is an overview: each row is about one thing.
type Table struct {
	Header []string
	Rows   []Row
	// Everywhere is true if it is the answer itself, so that text and Markdown have it too.
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

// Below returns the items, placed below the picture of a page.
func Below(items ...Item) []Item {
	for i := range items {
		items[i].Below = true
	}
	return items
}

// Bad returns the item marked as something that the reader has to look at.
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

// Head returns a heading with the items below it; nothing if there are no items.
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

// Commands returns an item with only commands; nothing if there are no commands.
func Commands(commands ...string) []Item {
	if len(strings.Join(commands, "")) == 0 {
		return nil
	}
	return []Item{{Commands: All(commands)}}
}
