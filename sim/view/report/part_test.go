package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// TestPart holds that a part of a story leaves out other pods and what came before, keeps what the user did, how the run
// ended and the full sentence of a rule, and says that it is a part.
func TestPart(t *testing.T) {
	story := func(part Part) string {
		run := canaryRun()
		run.Part = part
		var b strings.Builder
		require.NoError(t, Text(&b, run, render.Style{Width: 200}))
		return b.String()
	}
	whole, one := story(Part{}), story(Part{Only: []string{"web-1"}})
	for line := range strings.Lines(one) {
		if strings.Contains(line, "web-0 ") || strings.Contains(line, "web-2 ") {
			require.NotRegexp(t, `web-[02] (Pending|Running|Ready|Terminating|Gone)`, line)
		}
	}
	require.Contains(t, one, "only web-1\n")
	require.Contains(t, one, "web-1 Ready")
	require.Contains(t, one, "STEP 2")
	require.Equal(t, strings.Count(whole, "STEP "), strings.Count(one, "STEP "))
	end := whole[strings.LastIndex(whole, "\n\n"):]
	require.True(t, strings.HasSuffix(one, end))

	late := story(Part{Since: model.Time(11e9)})
	require.Contains(t, late, "since 11s\n")
	require.NotContains(t, late, "STEP 1")
	require.True(t, strings.HasSuffix(late, end))

	run := canaryRun()
	require.Empty(t, (&Part{Only: []string{"web-1", "web"}}).Missing(run))
	require.Equal(t, "web-9", (&Part{Only: []string{"web-1", "web-9"}}).Missing(run))
}
