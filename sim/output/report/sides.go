package report

import (
	"fmt"
	"io"

	"github.com/statefulsim/statefulsim/sim/output/render"
	"github.com/statefulsim/statefulsim/sim/timeline/versus"
)

// Shown is one case of one set, under both versions.
type Shown struct {
	// Set is NAMESPACE/NAME, Case the name of the case in the catalogue, Does what happens in it.
	Set, Case, Does string
	// Columns are both timelines, and Endings say how each ends; the earlier version first.
	Columns [2]Column
	Endings [2]string
	// API says what the API servers do differently with the set's fields.
	API []string
	// Parting is nil if both behave alike.
	Parting *Parting
	// Advice says how to avoid it; "" if nothing is known.
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
