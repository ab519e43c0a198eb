package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// VariantsText writes a table of the runs, where they diverge from the first, and then the runs side by side. Names
// that are too long for that are listed once above, each with a letter that replaces it below.
func VariantsText(w io.Writer, c *Comparison, style render.Style) error {
	p := newSheet(w, style)
	p.Text(0, c.Name, render.Bold)
	p.Blank()
	if c.tooWide(style) {
		lettered := c.lettered()
		for i := range c.Versions {
			p.Hanging(0, lettered.Versions[i].Version+"  ", c.Versions[i].Version, render.Plain)
		}
		p.Blank()
		c = lettered
	}
	p.Table(c.variantGrid())
	if len(c.alike()) > 0 {
		p.Blank()
	}
	p.compared(c)
	return p.Flush()
}

// shortName is the length below which replacing a name by a letter saves too little.
const shortName = 10

// tooWide reports whether the names of the runs are too long for the table, or for the columns of the runs side by
// side.
func (c *Comparison) tooWide(style render.Style) bool {
	widest, longest := 0, 0
	for _, line := range c.variantGrid().Lines() {
		widest = max(widest, render.Width(line))
	}
	for i := range c.Versions {
		longest = max(longest, render.Width(c.Versions[i].Version))
	}
	return longest > shortName && (widest > style.Columns() || longest > style.Columns()/max(1, len(c.Groups))-4)
}

// lettered returns the same comparison with a letter in the place of each name; if there are more runs than letters,
// all are numbered. The original is not changed; the runs are shared.
func (c *Comparison) lettered() *Comparison {
	short := *c
	short.Versions, short.Partings = slices.Clone(c.Versions), slices.Clone(c.Partings)
	letters := map[string]string{}
	for i := range short.Versions {
		letter := fmt.Sprintf("#%d", i+1)
		if len(c.Versions) <= 'Z'-'A'+1 {
			letter = string(rune('A' + i))
		}
		letters[short.Versions[i].Version] = letter
		short.Versions[i].Version = letter
	}
	for i := range short.Partings {
		for j, name := range short.Partings[i].Names {
			short.Partings[i].Names[j] = letters[name]
		}
	}
	return &short
}

// VariantsMarkdown writes the same for a pull request or a page.
func VariantsMarkdown(w io.Writer, c *Comparison) error { return c.markdown(w, c.variantGrid()) }

// Compared is the result of a comparison as a plain value: `sim compare -o json` prints it, and text, Markdown and the
// page draw their table of the runs from it. docs/json.md has its fields.
type Compared struct {
	Name string        `json:"name"`
	Runs []ComparedRun `json:"runs"`
	// Groups are the names of the runs that behave alike, in the order of their first runs. Every run is in one group.
	Groups [][]string `json:"groups"`
	// Partings say where each group after the first parts from the first: one fewer than Groups.
	Partings []partingJSON `json:"partings"`
}

// ComparedRun is the result of one run of a comparison.
type ComparedRun struct {
	// Name is the unique name of the run in Groups and Partings. File is the timeline's file, if it was read from
	// one.
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	// Kubernetes is the version of the timeline's header; Name may be the version as the user wrote it, or a file.
	Kubernetes string `json:"kubernetes,omitempty"`
	// PreRelease is the exact version that it was compared with, if it is not out yet.
	PreRelease string `json:"preRelease,omitempty"`
	// Verdict is "" if the run was cut off; T is when the run ended, in virtual seconds.
	Verdict timeline.Verdict `json:"verdict"`
	T       jsonSeconds      `json:"t"`
	// LastStep is the time from the last step until nothing changed any more; it is left out if the run did not settle.
	LastStep *jsonSeconds  `json:"lastStep,omitempty"`
	Sets     []ComparedSet `json:"sets"`
	// Deleted is the number of pods that were deleted, of all sets.
	Deleted int `json:"deleted"`
	// WaysOut are the fixes of the sets that are stuck at the end.
	WaysOut []wayOutJSON `json:"waysOut,omitempty"`
	// SameOrder is true if pods are created and deleted in the order of the first run.
	SameOrder bool `json:"sameOrder"`
	// OK is true if the run is good by its expectations or, without any, by its verdict: the caller judged it.
	OK           bool              `json:"ok"`
	Expectations []expectationJSON `json:"expectations"`
}

