package html

import (
	"bufio"
	"html"
	"strings"
)

// markup writes HTML. The layout that it is given is the page's own words, with {} where a text comes in, and every
// such text is escaped: there is no other way for one to get into a page but through raw, which is for what this
// package made itself. It stands in the place of html/template, which calls methods by their names: a program that
// links that has to keep all methods of all types, of Kubernetes' API too.
type markup struct{ out *bufio.Writer }

// escape makes a text safe between tags, and in an attribute that stands in double quotes.
func escape(text string) string { return html.EscapeString(strings.ReplaceAll(text, "\x00", "\uFFFD")) }

// raw writes HTML as it is.
func (m markup) raw(text string) { m.out.WriteString(text) }

// put writes a layout with texts in the places that it has for them; one too few or too many is a mistake of ours.
func (m markup) put(layout string, texts ...string) {
	for _, text := range texts {
		before, after, found := strings.Cut(layout, "{}")
		if !found {
			panic("html: no place for " + text + " in " + layout)
		}
		m.raw(before)
		m.raw(escape(text))
		layout = after
	}
	if strings.Contains(layout, "{}") {
		panic("html: nothing for " + layout)
	}
	m.raw(layout)
}

// link writes a link. One that leads out of the page's folder leads nowhere.
func (m markup) link(class, href, text string) {
	if strings.Contains(href, ":") || strings.HasPrefix(href, "//") {
		href = "#"
	}
	m.put(`<a class="{}" href="{}">{}</a>`, class, href, text)
}

// command writes commands to copy.
func (m markup) command(lines string) {
	m.put(`<div class="command"><code>{}</code><button type="button" class="copy">Copy</button></div>`+"\n", lines)
}

// class writes the attribute of a class, or nothing where there is none.
func (m markup) class(name string) {
	if name != "" {
		m.put(` class="{}"`, name)
	}
}
