package report

import (
	"io"

	"github.com/statefulsim/statefulsim/sim/page"
)

// sheet is a page with what the reports of this package have in common.
type sheet struct{ *page.Page }

func newSheet(w io.Writer, style page.Style) sheet { return sheet{page.New(w, style)} }
