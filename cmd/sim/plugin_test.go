package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
)

// TestPlugin: the plugin of kubectl is as krew's index asks: a name of its own words, a short description of at most 50
// characters without a full stop, and archives with the licence and the binary that it installs.
func TestPlugin(t *testing.T) {
	var release struct {
		Builds   []struct{ ID, Binary string }
		Archives []struct {
			IDs   []string
			Files []any
		}
		Krews []struct {
			Name, Homepage, Description string
			IDs                         []string
			Short                       string `yaml:"short_description"`
		}
	}
	data, err := os.ReadFile("../../.goreleaser.yaml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(data, &release))
	require.Len(t, release.Krews, 1)
	plugin := release.Krews[0]
	require.Regexp(t, regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`), plugin.Name)
	require.NotContains(t, plugin.Name, "kube")
	require.LessOrEqual(t, len(plugin.Short), 50)
	require.NotRegexp(t, `\.$`, plugin.Short)
	require.NotEmpty(t, plugin.Description)
	require.Regexp(t, `^https://`, plugin.Homepage)
	require.Equal(t, []string{release.Builds[0].ID}, plugin.IDs)
	require.Equal(t, plugin.IDs, release.Archives[0].IDs)
	require.Contains(t, release.Archives[0].Files, "LICENSE")
	// kubectl finds kubectl-rollout_sim, which krew links to the binary.
	require.Contains(t, markdown(t, "docs/live.md"), "kubectl-rollout_sim")
}
