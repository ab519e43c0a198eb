package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/output/render"
)

// TestFailure: what was expected and what came instead are the first lines below the line of a test that failed, JUnit's
// message and the annotation say the same, and a block of the timeline is shown once.
func TestFailure(t *testing.T) {
	around := []string{"> 3s       web-0@1 Ready by kubelet"}
	run := &Run{Name: "web", File: "web.yaml", Events: newFilm(1).events, Expectations: []Expectation{
		{Verdict: Failed, Text: "exactly: {is: [" + strings.Repeat("web-0 Ready, ", 40) + "]}", Want: "web-0@1 Ready first",
			Detail: "web-1@1 Ready at 3s", Position: "web.yaml:4:3", Around: around},
		{Verdict: Held, Text: "completes: {}"},
		{Verdict: Failed, Text: "never: web-0 Ready", Detail: "web-0@1 Ready happened at 3s", Position: "web.yaml:9:3", Around: around},
	}}
	test := NewTest(run, false)
	var text, annotations strings.Builder
	tests := Tests{Out: &text, Style: render.Style{}, FileWidth: 10}
	require.NoError(t, tests.Add(&test))
	lines := strings.Split(text.String(), "\n")
	require.Equal(t, []string{"  expected  web-0@1 Ready first (exactly)", "  got       web-1@1 Ready at 3s", "  at        web.yaml:4:3"},
		lines[1:4])
	require.Contains(t, text.String(), "  expected  never: web-0 Ready\n  got       web-0@1 Ready happened at 3s\n")
	require.Equal(t, 1, strings.Count(text.String(), around[0]), text.String())
	require.Contains(t, text.String(), "the timeline around it is the one above")

	require.Equal(t, "expected web-0@1 Ready first (exactly); got web-1@1 Ready at 3s (and 1 more)", failureMessage(&test))
	require.NoError(t, Annotations(&annotations, []Test{test}))
	require.Contains(t, annotations.String(), "title=web::expected web-0@1 Ready first (exactly)%0Agot web-1@1 Ready at 3s")
}
