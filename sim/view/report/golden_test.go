package report

import (
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// golden compares with the file of that name in the archive of its case: the words before the first dot or dash.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	goldenfile.EqualIn(t, archiveOf(name), name, got)
}

func archiveOf(name string) string {
	return filepath.Join("testdata", name[:strings.IndexAny(name, ".-")]+".txtar")
}

// goldenOf returns what golden compares with.
func goldenOf(t *testing.T, name string) []byte {
	for _, f := range goldenfile.Read(t, archiveOf(name)).Files {
		if f.Name == name {
			return f.Data
		}
	}
	t.Fatalf("there is no %s", name)
	return nil
}

// TestGolden compares every format with its golden file, which is also the place to see what it looks like.
func TestGolden(t *testing.T) {
	styled := func(write func(io.Writer, *Run, render.Style) error, style render.Style) func(io.Writer, *Run) error {
		return func(w io.Writer, run *Run) error { return write(w, run, style) }
	}
	formats := []struct {
		name  string
		write func(io.Writer, *Run) error
	}{
		{"text", styled(Text, render.Style{})},
		{"narrow.text", styled(Text, render.Style{Width: 50})},
		{"color.text", styled(Text, render.Style{Color: true})},
		{"table", styled(Table, render.Style{})},
		{"narrow.table", styled(Table, render.Style{Width: 60})},
		{"json", JSON},
		{"jsonl", JSONLines},
		{"watch", Watch},
		{"rollout", RolloutStatus},
		{"history", History},
		{"md", Markdown},
	}
	runs := []struct {
		name string
		run  *Run
	}{{"canary", canaryRun()}, {"stuck", stuckRun()}, {"livelock", livelockRun()},
		{"nodes", nodesRun()}, {"rare", rareRun()}}
	for _, format := range formats {
		for _, run := range runs {
			t.Run(run.name+"."+format.name, func(t *testing.T) {
				var first, again bytes.Buffer
				require.NoError(t, format.write(&first, run.run))
				require.NoError(t, format.write(&again, run.run))
				require.Equal(t, first.String(), again.String(), "two reports of one run differ")
				golden(t, run.name+"."+format.name, first.Bytes())
			})
		}
	}
}

// TestTableFits holds that a summary fits into terminals of any usual width, and breaks lines between words, or after
// the marks within them: a command alone, which is to be copied, may be wider.
func TestTableFits(t *testing.T) {
	words := func(text string) map[string]bool {
		all := map[string]bool{}
		for _, word := range regexp.MustCompile(`[\pL\d]+`).FindAllString(text, -1) {
			all[word] = true
		}
		return all
	}
	for _, run := range []*Run{canaryRun(), stuckRun(), livelockRun(), nodesRun(), rareRun()} {
		var wide strings.Builder
		require.NoError(t, Table(&wide, run, render.Style{Width: 1000}))
		for width := 60; width <= 130; width += 5 {
			var out strings.Builder
			require.NoError(t, Table(&out, run, render.Style{Width: width}))
			for line := range strings.Lines(out.String()) {
				line = strings.TrimRight(line, "\n")
				if render.Width(line) > width {
					require.Regexp(t, `^\s*(sim|kubectl|try: sim) `, line, "%s in %d columns", run.Name, width)
				}
			}
			got := words(out.String())
			for word := range words(wide.String()) {
				require.True(t, got[word], "%s in %d columns: the word %q is broken", run.Name, width, word)
			}
		}
	}
}
