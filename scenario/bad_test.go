package scenario_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// badInputs are scenarios in which something is wrong, by their names, and one manifest that they apply.
func badInputs(t testing.TB) fstest.MapFS {
	inputs := fstest.MapFS{
		// What nobody could read, or what has no end of its last line, is no part of an archive of text.
		"binary.yaml":    {Data: []byte("\x7fELF\x02\x01\x01\x00\x00")},
		"latin1.yaml":    {Data: []byte("name: caf\xe9\nsteps: []\n")},
		"very-deep.yaml": {Data: []byte(strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000))},
	}
	for _, file := range goldenfile.Read(t, "testdata/bad.txtar").Files {
		if filepath.Ext(file.Name) == ".yaml" {
			inputs[file.Name] = &fstest.MapFile{Data: file.Data}
		}
	}
	return inputs
}

// TestBadInput shows the errors of each bad input below it in testdata/bad.txtar: where, what is wrong, what would be
// right.
func TestBadInput(t *testing.T) {
	inputs := badInputs(t)
	require.Greater(t, len(inputs), 45)
	dir := filepath.Join(t.TempDir(), "bad")
	require.NoError(t, os.CopyFS(dir, inputs))
	for name := range inputs {
		if name == "manifest.yaml" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			_, err := scenario.Load(filepath.Join(dir, name), scenario.Options{})
			require.Error(t, err)
			require.IsType(t, strict.Problems{}, err)
			got := strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
			goldenfile.EqualIn(t, "testdata/bad.txtar", name+".errors", got+"\n")
		})
	}
}
