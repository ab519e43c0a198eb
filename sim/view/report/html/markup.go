package html

import (
	"bufio"
	"html"
	"regexp"
	"strings"
)

// layout is the page's own words: HTML with {} for each text. Constants in the source need no conversion to this
// type, and a test checks that nothing is converted to it, so no text of a user can be a layout.
type layout string

// safe is HTML that this package made from escaped texts, or data that cannot end its surrounding element. A
// conversion to it is a promise of safety; a test lists the functions that may convert.
type safe string

// markup writes HTML. A text gets in through put, which escapes it for its place; anything else must have a type
// that shows why it is safe. It replaces html/template, which calls methods by their names: a program that links
// that has to keep all methods of all types, of Kubernetes' API too.
type markup struct{ out *bufio.Writer }

// escape makes a text safe between tags, and in a double-quoted attribute.
func escape(text string) safe {
	return safe(html.EscapeString(strings.ReplaceAll(text, "\x00", "\uFFFD")))
}

// raw writes the page's own words.
func (m markup) raw(words layout) { m.out.WriteString(string(words)) }

// safe writes HTML that was made elsewhere.
func (m markup) safe(html safe) { m.out.WriteString(string(html)) }

// put writes a layout with texts in its places. One text too few or too many, and a place where escaping is not
// enough, are mistakes of ours.
func (m markup) put(words layout, texts ...string) {
	from := 0
	for _, text := range texts {
		at := strings.Index(string(words[from:]), "{}")
		if at < 0 {
			panic("html: no place for " + text + " in " + string(words))
		}
		at += from
		if addressed(string(words[:at])) {
			text = within(text)
		}
		m.raw(words[from:at])
		m.safe(escape(text))
		from = at + len("{}")
	}
	if strings.Contains(string(words[from:]), "{}") {
		panic("html: nothing for " + string(words))
	}
	m.raw(words[from:])
}

// addressed reports whether what comes next is the start of an address. It panics where a text has no place:
// outside of double quotes in a tag, and in an attribute that is a script, a style or a document of its own.
func addressed(before string) bool {
	tag := strings.LastIndexByte(before, '<')
	switch {
	case strings.LastIndexByte(before, '>') > tag && raw.MatchString(before):
		panic("html: a text in a script or a style: " + before)
	case strings.LastIndexByte(before, '>') > tag, tag < 0 && !strings.Contains(before, `"`):
		return false
	}
	tag = max(tag, 0)
	quoted := strings.Split(before[tag:], `"`)
	if len(quoted)%2 == 1 {
		panic("html: a text outside of quotes in " + before)
	}
	words := strings.Fields(quoted[len(quoted)-2])
	name := strings.ToLower(words[len(words)-1])
	switch {
	case strings.HasPrefix(name, "on"), name == "style=", name == "srcdoc=":
		panic("html: a text in the attribute " + name + " of " + before)
	case name == "href=", name == "src=", name == "action=", name == "formaction=":
		return quoted[len(quoted)-1] == ""
	}
	return false
}

// raw finds an unclosed script or style.
var raw = regexp.MustCompile(`(?is)<(script|style)\b[^<]*$`)

// within returns an address of the page's folder, of the page itself or of a picture that it carries. One that leads
// anywhere else leads nowhere: no other scheme is one, and a backslash is a slash to a browser.
func within(address string) string {
	if strings.HasPrefix(address, thumbnailPrefix) {
		return address
	}
	if strings.ContainsAny(address, ":\\") || strings.HasPrefix(strings.TrimSpace(address), "//") {
		return "#"
	}
	return address
}

// link writes a link. One that leads out of the page's folder leads nowhere.
func (m markup) link(class, href, text string) {
	m.put(`<a class="{}" href="{}">{}</a>`, class, href, text)
}

// playground writes the link that opens the playground. Its address is not part of the input: the author of the
// page has named it. So it may lead to another site, but it must not be a script.
func (m markup) playground(text, address string) {
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") {
		address = within(address)
	}
	m.raw(`<a href="`)
	m.safe(escape(address))
	m.raw(`">`)
	m.safe(escape(text))
	m.raw("</a>")
}

// command writes commands to copy.
func (m markup) command(lines string) {
	m.put(`<div class="command"><code>{}</code><button type="button" class="copy">Copy</button></div>`+"\n", lines)
}

// class writes the attribute of a class, or nothing if there is none.
func (m markup) class(name string) {
	if name != "" {
		m.put(` class="{}"`, name)
	}
}
