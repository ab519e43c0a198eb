package report

import (
	"iter"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Stop is a fixed point of the controller where a reader who goes through a run tick by tick may stop: the end of
// an instant, or the moment before a step of the user.
type Stop struct {
	// T is the instant of all of its events.
	T model.Time
	// Events are the events since the previous stop, at least one. They are part of the run's events, and of one instant.
	Events []timeline.Event
	// Lines describe what happened since the previous stop. There may be none.
	Lines []Line
}

// Line is one line of the story of a run.
type Line struct {
	Actor timeline.Actor
	Text  string
	Tone  Tone
}

// Tone is the colour of a line, for forms that have no render.Tone: the page and the playground.
type Tone uint8

// The tones. A line of detail may be passed over.
const (
	Plain Tone = iota
	Heading
	Detail
	Wrong
	Right
	Waiting
)

// toneOf has every tone of package render.
var toneOf = map[render.Tone]Tone{
	render.Plain: Plain, render.Bold: Heading, render.Dim: Detail,
	render.Bad: Wrong, render.Good: Right, render.Warn: Waiting,
}

// Stops goes through the run stop by stop. Every event except the header and the result belongs to one stop, even
// if it has no line. The sequence may be iterated several times; each time costs the whole story. It covers the
// whole run, whatever its Part is.
func Stops(run *Run) iter.Seq[Stop] {
	events := played(run.Events)
	return func(yield func(Stop) bool) {
		s := newStory(castOf(run.Events))
		for len(events) > 0 {
			n := 1
			for n < len(events) && events[n].T == events[0].T && events[n].Kind != timeline.KindStep {
				n++
			}
			s.instant(events[:n])
			if !yield(Stop{T: events[0].T, Events: events[:n], Lines: exported(s.lines)}) {
				return
			}
			events = events[n:]
		}
	}
}

// newStory returns a story of the whole run that has told nothing.
func newStory(c *cast) *story {
	return &story{
		cast: c, part: &Part{}, told: map[told]bool{}, errors: map[errorKey]*toldError{}, said: map[line]int{},
		glances: map[model.Key]glance{},
	}
}

// played returns the events between the header and the result.
func played(events []timeline.Event) []timeline.Event {
	if len(events) > 0 && events[0].Kind == timeline.KindRun {
		events = events[1:]
	}
	if n := len(events); n > 0 && events[n-1].Kind == timeline.KindResult {
		events = events[:n-1]
	}
	return events
}

// exported copies the lines, which the story overwrites, and makes them safe to print.
func exported(lines []line) []Line {
	out := make([]Line, len(lines))
	for i, l := range lines {
		out[i] = Line{Actor: l.actor, Text: render.Visible(l.text), Tone: toneOf[l.tone]}
	}
	return out
}

// Ending says how the run ended, and what a user should know about it: the verdict first. There is always at least one
// line; each is safe to print.
func Ending(run *Run) []Line {
	last := run.result()
	if last == nil {
		return []Line{{Text: "the timeline ends at " + render.Clock(run.end()) + " without a result", Tone: Waiting}}
	}
	c, sum := castOf(run.Events), summarize(run.Events)
	lines := []Line{{Text: verdictSentence(last, run), Tone: toneOf[verdictTone(last.Result.Verdict)]}}
	add := func(text string, t Tone) { lines = append(lines, Line{Text: render.Visible(text), Tone: t}) }
	for i := range last.Result.Stuck {
		add(stuckSentence(&last.Result.Stuck[i], sum, c), Wrong)
		if way := wayOut(&last.Result.Stuck[i], sum); way != "" {
			add(way, Plain)
		}
	}
	for _, write := range last.Result.Repeats {
		add("this write repeats: "+write, Wrong)
	}
	for _, set := range sum.Sets() {
		add(c.set(set.Key)+": "+setSentence(set), Plain)
	}
	for _, warning := range last.Result.Warnings {
		add("warning: "+warning, Waiting)
	}
	return lines
}

// StepTitle says which step it is, its trigger, and what it does.
func StepTitle(step *timeline.Step) string { return render.Visible(stepTitle(step) + stepEffect(step)) }

// Because returns the reason of an event in words, or "". It may start with "it", which is the event's pod.
func Because(event *timeline.Event) string { return render.Visible(because(event)) }

// OwnerChange says in words how the owner of a pod has changed, and why. The event must have KindOwner.
func OwnerChange(event *timeline.Event) string {
	text := ownerWords[event.Owned.Change]
	if why := because(event); why != "" {
		text += ": " + why
	}
	return render.Visible(text)
}

// Clock renders an instant for people: 0s, 12.5s, 1m03s. Nothing is rounded.
func Clock(t model.Time) string { return render.Clock(t) }

// Difference returns two lists as one, line by line: what only the expected one has is marked with a minus, what only
// the other has with a plus.
func (e *Expectation) Difference() []string {
	if len(e.Expected) == 0 && len(e.Got) == 0 {
		return nil
	}
	var lines []string
	for _, d := range Align(e.Expected, e.Got) {
		lines = append(lines, string(d.Mark)+" "+render.Visible(d.Text))
	}
	return lines
}

// Short says in a few words what a wait is for or when it ends, for pages.
func Short(why model.Why) string { return reasons.Short(why) }

// Story yields the story that Text prints, in parts, for a reader who goes through it step by step. Each instant is
// a part, a step of the user starts another part, and the verdict is the last one. Together they are the text that
// Text writes between the heading and the expectations. A caller that stops early does not stop the wording of the
// rest, only its rendering.
func Story(run *Run, style render.Style) iter.Seq[string] {
	return func(yield func(part string) bool) {
		var out strings.Builder
		p, c, stopped := newSheet(&out, style), castOf(run.Events), false
		end := func() {
			_ = p.Flush() // A strings.Builder takes everything.
			stopped = stopped || !yield(out.String())
			out.Reset()
		}
		tell(run, c, func(t model.Time, lines []line) {
			for len(lines) > 0 && !stopped {
				n := 1
				for n < len(lines) && !lines[n].apart {
					n++
				}
				p.instant(c, t, lines[:n])
				lines = lines[n:]
				end()
			}
		})
		if !stopped {
			p.Blank()
			p.verdict(run, summarize(run.Events), c)
			end()
		}
	}
}
