package goldenfile

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A trial is a test that may fail without failing this one.
type trial struct {
	testing.TB
	says string
}

func (t *trial) Helper()                         {}
func (t *trial) Name() string                    { return "TestText/narrow" }
func (t *trial) Errorf(form string, args ...any) { t.says += fmt.Sprintf(form, args...) }
func (t *trial) FailNow()                        { panic(t) }

// verdict is what a comparison with the file says, "" where they are the same.
func verdict(of testing.TB, file, got string) string {
	return verdictOf(of, func(t testing.TB) { Equal(t, file, got) })
}

func verdictOf(of testing.TB, compare func(testing.TB)) (says string) {
	t := &trial{TB: of}
	defer func() {
		if failed := recover(); failed != nil {
			says = t.says
		}
	}()
	compare(t)
	return ""
}

// TestEqual: a file that is missing or differs fails the test, and is left alone unless -update is given.
func TestEqual(t *testing.T) {
	file := filepath.Join(t.TempDir(), "testdata", "text.txt")
	require.Contains(t, verdict(t, file, "a\n"), "-update writes it")
	require.NoFileExists(t, file)

	*update = true
	require.Empty(t, verdict(t, file, "a\n"))
	*update = false

	require.Empty(t, verdict(t, file, "a\n"))
	says := verdict(t, file, "b\n")
	require.Contains(t, says, "text.txt differs, first in line 1; if that is wanted: go test -run '^TestText$' -update, and read the diff")
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "a\n", string(data))
}

// TestEqualIn: so does an archive that lacks a file, or has another; the other files of it stay as they are.
func TestEqualIn(t *testing.T) {
	archive := filepath.Join(t.TempDir(), "testdata", "case.txtar")
	verdict := func(name, got string) string {
		return verdictOf(t, func(t testing.TB) { EqualIn(t, archive, name, got) })
	}
	require.Contains(t, verdict("b.txt", "b\n"), "-update writes it")
	require.NoFileExists(t, archive)

	*update = true
	require.Empty(t, verdict("b.txt", "b\n"))
	require.Empty(t, verdict("a.txt", "a\n"))
	require.Contains(t, verdict("c.txt", "c"), "c.txt differs", "an archive cannot hold a file without an end of its last line")
	require.Empty(t, verdict("c.txt", "c\n"))
	*update = false

	require.Empty(t, verdict("b.txt", "b\n"))
	require.Contains(t, verdict("a.txt", "b\n"), "case.txtar, a.txt differs, first in line 1; if that is wanted: go test -run '^TestText$' -update")
	require.Contains(t, verdict("d.txt", "d\n"), "case.txtar has no d.txt: go test -update writes it")
	data, err := os.ReadFile(archive)
	require.NoError(t, err)
	require.Equal(t, "-- a.txt --\na\n-- b.txt --\nb\n-- c.txt --\nc\n", string(data))
}

// TestFirstDifference: a failure shows what differs from the first line on that does, and ten lines of it at most.
func TestFirstDifference(t *testing.T) {
	long := strings.Repeat("x\n", 12)
	for _, c := range []struct {
		name, want, got string
		line            int
		was, is         string
	}{
		{"the first line", "a\nb\n", "c\nb\n", 1, "a\nb\n", "c\nb\n"},
		{"the second line", "a\nb\n", "a\nc\n", 2, "b\n", "c\n"},
		{"a line more", "a\n", "a\nb\n", 2, "", "b\n"},
		{"a line less", "a\nb\n", "a\n", 2, "b\n", ""},
		{"no end of the line", "a\n", "a", 1, "a\n", "a"},
		{"many lines", "a\nb\n" + long, "a\n" + long, 2, "b\n" + long[:18], long[:20]},
		{"nothing", "a\nb\n", "a\nb\n", 4, "", ""},
	} {
		line, was, is := firstDifference(c.want, c.got)
		require.Equal(t, c.line, line, c.name)
		require.Equal(t, c.was, was, c.name)
		require.Equal(t, c.is, is, c.name)
	}
}
