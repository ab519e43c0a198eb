package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGenerated holds the packages to what the modules of go.mod have: run go generate ./scenario/kube after a change of
// their versions, and of roots.txt.
func TestGenerated(t *testing.T) {
	files, err := generate()
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir("..", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "kube.go" || filepath.Dir(file) == ".." {
			return err
		}
		name, _ := filepath.Rel("..", file)
		name = filepath.ToSlash(name)
		text, err := os.ReadFile(file)
		require.Equal(t, string(files[name]), string(text), name)
		delete(files, name)
		return err
	}))
	require.Empty(t, files, "go generate ./scenario/kube writes these files")
}
