package report

import (
	"bufio"
	"io"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Lines writes the JSON lines of a timeline while its run continues: the same lines as JSONLines writes at the end.
// It writes in blocks of at least 64 KiB.
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

// Failed reports whether a write has failed. Flush returns the error.
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

// Live writes the story of a run while it continues, as Text does at the end.
type Live struct {
	sheet
	cast  *cast
	story *story
}

// NewLive returns a story that has told nothing.
func NewLive(w io.Writer, style render.Style) *Live {
	c := &cast{timeWidth: len("1h00m00.00s")}
	return &Live{newSheet(w, style), c, newStory(c)}
}

// Write tells events, which follow those that were told before. It is called at fixed points.
func (l *Live) Write(events []timeline.Event) {
	l.meet(events)
	l.story.each(events, func(t model.Time, lines []line) { l.instant(l.cast, t, lines) })
	_ = l.Flush()
}

// Return reports that the run was reset to an earlier state, after these events.
func (l *Live) Return(to string, events []timeline.Event) {
	l.cast = &cast{timeWidth: l.cast.timeWidth}
	l.story = newStory(l.cast)
	l.meet(events)
	l.story.each(events, func(model.Time, []line) {})
	l.Blank()
	l.Text(0, "back to "+to, render.Plain)
	_ = l.Flush()
}

// meet takes in the namespaces of events.
func (l *Live) meet(events []timeline.Event) {
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindPod || e.Set != (model.Key{}) {
			l.cast.meet(e.Set.Namespace)
		}
	}
}

// End reports how the run ended. events are the events of the run.
func (l *Live) End(events []timeline.Event) error {
	l.Blank()
	l.verdict(&Run{Events: events}, summarize(events), castOf(events))
	return l.Flush()
}

// EndWithoutNumbers reports how the run ended. The events are only its last ones.
func (l *Live) EndWithoutNumbers(events []timeline.Event) error {
	l.Blank()
	run := &Run{Events: events}
	if last := run.result(); last != nil {
		l.Wrapped("", verdictSentence(last, run), verdictTone(last.Result.Verdict))
		l.warnings(last.Result.Warnings)
	}
	return l.Flush()
}
