package scenarios_test

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenarios"
)

// headings are the sections of a lesson, in their order.
var headings = []string{"The question", "What happens, and why", "Try it", "In the documentation of Kubernetes"}

// block matches a block of code in a page: its language and its text.
var block = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// TestLessons holds the form of the course: eleven lessons, numbered from 1, each a scenario and a page of at most one
// screen and a half.
func TestLessons(t *testing.T) {
	pages, err := fs.Glob(scenarios.FS, "learn/*.md")
	require.NoError(t, err)
	played, err := fs.Glob(scenarios.FS, "learn/*.yaml")
	require.NoError(t, err)
	require.Len(t, pages, 11)
	require.Len(t, played, len(pages))
	for i, file := range pages {
		page := pageOf(t, file)
		require.Equal(t, strings.TrimSuffix(played[i], ".yaml"), strings.TrimSuffix(file, ".md"))
		require.True(t, strings.HasPrefix(path.Base(file), fmt.Sprintf("%02d-", i+1)), file)
		require.True(t, strings.HasPrefix(page, fmt.Sprintf("# %d. ", i+1)), file)
		require.Equal(t, headings, headingsOf(page), file)
		require.LessOrEqual(t, strings.Count(page, "\n"), 86, "%s is too long", file)
		for line := range strings.Lines(page) {
			require.LessOrEqual(t, len(strings.TrimSuffix(line, "\n")), 120, "%s: %s", file, line)
		}
		_, links, _ := strings.Cut(page, headings[3])
		require.Contains(t, links, "](https://kubernetes.io/docs/", file)
	}
}

// TestLessonsTellTheTruth plays what the pages show. Code in yaml stands in the scenario. Code in text stands in the
// story: that of the scenario, or after a diff that of the scenario with this change.
func TestLessonsTellTheTruth(t *testing.T) {
	for _, e := range all(t) {
		if path.Dir(e.file) != "learn" {
			continue
		}
		told, excerpts, changes := e.forms["text"], 0, 0
		for _, code := range block.FindAllStringSubmatch(pageOf(t, e.name+".md"), -1) {
			switch text := code[2]; code[1] {
			case "yaml":
				require.Contains(t, e.source, text, e.name)
			case "text":
				require.Contains(t, told, text, e.name)
				excerpts++
			case "diff":
				told = playChanged(t, e, text)
				require.NotEqual(t, e.forms["text"], told, "%s: the change changes nothing", e.name)
				changes++
			default:
				t.Errorf("%s: code in %q is not tried by this test", e.name, code[1])
			}
		}
		require.GreaterOrEqual(t, excerpts, 2, "%s shows what happens, and what a change makes of it", e.name)
		require.Positive(t, changes, "%s has something to try", e.name)
	}
}

func pageOf(t *testing.T, file string) string {
	t.Helper()
	page, err := fs.ReadFile(scenarios.FS, file)
	require.NoError(t, err)
	return string(page)
}

func headingsOf(page string) []string {
	var list []string
	for line := range strings.Lines(page) {
		if heading, is := strings.CutPrefix(line, "## "); is {
			list = append(list, strings.TrimSpace(heading))
		}
	}
	return list
}

// playChanged applies a diff to a scenario and tells the story of what it has become.
func playChanged(t *testing.T, e *entry, diff string) string {
	t.Helper()
	var before, after strings.Builder
	for line := range strings.Lines(diff) {
		if line[0] != '+' {
			before.WriteString(line[1:])
		}
		if line[0] != '-' {
			after.WriteString(line[1:])
		}
	}
	require.Equal(t, 1, strings.Count(e.source, before.String()), "%s: where does this go?\n%s", e.name, diff)
	changed := strings.Replace(e.source, before.String(), after.String(), 1)
	s, err := scenario.Parse(path.Base(e.file), []byte(changed), scenarios.FS, scenario.Options{})
	require.NoError(t, err, e.name)
	forms, err := render(s, s.Run(scenario.RunOptions{}))
	require.NoError(t, err)
	return forms["text"]
}
