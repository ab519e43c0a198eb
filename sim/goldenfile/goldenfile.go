// Package goldenfile compares what a test prints with a file that holds what it printed before. The file is also the
// place to see what is printed. `go test -update` writes the files of a package again; what that changes is read as a
// diff before it is committed. Only tests import it.
package goldenfile

import (
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the golden files again")

// Update says whether the golden files are to be written again, for tests whose files hold more than they compare.
func Update() bool { return *update }

// Equal fails the test at once unless the file, a path from the folder of the test, holds just what it got. With
// -update it writes the file, and the folder where there is none yet.
func Equal[Text string | []byte](t testing.TB, file string, got Text) {
	t.Helper()
	Write(t, file, got)
	want, err := os.ReadFile(file)
	require.NoError(t, err, "go test -update writes it")
	equal(t, file, string(want), string(got))
}

// equal fails the test at once unless both are the same. place is where the first stands.
func equal(t testing.TB, place, want, got string) {
	t.Helper()
	name, _, _ := strings.Cut(t.Name(), "/")
	line, was, is := firstDifference(want, got)
	require.Equal(t, was, is, "%s differs, first in line %d; if that is wanted: go test -run '^%s$' -update, and read "+
		"the diff", place, line, name)
}

// firstDifference returns the first line in which two texts differ, counted from 1, with up to ten lines from there on
// of each: a whole file in a failure hides what differs. Of equal texts it returns two empty ones.
func firstDifference(want, got string) (line int, was, is string) {
	wants, gots := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
	for line < min(len(wants), len(gots)) && wants[line] == gots[line] {
		line++
	}
	excerpt := func(lines []string) string { return strings.Join(lines[line:min(line+10, len(lines))], "") }
	return line + 1, excerpt(wants), excerpt(gots)
}

// EqualIn does what Equal does with one of the files of a txtar archive, which holds those of one case side by side.
func EqualIn[Text string | []byte](t testing.TB, archive, name string, got Text) {
	t.Helper()
	text := Read(t, archive)
	i, found := slices.BinarySearchFunc(text.Files, name, func(f txtar.File, name string) int {
		return strings.Compare(f.Name, name)
	})
	if !found {
		require.True(t, *update, "%s has no %s: go test -update writes it", archive, name)
		text.Files = slices.Insert(text.Files, i, txtar.File{Name: name})
	}
	if *update {
		text.Files[i].Data = []byte(got)
		Write(t, archive, txtar.Format(text))
		text = Read(t, archive)
	}
	equal(t, archive+", "+name, string(text.Files[i].Data), string(got))
}

// Read returns the files of an archive, none if there is no archive yet.
func Read(t testing.TB, archive string) *txtar.Archive {
	t.Helper()
	data, err := os.ReadFile(archive)
	if *update && errors.Is(err, fs.ErrNotExist) {
		return &txtar.Archive{}
	}
	require.NoError(t, err, "go test -update writes it")
	return txtar.Parse(data)
}

// Write writes the file if -update is given, and does nothing otherwise.
func Write[Text string | []byte](t testing.TB, file string, text Text) {
	t.Helper()
	if !*update {
		return
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
}
