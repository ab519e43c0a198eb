package html

import (
	"fmt"
	"path"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// view holds the part of the page that needs no script. At most one of Comparison, Lesson and Sheet is given.
type view struct {
	Title string
	// Description is the description of the run, or of the scenario of all runs.
	Description string
	// Data is the input of the script: JSON that escapes everything that could end the element around it.
	Data safe
	Runs []runView
	// Stills are pictures for readers without scripts.
	Stills     []still
	Comparison *comparisonView
	Lesson     *lessonView
	Sheet      *Sheet
	// Command is the command that printed the page, or "".
	Command string
	// Playground is the link that opens the page's input in the playground, or "".
	Playground string
}

// runView is a run as the page shows it without a script. Texts are visible already, and escaped when they are
// written; "" and nil are left out.
type runView struct {
	Index int
	// Many is true if there are several runs on the page.
	Many              bool
	Name, About, File string
	// Class is the class of the verdict.
	Class string
	// Headline says how the run ended, Ending has the details, and Rest the state of each of its sets if there are
	// too many for the verdict's card.
	Headline     lineView
	Ending, Rest []lineView
	Complaint    string
	Repeat       string
	Playground   string
	Cures        []cureView
	Explain      string
	Untried      string
	Numbers      []numberView
	// Spent describes where the time since the last step was spent, or is "".
	Spent string
	// Held and Failed count expectations; those that were skipped are neither.
	Held         int
	Failed       int
	Expectations []expectationView
	// Source is the scenario, line by line. Timeline is that in JSON Lines, packed, TimelineName its file.
	Source       []string
	Timeline     safe
	TimelineName string
}

// lineView is a line of text; Class is a class of the style sheet, "" for none.
type lineView struct{ Class, Text string }

// numberView is one of the numbers of a run's result. If it has an instant, Href leads there.
type numberView struct{ Name, Value, At, Href string }

// cureView is a fix of a run, in the words of all reports.
type cureView struct{ Line, Commands, Class string }

func cureOf(lines []string, cure *report.Cure) cureView {
	class := toneNames[report.Right]
	if cure.Danger != "" {
		class = toneNames[report.Wrong]
	}
	return cureView{render.Visible(strings.Join(lines, " ")), visible(strings.Join(cure.Commands, "\n")), class}
}

// expectationView is an expectation, and what became of it. Links lead to where it failed.
type expectationView struct {
	// Verdict is held, failed or skipped, which are classes of the style sheet too.
	Verdict, Text, Position, Detail string
	// Failure says in a sentence what was expected and what came instead.
	Failure string
	// Line is the line of the expectation in the scenario that the page shows; 0 if it is not in it.
	Line               int
	Difference, Around []string
	Links              []link
}

// link leads to an instant of the run.
type link struct{ Href, Text string }

// visible is render.Visible, but it keeps line ends and leading space: lines have numbers and indents. Trailing
// empty space is cut off.
func visible(text string) string {
	lines := strings.Split(strings.TrimRight(text, " \t\r\n"), "\n")
	for i := range lines {
		lines[i] = render.Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// manySets is the number of sets above which the verdict's card does not describe each.
const manySets = 4

// viewOf returns the view of a run; index is its place on the page, from 0. A run without events has no numbers,
// and its end comes from report.Ending.
func viewOf(index int, run *report.Run, many bool) runView {
	v := runView{
		Index: index, Many: many, Name: render.Visible(run.Name), About: about(run), File: render.Visible(run.File),
		Complaint: render.Visible(run.Complaint), Repeat: render.Visible(run.Repeat), Explain: render.Visible(run.Explain),
		Playground: render.Visible(run.Playground),
		Untried:    render.Visible(run.Untries()), Source: source(run),
	}
	if len(run.Events) > 0 {
		figures := report.Figure(run)
		v.Numbers, v.Spent = numbers(index, run, &figures), spent(run, &figures)
	}
	text, name := packed(run)
	v.Timeline, v.TimelineName = text, name
	for _, line := range report.Ending(run) {
		v.Ending = append(v.Ending, lineView{toneNames[line.Tone], render.Visible(line.Text)})
	}
	v.Headline, v.Ending = v.Ending[0], v.Ending[1:]
	v.Class = v.Headline.Class
	v.shorten()
	for i := range run.Cures {
		cure := &run.Cures[i]
		v.Cures = append(v.Cures, cureOf(cure.Fix(), cure))
	}
	v.judged(run)
	if v.Failed > 0 || v.Complaint != "" {
		v.Class = toneNames[report.Wrong]
	}
	return v
}

// shorten moves the sentences about each set out of the verdict's card, if there are many.
func (v *runView) shorten() {
	var short, rest []lineView
	for _, line := range v.Ending {
		if line.Class == toneNames[report.Plain] {
			rest = append(rest, line)
		} else {
			short = append(short, line)
		}
	}
	if len(rest) > manySets {
		v.Ending, v.Rest = short, rest
	}
}

// judged adds what became of the expectations.
func (v *runView) judged(run *report.Run) {
	times := stopTimes(run)
	for i := range run.Expectations {
		e := &run.Expectations[i]
		switch e.Verdict {
		case report.Held:
			v.Held++
		case report.Failed:
			v.Failed++
		}
		as := expectationView{
			Verdict: e.Verdict.String(), Text: render.Visible(e.Text), Failure: render.Visible(e.Failure()),
			Position: render.Visible(e.Position),
			Detail:   visible(e.Detail), Difference: e.Difference(), Links: links(v.Index, e, times),
		}
		for _, line := range e.Around {
			as.Around = append(as.Around, render.Visible(line))
		}
		if line := lineOf(e.Position); line <= len(v.Source) {
			as.Line = line
		}
		v.Expectations = append(v.Expectations, as)
	}
}

// position matches the line, and perhaps the column, at the end of a position.
var position = regexp.MustCompile(`:(\d+)(?::\d+)?$`)

// lineOf returns the line of a position, 0 if it has none.
func lineOf(at string) int {
	found := position.FindStringSubmatch(at)
	if found == nil {
		return 0
	}
	line, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return line
}

// source returns the lines of the scenario; nil if the page shows none. It may have fewer lines than the file, since
// empty ones at the end are cut off.
func source(run *report.Run) []string {
	if run.Source == "" {
		return nil
	}
	return strings.Split(visible(run.Source), "\n")
}

// about says what was played.
func about(run *report.Run) string {
	text := ""
	if run.File != "" {
		text = render.Visible(path.Base(run.File))
	}
	if len(run.Events) == 0 || run.Events[0].Run == nil {
		return text
	}
	header := run.Events[0].Run
	if text != "" {
		text += " · "
	}
	text += "Kubernetes " + header.Version() + " · seed " + strconv.FormatUint(header.Seed, 10)
	for _, gate := range header.Gates {
		text += " · " + gate.Name + "=" + strconv.FormatBool(gate.On)
	}
	return text + " · sim " + header.Sim
}

// numbers returns the three numbers of a run as the card shows them. One that has an instant leads there. A number that
// the run does not have is a dash.
func numbers(index int, run *report.Run, figures *report.Figures) []numberView {
	var list []numberView
	for _, n := range figures.Numbers() {
		as := numberView{Name: n.Name, Value: n.Value, At: render.Visible(n.Detail)}
		if n.Value == "" {
			as.Value = "–"
		}
		if n.At != nil {
			as.Href = href(index, stopOf(stopTimes(run), *n.At))
		}
		list = append(list, as)
	}
	return list
}

// stopTimes returns the instants of the stops that report.Stops visits. A stop's number is its index. O(events).
func stopTimes(run *report.Run) []model.Time {
	var times []model.Time
	for i := range run.Events {
		e := &run.Events[i]
		if e.Kind == timeline.KindRun || e.Kind == timeline.KindResult {
			continue
		}
		if n := len(times); n == 0 || times[n-1] != e.T || e.Kind == timeline.KindStep {
			times = append(times, e.T)
		}
	}
	return times
}

// stopOf returns the last stop at or before an instant: the one that shows it. It is 0 for an instant before all stops.
func stopOf(times []model.Time, t model.Time) int {
	return max(sort.Search(len(times), func(i int) bool { return times[i] > t })-1, 0)
}

// href returns the address of a stop of a run on the page. In addresses both count from 1.
func href(run, stop int) string { return fmt.Sprintf("#run=%d&tick=%d", run+1, stop+1) }

// links lead to where an expectation failed.
func links(index int, e *report.Expectation, times []model.Time) []link {
	var all []link
	for _, t := range e.Instants {
		all = append(all, link{href(index, stopOf(times, t)), report.Clock(t)})
	}
	return all
}
