package files

import (
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMade: a file is made only where nothing is, and removed only while it is the one that was made.
func TestMade(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("mine", []byte("mine"), 0o644))
	require.NoError(t, os.Symlink("mine", "link"))
	require.NoError(t, os.Symlink("nowhere", "dangling"))
	require.NoError(t, os.Mkdir("folder", 0o755))
	for _, path := range []string{"mine", "link", "dangling", "folder"} {
		_, err := Make(path, []byte("theirs"), 0o600)
		require.ErrorIs(t, err, os.ErrExist, path)
	}
	require.Equal(t, "mine", contentOf(t, "mine"))
	require.ElementsMatch(t, []string{"mine", "link", "dangling", "folder"}, names(t))

	made, err := Make("new", []byte("new"), 0o600)
	require.NoError(t, err)
	info, err := os.Stat("new")
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode())
	require.Equal(t, "new", contentOf(t, "new"))
	require.NoError(t, made.Remove())
	require.NoFileExists(t, "new")
	require.NoError(t, made.Remove(), "it is gone already")

	for name, replace := range map[string]func() error{
		"another file":            func() error { return os.Rename("other", "new") },
		"a link to the user's":    func() error { return errors.Join(os.Remove("new"), os.Symlink("mine", "new")) },
		"a link to what was made": func() error { return errors.Join(os.Rename("new", "moved"), os.Symlink("moved", "new")) },
	} {
		require.NoError(t, os.WriteFile("other", []byte("other"), 0o644))
		made, err := Make("new", nil, 0o600)
		require.NoError(t, err)
		require.NoError(t, replace(), name)
		require.NoError(t, made.Remove())
		_, err = os.Lstat("new")
		require.NoError(t, err, name)
		require.NoError(t, os.Remove("new"))
	}
	require.Equal(t, "mine", contentOf(t, "mine"))
}

// contentOf returns what is in a file.
func contentOf(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}
