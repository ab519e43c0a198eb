package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestBadInput shows what is said of each file in testdata/bad: where, what is wrong, what would be right. All messages
// stand in testdata/bad.golden.
func TestBadInput(t *testing.T) {
	var got strings.Builder
	for _, file := range glob(t, "testdata/bad/*.yaml") {
		if filepath.Base(file) == "manifest.yaml" {
			continue
		}
		_, err := scenario.Load(file, scenario.Options{})
		require.Error(t, err, file)
		require.IsType(t, strict.Problems{}, err)
		got.WriteString("-- " + filepath.Base(file) + "\n" + err.Error() + "\n")
	}
	const golden = "testdata/bad.golden"
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.String())
}
