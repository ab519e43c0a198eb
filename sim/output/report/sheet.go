package report

import (
	"io"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// sheet is a page with what the reports of this package have in common.
type sheet struct{ *render.Page }

// newSheet returns an empty sheet; the caller calls Flush at the end.
func newSheet(w io.Writer, style render.Style) sheet { return sheet{render.New(w, style)} }
