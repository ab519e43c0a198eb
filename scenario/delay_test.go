package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

func TestParseDelay(t *testing.T) {
	for text, want := range map[string]string{
		"90s": "1m30s", "{uniform: [1s, 3s]}": "{uniform: [1s, 3s]}",
		"{lognormal: {p50: 5s, p99: 30s}}": "{lognormal: {p50: 5s, p99: 30s}}",
	} {
		delay, err := scenario.ParseDelay("--ready", text)
		require.NoError(t, err)
		require.Equal(t, want, delay.String())
	}
	for _, text := range []string{"", "never", "soon", "-1s", "5", "{uniform: [3s, 1s]}", "{uniform", "[1s]", "a: 1\n---\nb: 2", "~"} {
		_, err := scenario.ParseDelay("--ready", text)
		require.ErrorContains(t, err, "--ready", text)
	}
}