// ComparedSet is a set of a run.
type ComparedSet struct {
	Namespace   string `json:"namespace"`
	StatefulSet string `json:"statefulset"`
	// FewestServing is the least number of serving pods since the set was complete; left out where it never was.
	FewestServing *int `json:"fewestServing,omitempty"`
}

// Compared returns the result of the comparison. It costs O(events).
func (c *Comparison) Compared() *Compared {
	doc := &Compared{Name: c.Name, Groups: c.groupNames(), Partings: []partingJSON{}}
	for i := range c.Versions {
		v := &c.Versions[i]
		run := v.compared()
		run.SameOrder = i == 0 || versus.SameOrder(c.Versions[0].Events, v.Events)
		doc.Runs = append(doc.Runs, run)
	}
	for i := range c.Partings {
		doc.Partings = append(doc.Partings, c.Partings[i].json())
	}
	return doc
}

// compared returns the result of one run, without its order, which only a comparison shows.
func (v *VersionRun) compared() ComparedRun {
	f := Figure(v.Run)
	run := ComparedRun{
		Name: v.Version, File: v.File, T: jsonSeconds(v.end()), OK: v.OK, Sets: []ComparedSet{},
		WaysOut:      waysOutJSON(v.Cures),
		Expectations: expectationsJSON(v.Expectations),
	}
	if f.LastStep != nil {
		took := jsonSeconds(*f.LastStep)
		run.LastStep = &took
	}
	if len(v.Events) > 0 && v.Events[0].Run != nil {
		run.Kubernetes, run.PreRelease = v.Events[0].Run.Kubernetes, v.Events[0].Run.PreRelease
	}
	if last := v.result(); last != nil {
		run.Verdict = last.Result.Verdict
	}
	for _, set := range f.Sets {
		as := ComparedSet{Namespace: set.Key.Namespace, StatefulSet: set.Key.Name}
		if set.Complete {
			as.FewestServing = &set.Fewest
		}
		run.Sets = append(run.Sets, as)
	}
	for _, set := range timeline.TallyOf(v.Events).Sets() {
		run.Deleted += set.Deleted()
	}
	return run
}

// VariantsJSON writes the comparison as one document, without the timelines.
func VariantsJSON(w io.Writer, c *Comparison) error { return render.JSON(w, c.Compared()) }

// variantGrid has a row for each run. Order is against the first. Without expectations their column is missing.
func (c *Comparison) variantGrid() render.Grid {
	g := render.Grid{Title: "runs", Header: []string{"run", "verdict", "last step", "serving", "deleted", "order"}}
	compared, judged := c.Compared(), false
	for i := range compared.Runs {
		judged = judged || len(compared.Runs[i].Expectations) > 0
	}
	if judged {
		g.Header = append(g.Header, "expected")
	}
	for i := range compared.Runs {
		run := &compared.Runs[i]
		order := "differs"
		switch {
		case i == 0:
			order = "-"
		case run.SameOrder:
			order = "same"
		}
		row := []string{run.Name, run.ending(), run.lastStep(), run.serving(castOf(c.Versions[i].Events)),
			strconv.Itoa(run.Deleted), order}
		if judged {
			row = append(row, run.judgement())
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// ending says how the run ended: settled at 32s.
func (r *ComparedRun) ending() string { return endedAt(r.Verdict, model.Time(r.T)) }

// lastStep says how long the last step took to have its effect; "-" if the run did not settle or has no step.
func (r *ComparedRun) lastStep() string {
	if r.LastStep == nil {
		return "-"
	}
	return render.Clock(model.Time(*r.LastStep))
}

// serving says how many pods of each set served at least: min 3. The cast names the sets.
func (r *ComparedRun) serving(c *cast) string {
	var fewest []string
	for _, set := range r.Sets {
		text := "never all at once"
		if set.FewestServing != nil {
			text = fmt.Sprintf("min %d", *set.FewestServing)
		}
		if len(r.Sets) > 1 {
			text = c.set(model.Key{Namespace: set.Namespace, Name: set.StatefulSet}) + " " + text
		}
		fewest = append(fewest, text)
	}
	return strings.Join(fewest, ", ")
}

// judgement counts the expectations of a run that held and that did not. Those that were skipped are not named.
func (r *ComparedRun) judgement() string {
	counts := map[string]int{}
	for i := range r.Expectations {
		counts[r.Expectations[i].Verdict]++
	}
	text := fmt.Sprintf("%d held", counts[Held.String()])
	if failed := counts[Failed.String()]; failed > 0 {
		text += fmt.Sprintf(", %d failed", failed)
	}
	return text
}
