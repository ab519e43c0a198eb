package report

import (
	"bufio"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// page writes lines, wrapped and coloured. It keeps the first error of the writer below and writes nothing after it.
type page struct {
	out   *bufio.Writer
	style Style
}

func newPage(w io.Writer, style Style) *page {
	return &page{out: bufio.NewWriterSize(w, 1<<16), style: style}
}

// flush writes what is buffered and returns the first error that occurred.
func (p *page) flush() error { return p.out.Flush() }

// tone is how a line stands out.
type tone string

// The tones, as parameters of ANSI's SGR sequence.
const (
	plain tone = ""
	bold  tone = "1"
	dim   tone = "2"
	bad   tone = "31"
	good  tone = "32"
	warn  tone = "33"
)

// blank writes an empty line.
func (p *page) blank() { p.line("", "", plain) }

// text writes text, its lines wrapped, every one of them indented.
func (p *page) text(indent int, text string, t tone) {
	for line := range strings.SplitSeq(text, "\n") {
		p.wrapped(strings.Repeat(" ", indent), line, t)
	}
}

// verbatim writes text that must not be wrapped, because it will be copied or compared.
func (p *page) verbatim(indent int, text string, t tone) {
	for line := range strings.SplitSeq(text, "\n") {
		p.line(strings.Repeat(" ", indent), clean(line), t)
	}
}

// wrapped writes lead and text; the lines after the first are indented by two more than the lead is wide.
func (p *page) wrapped(lead, text string, t tone) { p.hanging(2, lead, text, t) }

// hanging is wrapped with another indent.
func (p *page) hanging(by int, lead, text string, t tone) {
	text = clean(text)
	room := max(p.style.width()-utf8.RuneCountInString(lead), minWidth/2)
	first, rest := cut(text, room)
	p.line(lead, first, t)
	if rest == "" {
		return
	}
	lead = strings.Repeat(" ", utf8.RuneCountInString(lead)+by)
	for rest != "" {
		first, rest = cut(rest, room-by)
		p.line(lead, first, t)
	}
}

func (p *page) line(lead, text string, t tone) {
	if text == "" {
		lead = strings.TrimRight(lead, " ")
	}
	p.out.WriteString(lead)
	if p.style.Color && t != plain && text != "" {
		p.out.WriteString("\x1b[" + string(t) + "m" + text + "\x1b[0m")
	} else {
		p.out.WriteString(text)
	}
	p.out.WriteByte('\n')
}

// cut splits text at the last space that leaves a first part of at most room runes. A word that is longer stays whole.
func cut(text string, room int) (first, rest string) {
	if utf8.RuneCountInString(text) <= room {
		return text, ""
	}
	space, runes := -1, 0
	for i, r := range text {
		if r == ' ' && (runes <= room || space < 0) && i > 0 {
			space = i
		}
		if runes > room && space >= 0 {
			break
		}
		runes++
	}
	if space < 0 {
		return text, ""
	}
	return strings.TrimRight(text[:space], " "), strings.TrimLeft(text[space:], " ")
}

// clean makes control characters visible: what stands in a scenario must not steer the reader's terminal.
func clean(text string) string {
	if !strings.ContainsFunc(text, hidden) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// hidden says whether a rune is a control character, or one that turns the direction of text.
func hidden(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }
