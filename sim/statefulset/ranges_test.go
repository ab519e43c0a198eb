package statefulset

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhere holds how the versions of a difference are named, one of each form.
func TestWhere(t *testing.T) {
	for name, want := range map[string]string{
		"truncate-on-error":   "from 1.22",
		"hash-label":          "1.16 to 1.34.1",
		"count-failed-delete": "1.16 to 1.26",
		"status-on-error":     "from 1.24.10",
		"slow-start":          "1.26.7+, from 1.27.4",
		"complete-by-spec":    "1.27.8+, from 1.28.4",
		"next-sync":           "1.28.11+, 1.29.6+, from 1.30.2",
		"max-unavailable":     "1.35.0 to 1.35.3, from 1.37",
		"recreate":            "from 1.38",
	} {
		at := slices.IndexFunc(Differences, func(d Difference) bool { return d.Name == name })
		require.Equal(t, want, Differences[at].Where(), name)
	}
}

// TestRanges: a range that ends within a minor names its last patch, and together the ranges name every version.
func TestRanges(t *testing.T) {
	gate := func(p Profile) string {
		if !p.Knows("MaxUnavailableStatefulSet") {
			return "unknown"
		}
		return map[bool]string{true: "on", false: "off"}[p.Gate("MaxUnavailableStatefulSet")]
	}
	require.Equal(t, []Range{
		{"1.16 to 1.22", "unknown"}, {"1.24 to 1.34", "off"}, {"1.35.0 to 1.35.3", "on"}, {"1.35.4 to 1.36", "off"}, {"from 1.37", "on"},
	}, Ranges(gate))
	each := Ranges(func(p Profile) string { return p.Version() })
	require.Len(t, each, len(levels))
	at := slices.IndexFunc(each, func(r Range) bool { return r.Value == "1.27.4" })
	require.Equal(t, []string{"1.27.0 to 1.27.3", "1.27.4 to 1.27.7", "1.27.8", "1.27.9+"},
		[]string{each[at-1].Text, each[at].Text, each[at+1].Text, each[at+2].Text})
}

// TestAPIChanges: what one version does otherwise is told from both sides, and nothing where they do the same.
func TestAPIChanges(t *testing.T) {
	lookup := func(version string) Profile {
		p, err := Lookup(version)
		require.NoError(t, err)
		return p
	}
	require.Empty(t, APIChanges(lookup("1.35.4"), lookup("1.36")))
	up, down := APIChanges(lookup("1.36"), lookup("1.37")), APIChanges(lookup("1.37"), lookup("1.36"))
	require.Len(t, up, 2)
	require.Len(t, down, 2)
	require.Contains(t, up[0], "is kept, and becomes 1")
	require.Contains(t, down[0], "is dropped")
	mutable := APIChanges(lookup("1.16"), lookup("1.22"))
	require.Equal(t, []string{"The refusal of a change names as mutable 'replicas', 'template', 'updateStrategy' and " +
		"'minReadySeconds'; before: 'replicas', 'template', and 'updateStrategy'."}, mutable)
}

// TestLocked: a gate that is locked is known.
func TestLocked(t *testing.T) {
	p, err := Lookup("1.32")
	require.NoError(t, err)
	require.True(t, p.Locked("StatefulSetAutoDeletePVC") && p.Knows("StatefulSetAutoDeletePVC"))
	require.False(t, p.Locked("MaxUnavailableStatefulSet"))
	require.False(t, p.Knows("NoSuchGate"))
	require.Equal(t, "1.28.11", func() string { p, _ := Lookup("1.28"); return p.Since() }())
	for _, gate := range p.Gates() {
		require.Contains(t, AllGates(), gate)
	}
}
