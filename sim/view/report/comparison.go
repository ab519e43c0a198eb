package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// Comparison is one scenario that was played under several versions; or other runs that are shown side by side.
// There is at least one run. The caller has already found out which runs behave alike (sim/timeline/versus);
// nothing is compared here.
type Comparison struct {
	Name, Description, File string
	// Versions are the runs in the order in which they were asked for. The others are compared with the first.
	Versions []VersionRun
	// Groups are the numbers of the runs that behave alike, indices of Versions, a group each, in the order of their
	// first runs. Each run is in one group, so that Groups[0][0] is 0.
	Groups [][]int
	// Partings say where each group after the first parts from the first: Partings[i] is about Groups[i+1].
	Partings []Parting
}

// VersionRun is the run under one version, or one of other runs.
type VersionRun struct {
	// Version is the version as the user wrote it, or else the name of the run.
	Version string
	*Run
	// OK is the judgement of the caller, who knows which expectations concern the version.
	OK bool
}

// title returns the version for people, who are told if it is not out yet.
func (v *VersionRun) title() string { return model.VersionTitle(v.Version, v.header().PreRelease) }

// groupName names the versions of a group: 1.27, 1.29.
func (c *Comparison) groupName(group []int) string {
	var names []string
	for _, i := range group {
		names = append(names, c.Versions[i].Version)
	}
	return strings.Join(names, ", ")
}

// alike says which versions behave alike.
func (c *Comparison) alike() []string {
	var lines []string
	for _, group := range c.Groups {
		if len(group) < 2 {
			continue
		}
		last := len(group) - 1
		names := c.groupName(group[:last]) + " and " + c.Versions[group[last]].Version
		if len(c.Groups) == 1 && last > 1 {
			names = "all of " + names
		}
		lines = append(lines, names+" behave alike")
	}
	return lines
}

// columns returns a column for each group, with the timeline of its first run, since the others are the same.
func (c *Comparison) columns() []Column {
	var columns []Column
	for _, group := range c.Groups {
		columns = append(columns, Column{Name: c.groupName(group), Events: c.Versions[group[0]].Events})
	}
	return columns
}

// podsDiffer reports whether there is anything to be seen side by side: the rows show what happens to pods, and
// neither the status nor the words of a refusal.
func (c *Comparison) podsDiffer() bool {
	return slices.ContainsFunc(c.Partings, func(d Parting) bool { return d.Level == versus.Pods })
}

// CompareText writes where the runs part, and then the runs side by side.
func CompareText(w io.Writer, c *Comparison, style render.Style) error {
	p := newSheet(w, style)
	p.Text(0, c.Name, render.Bold)
	if description := strings.TrimSpace(c.Description); description != "" {
		p.Hanging(0, "", strings.Join(strings.Fields(description), " "), render.Plain)
	}
	p.Blank()
	width := 0
	for i := range c.Versions {
		width = max(width, len(c.Versions[i].title()))
	}
	for i := range c.Versions {
		v := &c.Versions[i]
		t := render.Good
		if !v.OK {
			t = render.Bad
		}
		p.Wrapped(fmt.Sprintf("%-*s  ", width, v.title()), v.outcome(), t)
	}
	p.compared(c)
	for i := range c.Versions {
		p.failedVersion(&c.Versions[i])
	}
	return p.Flush()
}

// compared writes which runs behave alike, where the others diverge from the first, and the runs side by side.
func (p sheet) compared(c *Comparison) {
	for _, line := range c.alike() {
		p.Text(0, line, render.Plain)
	}
	for i := range c.Partings {
		p.Blank()
		p.parting(0, &c.Partings[i])
	}
	p.fixes(c)
	if c.podsDiffer() {
		p.columns(c.columns())
	}
}

// outcome says how a run ended, and how many of its expectations held. A run that settled says so in a few words;
// for any other, the whole verdict follows.
func (v *VersionRun) outcome() string {
	text := "cut off"
	switch last := v.result(); {
	case last == nil:
	case last.Result.Verdict == timeline.Settled:
		text = ending(v.Events)
	default:
		text = verdictSentence(last, v.Run)
	}
	numbers := Figure(v.Run)
	text += "; " + numbersLine(numbers.Numbers()[1:])
	counts := tally(v.Expectations)
	if len(v.Expectations) == 0 {
		return text
	}
	text += fmt.Sprintf("; expectations: %d held, %d failed", counts[Held], counts[Failed])
	if counts[Skipped] > 0 {
		text += fmt.Sprintf(", %d skipped", counts[Skipped])
	}
	return text
}

