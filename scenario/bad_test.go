package scenario_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

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
	goldenfile.Equal(t, "testdata/bad.golden", got.String())
}
