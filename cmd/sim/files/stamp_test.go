package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStamp: what changes the stamp of a file and of a folder, and what does not.
func TestStamp(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("a.yaml", "a")
	write("sub/b.yaml", "b")
	file, n := Stamp([]string{filepath.Join(dir, "a.yaml")})
	require.Equal(t, 1, n)
	folder, n := Stamp([]string{dir})
	require.Equal(t, 2, n)
	for _, c := range []struct {
		name, text   string
		file, folder bool
	}{
		{"report.xml", "x", false, false},
		{"sub/b.yaml", "longer", false, true},
		{"manifest.json", "{}", true, true},
		{"a.yaml", "longer", true, true},
	} {
		write(c.name, c.text)
		ofFile, _ := Stamp([]string{filepath.Join(dir, "a.yaml")})
		ofFolder, _ := Stamp([]string{dir})
		require.Equal(t, c.file, ofFile != file, c.name)
		require.Equal(t, c.folder, ofFolder != folder, c.name)
		file, folder = ofFile, ofFolder
	}
	_, n = Stamp([]string{filepath.Join(dir, "none", "x.yaml")})
	require.Zero(t, n)
}
