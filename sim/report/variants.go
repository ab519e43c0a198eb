package report

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/statefulsim/statefulsim/sim/timeline"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// VariantsText writes a table of the runs, where they part from the first, and then the runs side by side.
func VariantsText(w io.Writer, c *Comparison, style Style) error {
	p := newPage(w, style)
	p.text(0, c.Name, bold)
	p.blank()
	drawn, err := drawTable(c.variantGrid())
	if err != nil {
		return err
	}
	p.verbatim(0, drawn, plain)
	if len(c.alike()) > 0 {
		p.blank()
	}
	p.compared(c)
	return p.flush()
}

// VariantsMarkdown writes the same for a pull request or a page.
func VariantsMarkdown(w io.Writer, c *Comparison) error { return c.markdown(w, c.variantGrid()) }

// variantGrid has a row for each run. What it says of order is against the first.
func (c *Comparison) variantGrid() grid {
	g := grid{title: "runs", header: []string{"run", "verdict", "last step", "fewest serving", "deleted", "order"}}
	judged := false
	for i := range c.Versions {
		judged = judged || len(c.Versions[i].Expectations) > 0
	}
	if judged {
		g.header = append(g.header, "expected")
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
		g.rows = append(g.rows, row)
	}
	return g
}

// row is what one run comes to.
func (v *VersionRun) row() []string {
	sum, c := summarize(v.Events), castOf(v.Events)
	took := "-"
	if last := v.result(); last != nil && last.Result.Verdict == timeline.Settled && len(sum.steps) > 0 {
		step := &sum.steps[len(sum.steps)-1]
		took = clock(step.last.Sub(step.t))
	}
	deleted := 0
	var fewest []string
	for _, set := range sum.sets {
		for _, pod := range set.pods {
			deleted += pod.deletes
		}
		text := "never complete"
		if set.complete {
			text = strconv.Itoa(set.fewest)
		}
		if len(sum.sets) > 1 {
			text = c.set(set.key) + " " + text
		}
		fewest = append(fewest, text)
	}
	return []string{v.Version, ending(v.Events), took, strings.Join(fewest, ", "), strconv.Itoa(deleted)}
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
