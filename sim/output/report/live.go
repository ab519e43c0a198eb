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
	for i := range events {
		if e := &events[i]; e.Kind == timeline.KindPod || e.Set != (model.Key{}) {
			l.cast.meet(e.Set.Namespace)
		}
	}
	l.story.each(events, func(t model.Time, lines []line) { l.instant(l.cast, t, lines) })
	_ = l.Flush()
}

// End tells how the run has ended, which has these events.
func (l *Live) End(events []timeline.Event) error {
	l.Blank()
	l.verdict(&Run{Events: events}, summarize(events), castOf(events))
	return l.Flush()
}
