package report

import (
	"io"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// Live writes the story of a run while it goes on, as Text does when it has ended.
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

// Write tells events, which follow those that were told before. It must be called at fixed points: of one instant there
// may be several.
func (l *Live) Write(events []timeline.Event) {
	l.meet(events)
	l.story.each(events, func(t model.Time, lines []line) { l.instant(l.cast, t, lines) })
	_ = l.Flush()
}

// Return says that the run has gone back to an earlier state, where these events had been told.
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

// End tells how the run has ended, which has these events.
func (l *Live) End(events []timeline.Event) error {
	l.Blank()
	l.verdict(&Run{Events: events}, summarize(events), castOf(events))
	return l.Flush()
}

// EndWithoutNumbers tells how the run has ended. The events are only its last ones.
func (l *Live) EndWithoutNumbers(events []timeline.Event) error {
	l.Blank()
	run := &Run{Events: events}
	if last := run.result(); last != nil {
		l.Wrapped("", verdictSentence(last, run), verdictTone(last.Result.Verdict))
		l.warnings(last.Result.Warnings)
	}
	return l.Flush()
}
