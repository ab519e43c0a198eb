package report

import (
	"io"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// Table writes a summary of the run as tables: steps, sets and pods, and the revisions of
// sets that have more than one, and what is not well at the end beside the pods. Expectations stand below them as in
// Text.
func Table(w io.Writer, run *Run, style render.Style) error {
	p := newSheet(w, style)
	p.heading(run)
	sum, c := summarize(run.Events), castOf(run.Events)
	all := append(grids(sum, c), historyGrids(run.Events, c, 1)...)
	for _, g := range append(all, thingGrids(run)...) {
		p.Blank()
		p.Text(0, g.Title, render.Bold)
		p.Table(g)
	}
	p.Blank()
	for _, fact := range facts(run, sum, c) {
		p.Text(0, fact, render.Plain)
	}
	p.verdict(run, sum, c)
	p.expectations(run)
	p.repeat(run)
	return p.Flush()
}
