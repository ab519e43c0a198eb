package report

import (
	"fmt"
	"io"
	"slices"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// VariantsText writes a table of the runs, where they part from the first, and then the runs side by side. Names that
// are too long for that are listed once above, each with a letter that stands for it below.
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

// shortName is the length up to which a letter in a name's place would save too little.
const shortName = 10

// tooWide says whether the names of the runs are too long for the table, or for the columns of the runs side by side.
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
