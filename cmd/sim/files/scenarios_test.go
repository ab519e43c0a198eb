package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestLinksToScenarios: a folder's links to files are played, as the files of a mounted ConfigMap are; those to folders
// and to nothing are not.
func TestLinksToScenarios(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"below/..data/a.yaml", "elsewhere/b.yaml"} {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, []byte("steps: []\n"), 0o644))
	}
	link := func(to, name string) { require.NoError(t, os.Symlink(to, filepath.Join("below", name))) }
	link(filepath.Join("..data", "a.yaml"), "a.yaml")
	link(filepath.Join("..", "elsewhere"), "folder.yaml")
	link("nothing", "nothing.yaml")
	found, err := From{}.Scenarios([]string{"below"})
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join("below", "a.yaml")}, found)
}

func TestIsScenario(t *testing.T) {
	t.Chdir(t.TempDir())
	for content, want := range map[string]bool{
		"steps:\n  - create: {}\n":             true,
		"name: x\n\"steps\" : []\n":            true,
		"{\"name\": \"x\", \"steps\": []}":     true,
		"{\n \"name\": 1,\n \"steps\": []\n}":  true,
		"{\"steps\": []}":                      true,
		"Steps:\n  - create: {}\n":             true,
		"step:\n  - create: {}\n":              true,
		"kind: X\nspec:\n  steps: 3\n":         false,
		"# steps: none\nexpect: []\n":          false,
		"expect:\n  - check: {at: steps: 1}\n": false,
		"":                                     false,
	} {
		require.NoError(t, os.WriteFile("x.yaml", []byte(content), 0o644))
		is, err := isScenario("x.yaml")
		require.NoError(t, err)
		require.Equal(t, want, is, content)
	}
}
