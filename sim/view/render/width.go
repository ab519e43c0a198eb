package render

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
)

// terminal counts columns as terminals do. Characters of ambiguous width count as one, whatever the reader's locale,
// so the same input gives the same bytes.
var terminal = displaywidth.Options{}

// Width returns the number of columns that text takes on a terminal: 2 for a Chinese character, 1 for an é of two
// runes. It is not meant for text with control characters.
func Width(text string) int { return terminal.String(text) }

// Pad fills text with spaces up to a width in columns. %-*s of fmt counts runes instead.
func Pad(text string, width int) string {
	return text + strings.Repeat(" ", max(0, width-Width(text)))
}

// Cut splits text at the last space that leaves a first part of at most room columns. It may also split between two
// wide characters, as in Chinese. A word that is longer than room stays whole. The spaces at the cut belong to
// neither part. It costs O(first), unless a word is longer than room.
func Cut(text string, room int) (first, rest string) {
	if len(text) <= room {
		return text, ""
	}
	// at is the place where text can be cut, width the number of columns before offset.
	at, width, wide := -1, 0, false
	clusters := terminal.StringGraphemes(text)
	for offset := 0; clusters.Next(); offset += len(clusters.Value()) {
		cluster := clusters.Value()
		if offset > 0 && (width <= room || at < 0) && mayCut(cluster, wide, clusters.Width() > 1) {
			at = offset
		}
		if width > room && at >= 0 {
			break
		}
		width += clusters.Width()
		wide = clusters.Width() > 1
	}
	if width <= room || at < 0 {
		return text, ""
	}
	return strings.TrimRight(text[:at], " "), strings.TrimLeft(text[at:], " ")
}

// neverFirst are marks that must not start a line.
const neverFirst = ",.;:!?)]}'\"…、。，．；：！？）］｝〉》」』】〕ー"

// mayCut reports whether a line can start with the cluster, or at the space that it is.
func mayCut(cluster string, afterWide, wide bool) bool {
	if cluster == " " {
		return true
	}
	return (afterWide || wide) && !strings.Contains(neverFirst, cluster)
}

// Shorten cuts text that takes more than room columns and ends it with an ellipsis, within words if need be. The
// result takes at most room columns.
func Shorten(text string, room int) string {
	return terminal.TruncateString(text, room, "…")
}

// Visible makes control characters visible, and also characters that change the direction of text, and code points
// that Unicode reserves as noncharacters: the contents of a scenario or a manifest must not steer the reader's
// terminal, or make a picture invalid XML. Bytes that are not UTF-8 become the replacement character. Line ends
// count as control characters, so text of several lines is split before.
func Visible(text string) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, string(utf8.RuneError))
	}
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

// hidden reports whether a rune is a control character, ends a line, changes the direction of text, or is a
// noncharacter.
func hidden(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		unicode.In(r, unicode.Bidi_Control, unicode.Noncharacter_Code_Point)
}