// failedVersion writes what did not come as expected under one version.
func (p sheet) failedVersion(v *VersionRun) {
	if v.OK {
		return
	}
	p.Blank()
	p.Text(0, "on "+v.Version+":", render.Bad)
	for i := range v.Expectations {
		if e := &v.Expectations[i]; e.Verdict == Failed {
			p.expected(2, e)
			p.Hanging(0, "  got       ", firstLine(e.Detail), render.Bad)
		}
	}
	if v.Complaint != "" {
		p.Hanging(2, "  ", v.Complaint, render.Bad)
	}
	p.Verbatim(2, v.Repeat, render.Bold)
}

// firstLine returns a text up to its first line end, which is all of it without one.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// CompareMarkdown writes the comparison for a pull request or a page, without what failed: the table has the counts.
func CompareMarkdown(w io.Writer, c *Comparison) error {
	g := render.Grid{Title: "versions", Header: []string{"Kubernetes", "outcome"}}
	for i := range c.Versions {
		g.Rows = append(g.Rows, []string{c.Versions[i].title(), c.Versions[i].outcome()})
	}
	return c.markdown(w, g)
}

// markdown writes the comparison under a table of its runs.
func (c *Comparison) markdown(w io.Writer, g render.Grid) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", render.Markdown(c.Name))
	b.WriteString(g.Markdown())
	for _, line := range c.alike() {
		fmt.Fprintf(&b, "\n%s.\n", render.Markdown(line))
	}
	for i := range c.Partings {
		fmt.Fprintf(&b, "\n**%s**\n\n", render.Markdown(c.Partings[i].Heading()))
		c.Partings[i].markdown(&b, "")
	}
	fixes := c.Fixes()
	for i := range fixes {
		cure := fixes[i].Cure
		fmt.Fprintf(&b, "\n%s\n\n%s", render.Markdown(strings.Join(fixes[i].Lines(), " ")),
			render.Block("console", "$ "+strings.Join(cure.Commands, "\n$ ")))
	}
	if c.podsDiffer() {
		b.WriteString("\n" + markdownColumns(c.columns()))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// markdownColumns draws timelines side by side as a Markdown table. If all agree, the first cell has the text.
func markdownColumns(columns []Column) string {
	rows := sideRows(columns)
	g := render.Grid{Title: "side by side", Header: []string{"time"}}
	for _, c := range columns {
		g.Header = append(g.Header, c.Name)
	}
	for i := range rows {
		row := []string{rows[i].when}
		for j := range columns {
			switch {
			case rows[i].same == "":
				row = append(row, strings.Join(rows[i].cells[j], ", "))
			case j == 0:
				row = append(row, rows[i].same)
			default:
				row = append(row, "the same")
			}
		}
		g.Rows = append(g.Rows, row)
	}
	return g.Markdown()
}

// jsonSeconds is an instant as JSON has it: virtual seconds, a decimal number with up to nine digits.
type jsonSeconds model.Time

// MarshalJSON renders the instant.
func (s jsonSeconds) MarshalJSON() ([]byte, error) { return []byte(model.Time(s).Seconds()), nil }

// comparisonJSON is a comparison of versions for programs. Groups and Partings are the fields of Compared.
type comparisonJSON struct {
	Name     string           `json:"name"`
	File     string           `json:"file,omitempty"`
	Versions []versionRunJSON `json:"versions"`
	Groups   [][]string       `json:"groups"`
	Partings []partingJSON    `json:"partings"`
}

// versionRunJSON is the run under one version. Kubernetes is the version as the user wrote it.
type versionRunJSON struct {
	Kubernetes string           `json:"kubernetes"`
	PreRelease string           `json:"preRelease,omitempty"`
	Verdict    timeline.Verdict `json:"verdict"`
	T          jsonSeconds      `json:"t"`
	// LastChange is the instant of the last thing that happened to a pod or by a step.
	LastChange   jsonSeconds       `json:"lastChange"`
	Figures      *figuresJSON      `json:"figures"`
	WaysOut      []wayOutJSON      `json:"waysOut,omitempty"`
	OK           bool              `json:"ok"`
	Expectations []expectationJSON `json:"expectations"`
	Repeat       string            `json:"repeat,omitempty"`
}

// CompareJSON writes the comparison as one document, without the timelines.
func CompareJSON(w io.Writer, c *Comparison) error {
	doc := comparisonJSON{Name: c.Name, File: c.File, Partings: []partingJSON{}}
	for i := range c.Versions {
		v := &c.Versions[i]
		as := versionRunJSON{
			Kubernetes: v.Version, PreRelease: v.header().PreRelease, T: jsonSeconds(v.end()), OK: v.OK,
			LastChange:   jsonSeconds(lastChange(v.Events)),
			Expectations: expectationsJSON(v.Expectations), Repeat: v.Repeat, Figures: figuresOf(v.Run),
			WaysOut: waysOutJSON(v.Cures),
		}
		if last := v.result(); last != nil {
			as.Verdict = last.Result.Verdict
		}
		doc.Versions = append(doc.Versions, as)
	}
	doc.Groups = c.groupNames()
	for i := range c.Partings {
		doc.Partings = append(doc.Partings, c.Partings[i].json())
	}
	return render.JSON(w, doc)
}

// groupNames names the runs of each group.
func (c *Comparison) groupNames() [][]string {
	var groups [][]string
	for _, group := range c.Groups {
		var names []string
		for _, i := range group {
			names = append(names, c.Versions[i].Version)
		}
		groups = append(groups, names)
	}
	return groups
}

// The texts that other forms of a report take over from this package. They may contain what a user wrote.

// Grid returns the comparison as a table: its header, and a row for each run.
func (c *Comparison) Grid() (header []string, rows [][]string) {
	g := c.variantGrid()
	return g.Header, g.Rows
}

// Alike says in sentences which of the runs behave alike.
func (c *Comparison) Alike() []string { return c.alike() }

// Sentences returns the differences that make the second run do what it does.
func (d *Parting) Sentences() []string {
	var list []string
	for i := range d.Causes {
		list = append(list, d.Sentence(&d.Causes[i]))
	}
	return list
}

// Shown is one case of one set, under both versions.
type Shown struct {
	// Set is NAMESPACE/NAME, Case the name of the case in the catalogue, Does what happens in it.
	Set, Case, Does string
	// Columns are both timelines, and Endings are their ends; the earlier version comes first.
	Columns [2]Column
	Endings [2]string
	// API describes how the API servers treat the set's fields differently.
	API []string
	// Parting is nil if both behave alike.
	Parting *Parting
	// Advice says how to avoid it; "" if that is not known.
	Advice string
}

// ShowText writes a case as two timelines side by side.
func ShowText(w io.Writer, s *Shown, style render.Style) error {
	p := newSheet(w, style)
	p.Hanging(0, "", s.Set+": "+s.Does+" ("+s.Case+")", render.Bold)
	width := max(len(s.Columns[0].Name), len(s.Columns[1].Name))
	for i := range s.Columns {
		p.Wrapped(fmt.Sprintf("%-*s  ", width, s.Columns[i].Name), s.Endings[i], render.Plain)
	}
	for _, change := range s.API {
		p.Hanging(2, "- ", change, render.Warn)
	}
	p.Blank()
	if s.Parting == nil {
		p.Text(0, "both behave alike", render.Good)
		return p.Flush()
	}
	p.parting(0, s.Parting)
	if s.Advice != "" {
		p.Hanging(0, "", s.Advice, render.Good)
	}
	if s.Parting.Level == versus.Pods {
		p.columns(s.Columns[:])
	}
	return p.Flush()
}

// Aligned is a line of two lists that were compared: Mark is - for only expected, + for only got, blank for both.
type Aligned struct {
	Mark byte
	Text string
}

// maxCompared bounds the table of a comparison, whose memory is the product of both lengths. Longer lists are only
// compared at their common start and end.
const maxCompared = 2_000

// Align merges two lists with as few differences as possible (a longest common subsequence). Both lists are in the
// result in their order; where both differ, the expected lines come first. It costs the product of the lengths
// between the common start and the common end. If these are too long, all expected lines come first and then all
// others.
func Align(expected, got []string) []Aligned {
	begin, end := 0, 0
	for begin < min(len(expected), len(got)) && expected[begin] == got[begin] {
		begin++
	}
	for end < min(len(expected), len(got))-begin && expected[len(expected)-1-end] == got[len(got)-1-end] {
		end++
	}
	out := marked(nil, ' ', expected[:begin]...)
	a, b := expected[begin:len(expected)-end], got[begin:len(got)-end]
	if max(len(a), len(b)) <= maxCompared {
		lengths, i, j := subsequences(a, b), 0, 0
		for i < len(a) && j < len(b) {
			switch {
			case a[i] == b[j]:
				out = marked(out, ' ', a[i])
				i, j = i+1, j+1
			case lengths[i+1][j] >= lengths[i][j+1]:
				out = marked(out, '-', a[i])
				i++
			default:
				out = marked(out, '+', b[j])
				j++
			}
		}
		a, b = a[i:], b[j:]
	}
	return marked(marked(marked(out, '-', a...), '+', b...), ' ', expected[len(expected)-end:]...)
}

// marked adds lines with a mark.
func marked(to []Aligned, mark byte, lines ...string) []Aligned {
	for _, text := range lines {
		to = append(to, Aligned{mark, text})
	}
	return to
}

// subsequences returns the lengths of the longest common subsequences of all pairs of tails: [i][j] is the length
// for a[i:] and b[j:]. The last row and the last column are 0.
func subsequences(a, b []string) [][]int {
	lengths := make([][]int, len(a)+1)
	for i := range lengths {
		lengths[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			} else {
				lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1])
			}
		}
	}
	return lengths
}
