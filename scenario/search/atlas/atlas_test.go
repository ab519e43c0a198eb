package atlas_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/search/atlas"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// TestTraps plays every trap: at least one version has it, and its story is complete.
func TestTraps(t *testing.T) {
	for i := range atlas.Traps {
		trap := &atlas.Traps[i]
		t.Run(trap.Name, func(t *testing.T) {
			require.NotEmpty(t, versionsOf(t, trap), "no version has it")
			_, known := promise.Lookup(trap.Promise)
			require.True(t, known || trap.Promise == "", trap.Promise)
			for _, text := range []string{trap.Title, trap.When, trap.WayOut, trap.Confirmed} {
				require.NotEmpty(t, text)
			}
		})
	}
}

// versionsOf returns the versions that have a trap, the oldest first.
func versionsOf(t *testing.T, trap *atlas.Trap) []string {
	rows, err := atlas.Rows([]atlas.Trap{*trap}, "", never)
	require.NoError(t, err)
	return rows[0].Kubernetes
}

// never is a user who does not interrupt.
func never() bool { return false }

// TestRowsInterrupted: the traps that were played on all versions are listed, and no other.
func TestRowsInterrupted(t *testing.T) {
	asked := 0
	rows, err := atlas.Rows(atlas.Traps[:3], "", func() bool { asked++; return asked > len(statefulset.Versions())+2 })
	require.NoError(t, err)
	require.Len(t, rows, 1)
}

// TestVersions holds the traps whose versions were confirmed on real control planes.
func TestVersions(t *testing.T) {
	for name, want := range map[string]struct{ has, lacks string }{
		"young-pods":              {"1.37", "1.36"},
		"hot-loop":                {"1.37", "1.36"},
		"hot-loop-second-change":  {"1.37", "1.36"},
		"late-caches":             {"1.36", "1.35.0"},
		"list-from-the-past":      {"1.34", "1.36"},
		"two-changes":             {"1.36", "1.37"},
		"surplus-holds-up":        {"1.38", "1.37"},
		"below-partition":         {"1.37", "1.38"},
		"percent-of-partition":    {"1.38", "1.37"},
		"recreate-by-apply":       {"1.38", "1.37"},
		"budget-of-broken-pods":   {"1.36", "1.37"},
		"completed-pod":           {"1.24", "1.36"},
		"start-moved":             {"1.37", "1.22"},
		"scale-down-taken-back":   {"1.36", "1.24"},
		"broken-image-taken-back": {"1.36", ""},
	} {
		shown, err := atlas.Lookup(name).On(want.has)
		require.NoError(t, err)
		require.True(t, shown.Has, "%s on %s", name, want.has)
		if want.lacks != "" {
			shown, err = atlas.Lookup(name).On(want.lacks)
			require.NoError(t, err)
			require.False(t, shown.Has, "%s on %s", name, want.lacks)
		}
	}
	require.Contains(t, statefulset.Versions(), "1.37")
}

// TestWaiversAgree: sim explore and the atlas say the same about what a version has only with a feature gate.
func TestWaiversAgree(t *testing.T) {
	gated := 0
	for _, w := range promise.Waivers {
		if w.Gate == "" {
			continue
		}
		gated++
		trap := atlas.Lookup(w.Name)
		require.Contains(t, trap.When, "feature gate "+w.Gate, w.Name)
		if strings.Contains(trap.Scenario(), "featureGates") {
			require.Contains(t, trap.When, w.Default, w.Name)
			continue
		}
		require.Equal(t, w.Default, "from "+strings.TrimSuffix(versionsOf(t, trap)[0], ".0"), w.Name)
	}
	require.NotZero(t, gated)
}

// TestPage holds docs/atlas.md to what sim atlas prints.
func TestPage(t *testing.T) {
	var page bytes.Buffer
	rows, err := atlas.Rows(atlas.Traps, "", never)
	require.NoError(t, err)
	require.NoError(t, atlas.Markdown(&page, rows))
	goldenfile.Equal(t, "../../../docs/atlas.md", page.Bytes())
}
