package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestDelayWords: what is wrong with a time is said where it stands, also where it is no YAML at all.
func TestDelayWords(t *testing.T) {
	for text, says := range map[string]string{
		"{uniform":              "--ready:1:1: this is not YAML",
		"a: 1\n---\nb: 2":       "--ready:3:1: the file has more than one document",
		"never":                 `--ready: "never" is not a duration: write one like 90s, or a distribution like {uniform: [1s, 3s]}`,
		"{unifrm: [1s, 3s]}":    "--ready:1:2: ",
		"5":                     "--ready:1:1: --ready is 5: a duration needs a unit: for example 5s",
		"{uniform: [3s, 1s, ]}": "--ready:1:",
	} {
		_, err := scenario.ParseDelay("--ready", text)
		require.ErrorContains(t, err, says, text)
	}
}
