package report

import (
	"bufio"
	"io"

	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Lines writes the JSON lines of a timeline while its run goes on: what JSONLines writes when it has ended. Lines are
// written when 64 KiB of them have come together.
type Lines struct {
	out *bufio.Writer
	// digest is nil if the result has one already.
	digest *timeline.Digester
	line   []byte
	err    error
}

// NewLines returns the writer of the lines of one run.
func NewLines(w io.Writer) *Lines {
	return &Lines{out: bufio.NewWriterSize(w, 1<<16), digest: timeline.NewDigester()}
}

// Write writes the lines of events that follow those before. After an error it writes nothing; see Flush.
func (l *Lines) Write(events []timeline.Event) {
	for i := range events {
		e := &events[i]
		if l.digest != nil && e.Result != nil {
			e = e.WithDigest(l.digest.String())
		}
		l.line = append(timeline.AppendJSON(l.line[:0], e), '\n')
		if l.digest != nil {
			l.digest.Add(l.line)
		}
		if l.err == nil {
			_, l.err = l.out.Write(l.line)
		}
	}
}

// Failed says whether a write has failed. Flush returns the error.
func (l *Lines) Failed() bool { return l.err != nil }

// Flush writes what is still to be written, and returns the first error.
func (l *Lines) Flush() error {
	if l.err == nil {
		l.err = l.out.Flush()
	}
	return l.err
}

// JSONLines writes the timeline, one JSON object a line. The result of a run that was played here is given the digest
// of the lines before it; one that was read from a file keeps its own, so that a file that was changed is found out.
// It stops at the first error.
func JSONLines(w io.Writer, run *Run) error {
	lines := &Lines{out: bufio.NewWriterSize(w, 1<<16), digest: run.undigested()}
	lines.Write(run.Events)
	return lines.Flush()
}

// undigested returns what adds up the digest of the run where its result has none yet, else nil.
func (r *Run) undigested() *timeline.Digester {
	if result := r.result(); result == nil || result.Result.Digest != "" {
		return nil
	}
	return timeline.NewDigester()
}
