package report

import (
	"io"
	"strings"

	"github.com/statefulsim/statefulsim/sim/output/render"

	"github.com/statefulsim/statefulsim/sim/output/lazy"
)

// Prose writes a page of Markdown as a terminal can show it: headings stand out, paragraphs and lists are wrapped anew,
// code stays as it is, and a link is followed by its address. It knows no other marks than these.
func Prose(w io.Writer, markdown string, style render.Style) error {
	p := newSheet(w, style)
	for i, block := range Blocks(markdown) {
		if i > 0 {
			p.Blank()
		}
		p.block(block)
	}
	return p.Flush()
}

const fence = "```"

// Blocks splits a page at its empty lines, except those within code. Code that is not closed is closed at the end.
func Blocks(markdown string) []string {
	var list []string
	var block strings.Builder
	code := false
	for line := range strings.Lines(markdown + "\n\n") {
		if strings.HasPrefix(line, fence) {
			code = !code
		}
		if code || strings.TrimSpace(line) != "" {
			block.WriteString(line)
			continue
		}
		if block.Len() > 0 {
			list = append(list, strings.TrimSuffix(block.String(), "\n"))
			block.Reset()
		}
	}
	if code {
		list = append(list, block.String()+fence)
	}
	return list
}

// block writes a block by its first characters: code, a heading, a list or a paragraph.
func (p sheet) block(block string) {
	switch {
	case strings.HasPrefix(block, fence):
		lines := strings.Split(block, "\n")
		p.code(strings.TrimPrefix(lines[0], fence), lines[1:len(lines)-1])
	case strings.HasPrefix(block, "#"):
		p.Hanging(0, "", strings.TrimLeft(block, "# "), render.Bold)
	case strings.HasPrefix(block, "- "):
		for item := range strings.SplitSeq(block[2:], "\n- ") {
			p.Hanging(0, "- ", inline(item), render.Plain)
		}
	default:
		p.Hanging(0, "", inline(block), render.Plain)
	}
}

// code writes lines of a language; those that a diff adds or removes stand out.
func (p sheet) code(language string, lines []string) {
	tones := map[byte]render.Tone{}
	if language == "diff" {
		tones = map[byte]render.Tone{'+': render.Good, '-': render.Bad}
	}
	for _, line := range lines {
		p.Verbatim(0, line, tones[(line + " ")[0]])
	}
}

// link matches a link of Markdown.
var link = lazy.Regexp(`\[([^\]]*)\]\(([^)]*)\)`)

// inline puts a text on one line and its links into words.
func inline(text string) string {
	return link().ReplaceAllString(strings.Join(strings.Fields(text), " "), "$1: $2")
}
