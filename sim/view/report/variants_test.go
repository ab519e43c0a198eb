package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestVariants holds what the table says of each run, and that what follows is what a comparison of versions has.
func TestVariants(t *testing.T) {
	c := comparisonSample()
	g := c.variantGrid()
	require.Equal(t, []string{"run", "verdict", "last step", "serving", "deleted", "order", "expected"}, g.Header)
	require.Len(t, g.Rows, 3)
	require.Equal(t, g.Rows[0][1:5], g.Rows[1][1:5])
	require.Equal(t, []string{"-", "same", "differs"}, []string{g.Rows[0][5], g.Rows[1][5], g.Rows[2][5]})
	require.Equal(t, "STUCK at "+render.Clock(c.Versions[2].end()), g.Rows[2][1])
	require.Equal(t, "-", g.Rows[2][2], "a run that does not settle takes no time until it has")
	require.Contains(t, g.Rows[2][6], "failed")

	var text, markdown bytes.Buffer
	require.NoError(t, VariantsText(&text, c, render.Style{}))
	require.NoError(t, VariantsMarkdown(&markdown, c))
	for _, out := range []string{text.String(), markdown.String()} {
		require.Contains(t, out, "1.34 and 1.36 behave alike")
		require.Contains(t, out, "1.34 and 1.37 diverge at ")
		require.Contains(t, strings.ToLower(out), "serving")
	}

	for i := range c.Versions {
		run := *c.Versions[i].Run
		run.Expectations = nil
		c.Versions[i].Run = &run
	}
	require.NotContains(t, c.variantGrid().Header, "expected")
	c.Versions[0].Events = nil
	require.Equal(t, []string{"1.34", "cut off", "-", "", "0", "-"}, c.variantGrid().Rows[0])
}
