package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/render"
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

// TestSameFailureOnce: what fails alike under several versions is told once, with the list of them, in the text and in
// the annotations; what fails otherwise under another one is told as well, and each version has its line.
func TestSameFailureOnce(t *testing.T) {
	test := func(version, detail string) Test {
		run := &Run{Name: "web", File: "web.yaml", Events: newFilm(1).events, Expectations: []Expectation{
			{Verdict: Failed, Text: "never: web-0 Ready", Detail: detail, Position: "web.yaml:9:3"},
		}}
		it := NewTest(run, detail == "")
		it.Version = version
		return it
	}
	all := []Test{test("1.34", "at 3s"), test("1.35", ""), test("1.36", "at 5s"), test("1.37", "at 3s")}
	unread := func(version string) Test {
		return Test{File: "bad.yaml", Version: version, Problem: "bad.yaml:1:1: what is this"}
	}
	all = append(all, unread("1.34"), unread("1.35"))
	var text, annotations strings.Builder
	tests := Tests{Out: &text, Style: render.Style{}, FileWidth: 14}
	for i := range all {
		require.NoError(t, tests.Add(&all[i]))
	}
	require.NoError(t, tests.Total(0))
	require.Equal(t, 5, strings.Count(text.String(), "FAILED "), text.String())
	for _, once := range []string{"got       at 3s", "got       at 5s", "under 1.34, 1.37:", "under 1.36:", "under 1.34, 1.35:", "what is this"} {
		require.Equal(t, 1, strings.Count(text.String(), once), "%s\n%s", once, text.String())
	}
	require.True(t, strings.HasSuffix(text.String(), "1 passed, 5 failed\n"), text.String())
	require.NoError(t, Annotations(&annotations, all))
	require.Equal(t, 3, strings.Count(annotations.String(), "::error"), annotations.String())
	require.Contains(t, annotations.String(), "title=web (1.34%2C 1.37)::expected never: web-0 Ready%0Agot at 3s")
}
