package files

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLog: what is there already stays until there is a first line, and what is not ours stays for good. Each line is in
// the file as soon as it is added.
func TestLog(t *testing.T) {
	t.Chdir(t.TempDir())
	ours := func(begin []byte) bool { return bytes.HasPrefix(begin, []byte("log")) }
	for name, text := range map[string]string{"old": "log 1\n", "empty": "", "web.yaml": "kind: StatefulSet\n", "behind": "log 2\n"} {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	require.NoError(t, os.Symlink("behind", "link"))
	require.NoError(t, os.Symlink("web.yaml", "other"))
	require.NoError(t, os.Mkdir("folder", 0o755))
	for path, says := range map[string]string{
		"web.yaml":     "web.yaml is there already, and was not written by sim: it is not overwritten, name another file",
		"other":        "other is there already",
		"folder":       "folder: this is a folder: name a file in it",
		"nowhere/file": "open nowhere/file: no such file or directory",
	} {
		_, err := NewLog(path, 0o600, ours)
		require.ErrorContains(t, err, says)
	}
	for _, path := range []string{"new", "old", "empty", "link"} {
		l, err := NewLog(path, 0o600, ours)
		require.NoError(t, err)
		require.NoError(t, l.Close(), "nothing was added")
	}
	require.NoFileExists(t, "new")
	require.Equal(t, "log 1\n", contentOf(t, "old"))

	for _, path := range []string{"new", "old", "empty", "link"} {
		l, err := NewLog(path, 0o600, ours)
		require.NoError(t, err)
		require.NoError(t, l.Add([]byte("log a\n")))
		require.Equal(t, "log a\n", contentOf(t, path))
		require.NoError(t, l.Add([]byte("\x1b b\n")))
		require.Equal(t, "log a\n\\u001b b\n", contentOf(t, path), "before it is closed")
		require.NoError(t, l.Close())
		require.ErrorIs(t, l.Add([]byte("log c\n")), os.ErrClosed)
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode(), path)
	}
	require.Equal(t, "kind: StatefulSet\n", contentOf(t, "web.yaml"))
	require.ElementsMatch(t, []string{"old", "empty", "web.yaml", "behind", "link", "other", "folder", "new"}, names(t))
}
