package render

import (
	"bufio"
	"io"
	"strings"
)

// Style is how text for people looks. The zero value is the style of a pipe: 80 columns without colours.
type Style struct {
	// Color turns on ANSI colours.
	Color bool
	// Width is the number of columns that lines are wrapped at; 0 means DefaultWidth for text, and no limit for tables.
	Width int
	// Pipe is true if a program reads the page: the rows of tables and quotes from the cluster are then not
	// wrapped, for grep.
	Pipe bool
}

// DefaultWidth is the width of a page without a given width, such as a file that is kept. PipeWidth is the width of
// output into a pipe. MaxWidth is the best width on a wide terminal: longer lines are hard to read. MinWidth keeps
// words from being stacked one per line on an absurdly narrow terminal.
const (
	DefaultWidth = 80
	PipeWidth    = 100
	MaxWidth     = 120
	MinWidth     = 40
)

// Columns returns the width of the page: Width, but not below MinWidth.
func (s Style) Columns() int {
	if s.Width == 0 {
		return DefaultWidth
	}
	return max(s.Width, MinWidth)
}

// Tone is how a line is highlighted. A style without colours drops it, so no text may rely on it.
type Tone string

// The tones, as parameters of ANSI's SGR sequence.
const (
	Plain Tone = ""
	Bold  Tone = "1"
	Dim   Tone = "2"
	Bad   Tone = "31"
	Good  Tone = "32"
	Warn  Tone = "33"
)

// Page writes lines, wrapped and coloured. It keeps the first error of the writer below and writes nothing after it;
// Flush returns that error, so the other methods return none.
type Page struct {
	out   *bufio.Writer
	style Style
}

// New returns a page that writes to w. The caller must call Flush at the end.
func New(w io.Writer, style Style) *Page {
	return &Page{out: bufio.NewWriterSize(w, 1<<16), style: style}
}

// Flush writes what is buffered and returns the first error that occurred.
func (p *Page) Flush() error { return p.out.Flush() }

// Style returns the style of the page.
func (p *Page) Style() Style { return p.style }

// Blank writes an empty line.
func (p *Page) Blank() { p.Line("", "", Plain) }

// Text writes text, its lines wrapped, every one of them indented by so many columns.
func (p *Page) Text(indent int, text string, t Tone) {
	for line := range strings.SplitSeq(text, "\n") {
		p.Wrapped(strings.Repeat(" ", indent), line, t)
	}
}

// Verbatim writes text that must not be wrapped, because it is copied or compared. Control characters become visible.
func (p *Page) Verbatim(indent int, text string, t Tone) {
	for line := range strings.SplitSeq(text, "\n") {
		p.Line(strings.Repeat(" ", indent), Visible(line), t)
	}
}

// Wrapped writes lead and text; the lines after the first are indented by two more than the lead is wide.
func (p *Page) Wrapped(lead, text string, t Tone) { p.Hanging(2, lead, text, t) }

// Hanging is Wrapped with another indent: with 0 the text forms a block to the right of the lead. The lead stays as
// it is.
func (p *Page) Hanging(by int, lead, text string, t Tone) {
	text = Visible(text)
	columns := Width(lead)
	room := max(p.style.Columns()-columns, MinWidth/2)
	first, rest := Cut(text, room)
	p.Line(lead, first, t)
	lead = strings.Repeat(" ", columns+by)
	for rest != "" {
		first, rest = Cut(rest, room-by)
		p.Line(lead, first, t)
	}
}

// Line writes one line as it is: the caller has made text visible and has cut it. It is the only method that writes,
// so every colour and every line end comes from here.
func (p *Page) Line(lead, text string, t Tone) {
	if text == "" {
		lead = strings.TrimRight(lead, " ")
	}
	p.out.WriteString(lead)
	if p.style.Color && t != Plain && text != "" {
		p.out.WriteString("\x1b[" + string(t) + "m" + text + "\x1b[0m")
	} else {
		p.out.WriteString(text)
	}
	p.out.WriteByte('\n')
}
