package doc

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// Markdown writes a document for a pull request or a file. For its room it loses what is folded, and then whole parts.
func (d *Document) Markdown(w io.Writer) error {
	text := d.markdown(true)
	if d.Room > 0 && len(text) > d.Room {
		text = d.markdown(false)
	}
	_, err := io.WriteString(w, text)
	return err
}

// markdown renders the document, with or without the folded items, and with as many parts as there is room for.
func (d *Document) markdown(folded bool) string {
	var head, tail strings.Builder
	d.head(&head)
	for i, note := range d.Notes {
		fmt.Fprintf(&tail, "%s<sub>%s</sub><br>\n", render.Agree(i+1, "\n", ""), short(note))
	}
	for i := range d.Parts {
		var part strings.Builder
		d.Parts[i].markdown(&part, folded)
		more := fmt.Sprintf("\n%s more: too long to be shown here.\n", render.Count(things(d.Parts[i:]), "set"))
		if !folded && head.Len()+part.Len()+len(more)+tail.Len() > d.Room {
			head.WriteString(more)
			break
		}
		head.WriteString(part.String())
	}
	return head.String() + tail.String()
}

// things counts what parts are about.
func things(parts []Part) (n int) {
	for i := range parts {
		n += parts[i].Things
	}
	return n
}

// head writes everything above the parts.
func (d *Document) head(b *strings.Builder) {
	if d.Marker != "" {
		b.WriteString(d.Marker + "\n")
	}
	fmt.Fprintf(b, "## %s\n", render.Markdown(d.Title.words))
	for _, text := range append(slices.Clone(d.First), d.Headline) {
		fmt.Fprintf(b, "\n**%s**\n", render.Markdown(render.Capital(text.words)))
	}
	if len(d.Alarms)+len(d.Facts) > 0 {
		b.WriteString("\n")
	}
	for _, alarm := range d.Alarms {
		fmt.Fprintf(b, "- %s**%s**: %s\n", marks[render.Warn], render.Markdown(alarm.Name.words), short(alarm.Text))
		bullets(b, "  ", alarm.Items)
	}
	bullets(b, "", d.Facts)
	if d.Table.Everywhere && len(d.Table.Rows) > 0 {
		b.WriteString("\n" + d.Table.grid().Markdown())
	}
}

// longest is the length above which a text is cut off in Markdown.
const longest = 2000

// short renders a text that is not too long.
func short(text Text) string {
	return render.Markdown(render.Shorten(text.words, longest))
}

// marks are the marks of parts and items that are not plain.
var marks = map[render.Tone]string{render.Good: "✅ ", render.Warn: "⚠️ ", render.Bad: "❌ "}

func (p *Part) markdown(b *strings.Builder, folded bool) {
	if p.Folded && !folded {
		return
	}
	title := render.Markdown(p.Title.words)
	if p.Folded {
		fmt.Fprintf(b, "\n<details><summary>%s</summary>\n\n", title)
	} else {
		fmt.Fprintf(b, "\n### %s%s\n\n", marks[p.Tone], title)
	}
	if p.Brief != (Text{}) {
		fmt.Fprintf(b, "%s\n\n", short(p.Brief))
	}
	shown, away := split(p.Items)
	if !folded && p.Instead != (Text{}) {
		fmt.Fprintf(b, "%s\n\n", render.Markdown(p.Instead.words))
	}
	bullets(b, "", shown)
	if folded && len(away) > 0 {
		b.WriteString("\n<details><summary>Details</summary>\n\n")
		bullets(b, "", away)
		b.WriteString("\n</details>\n")
	}
	if p.Folded {
		b.WriteString("\n</details>\n")
	}
}

// split separates the shown items from the folded ones, at any depth: a heading appears in each result that has
// some of its items.
func split(items []Item) (shown, away []Item) {
	for _, item := range items {
		if item.Folded {
			away = append(away, item)
			continue
		}
		below, folded := split(item.Items)
		head := item.Tone == render.Bold
		if item.Items = below; len(below) > 0 || !head {
			shown = append(shown, item)
		}
		if item.Items = folded; len(folded) > 0 && head {
			away = append(away, item)
		} else {
			away = append(away, folded...)
		}
	}
	return shown, away
}

// bullets writes items as a list.
func bullets(b *strings.Builder, indent string, items []Item) {
	for i := range items {
		item, mark := &items[i], ""
		if item.Tone == render.Bad {
			mark = marks[render.Warn]
		}
		text := mark + short(item.Text)
		switch {
		case item.Name != (Text{}):
			text = fmt.Sprintf("%s**%s** %s", mark, render.Markdown(item.Name.words), short(item.Text))
		case item.Tone == render.Bold:
			text = "**" + text + "**"
		}
		if item.Box {
			text = "[ ] " + text
		}
		within := indent + "  "
		if item.Name == (Text{}) && item.Text == (Text{}) {
			within = indent
		} else {
			fmt.Fprintf(b, "%s- %s%s\n", indent, text, report.MarkdownLinks(item.Links))
		}
		bullets(b, within, item.Items)
		code(b, within, item)
	}
}

// code writes commands as a block of code within a list, which an empty line would end.
func code(b *strings.Builder, indent string, item *Item) {
	if len(item.Commands) == 0 {
		return
	}
	var lines []string
	for _, command := range item.Commands {
		lines = append(lines, command.words)
	}
	b.WriteString("\n")
	for line := range strings.Lines(render.Block(cmp.Or(item.Language, "sh"), strings.Join(lines, "\n"))) {
		b.WriteString(indent + line)
	}
	b.WriteString("\n")
}
