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
	// set is the StatefulSet of ending, which is the last ending that was made.
	set, ending string
}

// mostText is the greatest length of a piece, unless one text is longer.
const mostText = 4096

// done returns the message of an act on a pod that has succeeded: its beginning, the pod, and an ending that names the
// set.
func (t *texts) done(begins, pod, set string) string {
	if t.set != set || t.ending == "" {
		t.set, t.ending = set, " in StatefulSet "+set+" successful"
	}
	if n := len(begins) + len(pod) + len(t.ending); t.piece.Cap()-t.piece.Len() < n {
		t.size = min(mostText, max(512, 2*t.size))
		t.piece = strings.Builder{}
		t.piece.Grow(max(n, t.size))
	}
	at := t.piece.Len()
	t.piece.WriteString(begins)
	t.piece.WriteString(pod)
	t.piece.WriteString(t.ending)
	return t.piece.String()[at:]
}
