package html

import (
	"path"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/render"
	"github.com/statefulsim/statefulsim/sim/view/report"
)

// comparisonView is the part above the runs that are compared. Rows has a row for each run, in their order, with as
// many cells as Header has names. Alike are the runs that do the same, in words; there is one of Partings for each
// group but the first.
type comparisonView struct {
	Header   []string
	Rows     [][]lineView
	Alike    []string
	Partings []partingView
	Cures    []cureView
}

// partingView shows where two runs diverge, what each does there, and which difference of their versions causes it.
type partingView struct {
	Heading, Href string
	Sides         []sideView
	// Rules name the differences that make the runs diverge, Causes explain them.
	Rules, Causes []string
}

// sideView is what one of two runs does where they part.
type sideView struct{ Name, Does string }

// viewOfComparison also marks in the data where the runs diverge. In a comparison, a failed expectation that
// belongs to another run is not a failure, and is not marked.
func viewOfComparison(c *report.Comparison, data pageData) *comparisonView {
	v := &comparisonView{}
	header, rows := c.Grid()
	for _, name := range header {
		v.Header = append(v.Header, strings.ToUpper(name[:1])+name[1:])
	}
	for i, row := range rows {
		var cells []lineView
		for j, text := range row {
			class := ""
			if j == 1 && data.Runs[i].Verdict != "settled" {
				class = toneNames[report.Wrong]
			}
			cells = append(cells, lineView{class, render.Visible(text)})
		}
		v.Rows = append(v.Rows, cells)
		data.Runs[i].Failures = []failureData{}
	}
	for _, line := range c.Alike() {
		v.Alike = append(v.Alike, render.Visible(line))
	}
	for i := range c.Partings {
		v.Partings = append(v.Partings, partingOf(c, i, data))
	}
	for _, fix := range c.Fixes() {
		v.Cures = append(v.Cures, cureOf(fix.Lines(), fix.Cure))
	}
	return v
}

// shortened is a comparison of files of one folder by the names of the files alone: the folder says nothing.
func shortened(c *report.Comparison) *report.Comparison {
	names := map[string]bool{}
	for i := range c.Versions {
		name := c.Versions[i].Version
		if path.Dir(name) == "." || path.Dir(name) != path.Dir(c.Versions[0].Version) {
			return c
		}
		names[short(name)] = true
	}
	if len(names) != len(c.Versions) {
		return c
	}
	as := *c
	as.Versions, as.Partings = slices.Clone(c.Versions), slices.Clone(c.Partings)
	for i := range as.Versions {
		as.Versions[i].Version = short(as.Versions[i].Version)
	}
	for i := range as.Partings {
		sides := &as.Partings[i].Names
		sides[0], sides[1] = short(sides[0]), short(sides[1])
	}
	return &as
}

// short is the name of a file without its folder and its extension.
func short(file string) string { return strings.TrimSuffix(path.Base(file), path.Ext(file)) }

// partingOf returns where the group with the given number diverges from the first one.
func partingOf(c *report.Comparison, i int, data pageData) partingView {
	parting := &c.Partings[i]
	v := partingView{Heading: render.Visible(parting.Heading())}
	for _, text := range parting.Sentences() {
		v.Causes = append(v.Causes, render.Visible(text))
	}
	for i := range parting.Causes {
		v.Rules = append(v.Rules, render.Visible(parting.Causes[i].Name))
	}
	for side, does := range parting.Does() {
		v.Sides = append(v.Sides, sideView{render.Visible(parting.Names[side]), render.Visible(does)})
	}
	for _, group := range [][]int{c.Groups[0], c.Groups[i+1]} {
		for _, run := range group {
			stop := stopOf(stopTimes(c.Versions[run].Run), parting.T)
			v.Href = href(run, stop)
			if marks := &data.Runs[run].Partings; !slices.Contains(*marks, stop) {
				*marks = append(*marks, stop)
			}
		}
	}
	return v
}
