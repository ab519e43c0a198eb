package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPagesBeginWithWhatIsInThem holds that a reader finds their way: the README begins with a picture of a run and its
// three uses, then says how to try it from a clone, and it and every longer page list their sections before the first
// one.
func TestPagesBeginWithWhatIsInThem(t *testing.T) {
	readme := markdown(t, "README.md")
	before, _, found := strings.Cut(readme, "![")
	require.True(t, found, "the README has no picture")
	require.LessOrEqual(t, strings.Count(before, "\n"), 4, "lines before its first picture")
	// What has a colon is the address of a badge.
	for _, picture := range regexp.MustCompile(`!\[[^\]]+\]\(([^):]+)\)`).FindAllStringSubmatch(readme, -1) {
		require.FileExists(t, filepath.Join("../..", picture[1]))
	}
	require.LessOrEqual(t, strings.Count(readme, "\n"), 200, "lines of the README: what is longer belongs into docs")
	begin, _, _ := strings.Cut(readme, "\n## ")
	require.LessOrEqual(t, strings.Count(begin, "\n"), 18, "lines before the first section")
	for _, use := range []string{"sim explain", "sim plan", "sim test"} {
		require.Contains(t, begin, use)
	}
	try := strings.SplitN(readme, "\n## ", 3)[1]
	require.Contains(t, try, "go install ./cmd/sim")
	require.Contains(t, try, "docs/playground.md")
	// There is no release, and no address at which anybody finds the module.
	require.NotContains(t, readme, "@latest")
	require.NotContains(t, readme, "https://github.com/statefulsim")

	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, file := range append(files, "../../README.md", "../../scenarios/README.md") {
		if filepath.Base(file) == "CHANGELOG.md" {
			continue
		}
		text := markdown(t, strings.TrimPrefix(file, "../../"))
		sections := regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatchIndex(text, -1)
		if len(sections) < 5 {
			continue
		}
		contents := text[:sections[0][0]]
		for _, at := range sections {
			title := text[at[2]:at[3]]
			require.Contains(t, contents, "(#"+anchor(title)+")", "%s does not list %q before its first section", file, title)
		}
	}
}

// TestPagesBeginWithAnExample: whoever opens a page sees an example on its first screen.
func TestPagesBeginWithAnExample(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, file := range append(files, "../../README.md") {
		if filepath.Base(file) == "CHANGELOG.md" {
			continue
		}
		text := markdown(t, strings.TrimPrefix(file, "../../"))
		before, _, found := strings.Cut(text, "\n```")
		require.True(t, found, "%s has no example", file)
		require.LessOrEqual(t, strings.Count(before, "\n"), 32, "lines of %s before its first example", file)
	}
}

// markdown reads a page of the repository.
func markdown(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../..", name))
	require.NoError(t, err)
	return string(data)
}

// anchor is the address of a section, as the places that show Markdown make it of its title.
func anchor(title string) string {
	kept := regexp.MustCompile("[^a-z0-9 _-]").ReplaceAllString(strings.ToLower(title), "")
	return strings.ReplaceAll(kept, " ", "-")
}
