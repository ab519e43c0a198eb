package strict_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestSeparators: a line separates documents where it does for kubectl, and a line that does not is named.
func TestSeparators(t *testing.T) {
	for _, line := range []string{"---", "--- ", "---\t# a comment", "--- # a comment", "---\r"} {
		stream := strict.ParseStream("f", []byte("a: 1\n"+line+"\nb: 2\n"), strict.Limits{})
		require.NoError(t, stream.Problems.Err(), line)
		require.Len(t, stream.Docs, 2, line)
	}
	for _, line := range []string{"--", "----", "------", "---- ", "--- a: 1", "--- {a: 1}", "--- |", "---a"} {
		stream := strict.ParseStream("f", []byte("a:\n  b: 1\n"+line+"\nc: 2\n"), strict.Limits{})
		require.EqualError(t, stream.Problems.Err(), "f:3:1: `"+strings.TrimSpace(line)+"` does not separate documents: "+
			"kubectl takes only `---` on a line of its own", line)
		require.Empty(t, stream.Docs, line)
	}
	within := strict.ParseStream("f", []byte("a: |\n  ----\n  --\n---\nb: 'x\n  ---- y'\n"), strict.Limits{})
	require.NoError(t, within.Problems.Err())
	docs, problems := strict.Parse("f", []byte("--- {a: 1}\n"), strict.Limits{})
	require.NoError(t, problems.Err(), "a scenario is YAML")
	require.Len(t, docs, 1)
}
