package files

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestWritten: a new file gets its permissions, an old one keeps its own, a link stays one, and nothing is left beside.
func TestWritten(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("old", []byte("old text, which is longer"), 0o600))
	require.NoError(t, os.Symlink("old", "link"))
	require.NoError(t, os.Symlink("later", "dangling"))
	for _, path := range []string{"new", "old", "link", "dangling"} {
		require.NoError(t, Written{Path: path, Text: []byte(path), Mode: 0o644}.Write())
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, path, string(text))
	}
	info, err := os.Lstat("old")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	for _, link := range []string{"link", "dangling"} {
		info, err := os.Lstat(link)
		require.NoError(t, err)
		require.NotZero(t, info.Mode()&os.ModeSymlink)
	}
	require.ErrorIs(t, Written{Path: "old", Fresh: true, Mode: 0o644}.Write(), os.ErrExist)
	require.Error(t, Written{Path: ".", Mode: 0o644}.Write(), "a folder")
	require.Error(t, Written{Path: "nowhere/file", Mode: 0o644}.Write())
	require.ElementsMatch(t, []string{"new", "old", "link", "dangling", "later"}, names(t))
}

// TestLeftBeside: what a process that was killed has left goes with the next write, but not what another one may be
// writing now, and nothing of others.
func TestLeftBeside(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{".sim-1-2.tmp", ".sim-3-4.tmp", ".sim-1-2.tmp.yaml", "sim-1-2.tmp", ".sim.tmp",
		".sim-my-notes.tmp"} {
		require.NoError(t, os.WriteFile(name, nil, 0o600))
		if name != ".sim-3-4.tmp" {
			require.NoError(t, os.Chtimes(name, time.Time{}, time.Now().Add(-2*time.Hour)))
		}
	}
	require.NoError(t, Written{Path: "file", Mode: 0o644}.Write())
	require.ElementsMatch(t, []string{"file", ".sim-3-4.tmp", ".sim-1-2.tmp.yaml", "sim-1-2.tmp", ".sim.tmp",
		".sim-my-notes.tmp"}, names(t))
}

// names lists the folder.
func names(t *testing.T) []string {
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestTwoWrite: of several that write one file at the same time, one wins, and whoever reads meanwhile sees a whole
// text.
func TestTwoWrite(t *testing.T) {
	t.Chdir(t.TempDir())
	texts := []string{strings.Repeat("a", 100_000), strings.Repeat("b", 10)}
	require.NoError(t, Written{Path: "file", Text: []byte(texts[0]), Mode: 0o644}.Write())
	var writers sync.WaitGroup
	for _, text := range texts {
		writers.Go(func() {
			for range 20 {
				if err := (Written{Path: "file", Text: []byte(text), Mode: 0o644}).Write(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 100 {
		text, err := os.ReadFile("file")
		require.NoError(t, err)
		require.Contains(t, texts, string(text))
	}
	writers.Wait()
	require.Equal(t, []string{"file"}, names(t))
}
