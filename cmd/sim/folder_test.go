package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFilesOf: a folder is the manifests in it, as kubectl takes them.
func TestFilesOf(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) []string {
		for i, name := range names {
			names[i] = filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(names[i]), 0o755))
			require.NoError(t, os.WriteFile(names[i], nil, 0o600))
		}
		return names
	}
	files := in("a.yml", "b.json", "below/c.yaml", "z.yaml")
	in("README.md")
	found, err := filesOf(dir, false)
	require.NoError(t, err)
	require.Equal(t, []string{files[0], files[1], files[3]}, found)
	found, err = filesOf(dir, true)
	require.NoError(t, err)
	require.Equal(t, files, found)
	found, err = filesOf(files[0], false)
	require.NoError(t, err)
	require.Equal(t, files[:1], found)
	_, err = filesOf(filepath.Join(dir, "below"), false)
	require.NoError(t, err)
	empty := filepath.Join(dir, "empty")
	require.NoError(t, os.Mkdir(empty, 0o755))
	_, err = filesOf(empty, true)
	require.ErrorContains(t, err, "there is no *.json, *.yaml or *.yml in this folder")
}
