package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/page"
	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// VariantsText writes a table of the runs, where they part from the first, and then the runs side by side.
func VariantsText(w io.Writer, c *Comparison, style page.Style) error {
	p := newSheet(w, style)
	p.Text(0, c.Name, page.Bold)
	p.Blank()
	if c.tooWide(style) {
		lettered := c.lettered()
		for i := range c.Versions {
			p.Hanging(0, lettered.Versions[i].Version+"  ", c.Versions[i].Version, page.Plain)
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

// shortName is the length up to which a letter in a name's place would save too little.
const shortName = 10

// tooWide says whether the names of the runs are too long for the table, or for the columns of the runs side by side.
func (c *Comparison) tooWide(style page.Style) bool {
	widest, longest := 0, 0
	for _, line := range c.variantGrid().Lines() {
		widest = max(widest, page.Width(line))
	}
	for i := range c.Versions {
		longest = max(longest, page.Width(c.Versions[i].Version))
	}
	return longest > shortName && (widest > style.Columns() || longest > style.Columns()/max(1, len(c.Groups))-4)
}

// lettered is the same comparison with a letter in the place of each name; behind Z they are numbered.
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

// variantGrid has a row for each run. What it says of order is against the first.
func (c *Comparison) variantGrid() page.Grid {
	g := page.Grid{Title: "runs", Header: []string{"run", "verdict", "last step", "serving", "deleted", "order"}}
	judged := false
	for i := range c.Versions {
		judged = judged || len(c.Versions[i].Expectations) > 0
	}
	if judged {
		g.Header = append(g.Header, "expected")
	}
	for i := range c.Versions {
		row := c.Versions[i].row()
		switch {
		case i == 0:
			row = append(row, "-")
		case versus.SameOrder(c.Versions[0].Events, c.Versions[i].Events):
			row = append(row, "same")
		default:
			row = append(row, "differs")
		}
		if judged {
			row = append(row, c.Versions[i].judgement())
		}
		g.Rows = append(g.Rows, row)
	}
	return g
}

// row is what one run comes to.
func (v *VersionRun) row() []string {
	f, c := v.facts(), castOf(v.Events)
	took := "-"
	if f.LastStep != nil {
		took = page.Clock(*f.LastStep)
	}
	var fewest []string
	for _, set := range f.Sets {
		text := "never complete"
		if set.Complete {
			text = fmt.Sprintf("min %d", set.Fewest)
		}
		if len(f.Sets) > 1 {
			text = c.set(set.Key) + " " + text
		}
		fewest = append(fewest, text)
	}
	return []string{v.Version, ending(v.Events), took, strings.Join(fewest, ", "), strconv.Itoa(f.deleted)}
}

// runFacts are what runs are compared by.
type runFacts struct {
	Figures
	// deleted is the number of pods that were deleted.
	deleted int
}

func (v *VersionRun) facts() runFacts {
	f := runFacts{Figures: Figure(v.Run)}
	for _, set := range timeline.TallyOf(v.Events).Sets() {
		f.deleted += set.Deleted()
	}
	return f
}

// judgement counts the expectations of a run that held and that did not.
func (v *VersionRun) judgement() string {
	counts := tally(v.Expectations)
	text := fmt.Sprintf("%d held", counts[Held])
	if counts[Failed] > 0 {
		text += fmt.Sprintf(", %d failed", counts[Failed])
	}
	return text
}

// variantsJSON is a comparison of runs as a document.
type variantsJSON struct {
	Name     string        `json:"name"`
	Runs     []variantJSON `json:"runs"`
	Groups   [][]string    `json:"groups"`
	Partings []partingJSON `json:"partings"`
}

type variantJSON struct {
	Name       string           `json:"name"`
	File       string           `json:"file,omitempty"`
	Kubernetes string           `json:"kubernetes,omitempty"`
	Verdict    timeline.Verdict `json:"verdict"`
	T          jsonSeconds      `json:"t"`
	// LastStep is the time from the last step until nothing changed any more; it is left out where the run did not settle.
	LastStep *jsonSeconds `json:"lastStep,omitempty"`
	Sets     []fewestJSON `json:"sets"`
	Deleted  int          `json:"deleted"`
	// SameOrder says whether pods are created and deleted in the order of the first run.
	SameOrder    bool              `json:"sameOrder"`
	OK           bool              `json:"ok"`
	Expectations []expectationJSON `json:"expectations"`
}

type fewestJSON struct {
	Namespace   string `json:"namespace"`
	StatefulSet string `json:"statefulset"`
	// FewestServing is left out where the set was never complete.
	FewestServing *int `json:"fewestServing,omitempty"`
}

// VariantsJSON writes the comparison as one document, without the timelines.
func VariantsJSON(w io.Writer, c *Comparison) error {
	doc := variantsJSON{Name: c.Name, Groups: c.groupNames(), Partings: []partingJSON{}}
	for i := range c.Versions {
		v := &c.Versions[i]
		as := v.json()
		as.SameOrder = versus.SameOrder(c.Versions[0].Events, v.Events)
		doc.Runs = append(doc.Runs, as)
	}
	for i := range c.Partings {
		doc.Partings = append(doc.Partings, c.Partings[i].json())
	}
	return page.JSON(w, doc)
}

func (v *VersionRun) json() variantJSON {
	f := v.facts()
	as := variantJSON{
		Name: v.Version, File: v.File, T: jsonSeconds(v.end()), Deleted: f.deleted, OK: v.OK, Sets: []fewestJSON{},
		Expectations: expectationsJSON(v.Expectations),
	}
	if f.LastStep != nil {
		took := jsonSeconds(*f.LastStep)
		as.LastStep = &took
	}
	if len(v.Events) > 0 && v.Events[0].Run != nil {
		as.Kubernetes = v.Events[0].Run.Kubernetes
	}
	if last := v.result(); last != nil {
		as.Verdict = last.Result.Verdict
	}
	for _, set := range f.Sets {
		fewest := fewestJSON{Namespace: set.Key.Namespace, StatefulSet: set.Key.Name}
		if set.Complete {
			fewest.FewestServing = &set.Fewest
		}
		as.Sets = append(as.Sets, fewest)
	}
	return as
}
