package statefulset

import "strings"

// texts puts texts together that are kept for long, as those of a timeline are: many of them in one piece of memory,
// to save allocations. A text keeps its whole piece alive, which is as long as the longest of the texts, or a few
// kilobytes.
type texts struct {
	// piece is the memory that texts are appended to; it is never grown, only replaced, so that earlier texts stay
	// valid. size is its capacity, which doubles up to mostText.
	piece strings.Builder
	size  int
}

// mostText is the greatest length of a piece, unless one text is longer.
const mostText = 4096

// join returns the parts as one text.
func (t *texts) join(parts ...string) string {
	n := 0
	for _, part := range parts {
		n += len(part)
	}
	if t.piece.Cap()-t.piece.Len() < n {
		t.size = min(mostText, max(256, 2*t.size))
		t.piece = strings.Builder{}
		t.piece.Grow(max(n, t.size))
	}
	at := t.piece.Len()
	for _, part := range parts {
		t.piece.WriteString(part)
	}
	return t.piece.String()[at:]
}
