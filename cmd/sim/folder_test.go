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

// TestFilesOfKustomize: what Kustomize makes of the files of a folder is not in them, so that they are not taken for it.
func TestFilesOfKustomize(t *testing.T) {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		dir := t.TempDir()
		file, web := filepath.Join(dir, name), filepath.Join(dir, "web.yaml")
		require.NoError(t, os.WriteFile(web, nil, 0o600))
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		_, err := filesOf(dir, false)
		require.EqualError(t, err, file+": this folder is for Kustomize: pass what kubectl kustomize "+dir+" prints, or -R "+
			"to read the files as they are")
		files, err := filesOf(dir, true)
		require.NoError(t, err)
		require.Contains(t, files, web)
	}
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "Kustomization"), 0o755))
	_, err := filesOf(dir, false)
	require.ErrorContains(t, err, "there is no *.json", "a folder of that name is nothing to Kustomize")
}
