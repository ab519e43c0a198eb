package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/report/html"
)

// built builds the site around a module that is none.
func built(t *testing.T) string {
	if _, err := exec.LookPath("xz"); err != nil {
		t.Skip("no xz")
	}
	dir := t.TempDir()
	module := filepath.Join(dir, "sim.wasm")
	require.NoError(t, os.WriteFile(module, []byte("the module"), 0o600))
	site := filepath.Join(dir, "site")
	require.NoError(t, build(site, module))
	return site
}

func file(t *testing.T, site, name string) []byte {
	data, err := os.ReadFile(filepath.Join(site, name))
	require.NoError(t, err)
	return data
}

// TestSite holds that the site is whole, that it allows the script of sim's pages and no other, that the service worker
// keeps every file of it, and that two builds are the same.
func TestSite(t *testing.T) {
	site, again := built(t), built(t)
	entries, err := os.ReadDir(site)
	require.NoError(t, err)
	worker := string(file(t, site, "sw.js"))
	for _, entry := range entries {
		require.Equal(t, file(t, site, entry.Name()), file(t, again, entry.Name()), entry.Name())
		require.Contains(t, worker, `"`+entry.Name()+`"`)
	}
	require.NotContains(t, worker, "@")
	index := string(file(t, site, "index.html"))
	require.Contains(t, index, "script-src 'self' 'wasm-unsafe-eval' "+html.ScriptSource()+";")
	require.NotRegexp(t, `(src|href)="(https?:)?//`, index)
	require.Contains(t, string(file(t, site, "playground.js")), `const first = "name: a first rollout\n`)
	require.Contains(t, string(file(t, site, "first.html")), "<title>a first rollout · sim</title>")
	shown, err := os.ReadFile("../../docs/stuck.yaml")
	require.NoError(t, err)
	require.Equal(t, string(shown), string(file(t, site, "dump.yaml")), "the dump to try is the one of the README")
	module, err := exec.Command("xz", "--decompress", "--stdout", filepath.Join(site, "sim.wasm.xz")).Output()
	require.NoError(t, err)
	require.Equal(t, "the module", string(module))
}

// TestGallery holds that every scenario of the gallery has a first sentence and the manifests that it names.
func TestGallery(t *testing.T) {
	var themes []theme
	require.NoError(t, json.Unmarshal(file(t, built(t), "gallery.json"), &themes))
	require.Greater(t, len(themes), 20)
	require.Equal(t, []string{"learn", "rolling-update"}, []string{themes[0].Theme, themes[1].Theme}, "what one should see first")
	for _, theme := range themes {
		for _, it := range theme.Scenarios {
			require.NotEmpty(t, it.Description, it.Name)
			require.Regexp(t, "^(data:image/svg|$)", it.Image, it.Name)
			require.NotEmpty(t, it.Files["scenario.yaml"], it.Name)
			if it.Name == "nginx" {
				require.Contains(t, it.Files["nginx/web.yaml"], "kind: StatefulSet")
			}
		}
	}
}

// TestCompletion holds what the editor completes, under node.
func TestCompletion(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("no node")
	}
	site := built(t)
	require.NoError(t, os.WriteFile(filepath.Join(site, "package.json"), []byte(`{"type": "module"}`), 0o600))
	require.NoError(t, os.CopyFS(filepath.Join(site, "testdata"), os.DirFS("testdata")))
	out, err := exec.Command("node", filepath.Join(site, "testdata", "complete.js")).CombinedOutput()
	require.NoError(t, err, "%s", out)
}
