package files

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestManifests: a folder is the manifests in it, as kubectl takes them.
func TestManifests(t *testing.T) {
	dir := t.TempDir()
	in := func(names ...string) []string {
		for i, name := range names {
			names[i] = filepath.Join(dir, name)
			require.NoError(t, os.MkdirAll(filepath.Dir(names[i]), 0o755))
			require.NoError(t, os.WriteFile(names[i], []byte("apiVersion: v1\nkind: ConfigMap\n"), 0o600))
		}
		return names
	}
	files := in("a.yml", "b.json", "below/c.yaml", "z.yaml")
	in("README.md")
	found, err := (From{Told: io.Discard}).Manifests(dir, false, 1<<20)
	require.NoError(t, err)
	require.Equal(t, []string{files[0], files[1], files[3]}, found)
	found, err = (From{Told: io.Discard}).Manifests(dir, true, 1<<20)
	require.NoError(t, err)
	require.Equal(t, files, found)
	found, err = (From{Told: io.Discard}).Manifests(files[0], false, 1<<20)
	require.NoError(t, err)
	require.Equal(t, files[:1], found)
	_, err = (From{Told: io.Discard}).Manifests(filepath.Join(dir, "below"), false, 1<<20)
	require.NoError(t, err)
	empty := filepath.Join(dir, "empty")
	require.NoError(t, os.Mkdir(empty, 0o755))
	_, err = (From{Told: io.Discard}).Manifests(empty, true, 1<<20)
	require.ErrorContains(t, err, "there is no manifest in this folder")
}

// TestManifestsRepository: with -R a folder may have files that are no manifests, and Helm charts. They are left out,
// and standard error says so. A file that is named is never left out.
func TestManifestsRepository(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	want := []string{write("apps/broken.yaml", "apiVersion: v1\nkind: [\n"), write("apps/web.yaml", "kind: A\napiVersion: v1\n"),
		write("one.json", `{"kind": "A", "apiVersion": "v1"}`)}
	values := write("values.yaml", "replicas: 3\nimage: {tag: v1}\n")
	write("charts/web/Chart.yaml", "apiVersion: v2\nname: web\n")
	write("charts/web/templates/web.yaml", "kind: {{ .Values.kind }}\napiVersion: v1\n")
	var told strings.Builder
	s := From{Told: &told}
	found, err := s.Manifests(dir, true, 1<<20)
	require.NoError(t, err)
	require.Equal(t, want, found)
	chart := filepath.Join(dir, "charts", "web")
	require.Equal(t, "One file has no object of Kubernetes and is left out: "+values+"\n"+chart+": a Helm chart, which is left "+
		"out: pass what helm template "+chart+" prints, in a file or, through a pipe, as -\n", told.String())
	found, err = s.Manifests(values, true, 1<<20)
	require.NoError(t, err)
	require.Equal(t, []string{values}, found)
	for _, recursive := range []bool{false, true} {
		_, err = s.Manifests(chart, recursive, 1<<20)
		require.EqualError(t, err, filepath.Join(chart, "Chart.yaml")+": this is a Helm chart: pass what helm template "+chart+
			" prints, in a file or, through a pipe, as -")
	}
}

// TestManifestsKustomize: what Kustomize makes of the files of a folder is not in them, so that they are not taken for
// it.
func TestManifestsKustomize(t *testing.T) {
	for _, name := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
		dir := t.TempDir()
		file, web := filepath.Join(dir, name), filepath.Join(dir, "web.yaml")
		require.NoError(t, os.WriteFile(web, []byte("kind: A\napiVersion: v1\n"), 0o600))
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		_, err := (From{Told: io.Discard}).Manifests(dir, false, 1<<20)
		require.EqualError(t, err, file+": this folder is for Kustomize: pass what kubectl kustomize "+dir+" prints, or -R "+
			"to read the files as they are")
		files, err := (From{Told: io.Discard}).Manifests(dir, true, 1<<20)
		require.NoError(t, err)
		require.Contains(t, files, web)
	}
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "Kustomization"), 0o755))
	_, err := (From{Told: io.Discard}).Manifests(dir, false, 1<<20)
	require.ErrorContains(t, err, "there is no *.json", "a folder of that name is nothing to Kustomize")
}
