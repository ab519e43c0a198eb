package scenario_test

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// unreadable are inputs that nobody could read in testdata/bad.
var unreadable = map[string]string{
	"testdata/bad/binary.yaml":    "\x7fELF\x02\x01\x01\x00\x00",
	"testdata/bad/latin1.yaml":    "name: caf\xe9\nsteps: []\n",
	"testdata/bad/very-deep.yaml": strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000),
}

// TestBadInput shows the error of each file in testdata/bad, and of those that are unreadable: where, what is wrong, what
// would be right. All messages are in testdata/bad.golden.
func TestBadInput(t *testing.T) {
	var got strings.Builder
	for _, file := range slices.Sorted(slices.Values(slices.AppendSeq(glob(t, "testdata/bad/*.yaml"), maps.Keys(unreadable)))) {
		if filepath.Base(file) == "manifest.yaml" {
			continue
		}
		var err error
		if text, is := unreadable[file]; is {
			_, err = scenario.Parse(file, []byte(text), nil, scenario.Options{})
		} else {
			_, err = scenario.Load(file, scenario.Options{})
		}
		require.Error(t, err, file)
		require.IsType(t, strict.Problems{}, err)
		got.WriteString("-- " + filepath.Base(file) + "\n" + err.Error() + "\n")
	}
	goldenfile.Equal(t, "testdata/bad.golden", got.String())
}
