package files

import (
	"archive/zip"
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPacked: an archive is looked into with -R only, as the folders of a folder are, and nothing of it is written.
func TestPacked(t *testing.T) {
	t.Chdir(t.TempDir())
	var archive bytes.Buffer
	w := zip.NewWriter(&archive)
	for name, text := range map[string]string{
		"../b/pods.yaml": "apiVersion: v1\nkind: Pod\n", "b/values.yaml": "replicas: 3\n", "b/old.tar.gz": "x", "b/app.log": "y",
		"chart/Chart.yaml": "name: web\n", "chart/templates/a.yaml": "apiVersion: v1\nkind: Pod\n",
	} {
		file, err := w.Create(name)
		require.NoError(t, err)
		_, err = file.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	require.NoError(t, os.WriteFile("a.zip", archive.Bytes(), 0o600))
	require.NoError(t, os.WriteFile("b.yaml", []byte("kind: Pod\n"), 0o600))
	var told strings.Builder
	f := From{Ctx: t.Context(), Told: &told}
	_, err := f.Packed("a.zip", false, 1<<20)
	require.EqualError(t, err, "a.zip: this is an archive, or a compressed file (zip): pass -R too, which reads what is in it, "+
		"or unpack it")
	none, err := f.Packed("b.yaml", true, 1<<20)
	require.NoError(t, err)
	require.Nil(t, none)
	in, err := f.Packed("a.zip", true, 1<<20)
	require.NoError(t, err)
	require.Len(t, in, 1)
	require.Equal(t, "a.zip/b/pods.yaml", in[0].Name)
	require.Equal(t, "One file has no object of Kubernetes and is left out: a.zip/b/values.yaml\n"+
		"a.zip/chart: a Helm chart, which is left out: pass what helm template a.zip/chart prints, in a file or, through a "+
		"pipe, as -\nAn archive in an archive is not read; unpack it first: a.zip/b/old.tar.gz\n", told.String())
	require.ElementsMatch(t, []string{"a.zip", "b.yaml"}, names(t))
	_, err = f.Packed("a.zip", true, 20)
	require.ErrorContains(t, err, "more than 20 bytes")
}
