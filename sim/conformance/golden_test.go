package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/statefulset"
)

// elsewhere names the tests that see the differences that no sync can show: those of the API server and of the delays
// between syncs.
var elsewhere = map[string]string{
	"mutable-history-limit": "sim/statefulset/profile_test.go TestMutableFields",
	"retention-field":       "sim/statefulset/profile_test.go TestMutableFields",
	"mutable-in-order":      "sim/statefulset/profile_test.go TestMutableFields",
	// Without the field a set loses what it has there.
	"min-ready-seconds-field": "sim/store/refusals_test.go TestUnknownFields",
	"max-unavailable-field":   "sim/store/refusals_test.go TestUnknownFields",
	"ordinals-field":          "sim/statefulset/profile_test.go TestMutableFields",
	"retention":               "sim/statefulset/retention_test.go TestOwnersOfTheClaimsOfAReplica",
	"start-ordinal":           "sim/statefulset/profile_test.go TestGates",
	"null-timestamps":         "sim/statefulset/revisions_test.go TestAnUpgradeTo134",
	"exact-requeue":           "sim/statefulset/status_test.go TestRequeue",
	"recheck-revisions":       "sim/statefulset/adopt_test.go TestASetThatIsBeingDeletedAdoptsNoRevisions",
	"orphan-revisions":        "sim/statefulset/adopt_test.go TestOrphanRevisionsBesideOwnedOnes",
	"controller-refs":         "sim/statefulset/retention_test.go TestClaimsWithAnotherController",
	"stale-guard":             "sim/statefulset/status_test.go TestTheStaleGuard",
	"field-errors":            "sim/statefulset/profile_test.go TestMutableFields",
	"name-conflicts":          "sim/store/store_test.go TestATakenName",
	"label-name":              "sim/store/refusals_test.go TestNames",
	"own-places":              "scenario/manifest/objects_test.go TestVersionsOfPods",
	"label-service":           "sim/store/refusals_test.go TestNames",
	"check-claims":            "sim/store/refusals_test.go TestClaimTemplates",
	"budget-from-partition":   "sim/statefulset/update_test.go TestTheBudgetFromThePartition",
	"percent-from-partition":  "sim/statefulset/update_test.go TestTheBudgetFromThePartition",
	"condemned-first":         "sim/statefulset/condemned_test.go TestSurplusPodsFirst",
	"restore-spec":            "sim/statefulset/revisions_test.go TestARevisionThatWasEditedByHand",
	"exact-names":             "sim/cache/cache_test.go TestExactNames",
	"declarative-validation":  "sim/store/refusals_test.go TestDeclaredRules",
	"json-values":             "sim/store/refusals_test.go TestValues",
}

func goldens(t *testing.T) []*Golden {
	files, err := filepath.Glob("testdata/syncs/*.jsonl")
	require.NoError(t, err)
	var all []*Golden
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		list, err := ReadGoldens(data)
		require.NoError(t, err, file)
		all = append(all, list...)
	}
	require.Greater(t, len(all), 100)
	return all
}

// TestGoldenSyncs holds the simulator's controller against what Kubernetes' own control code did in recorded
// states, for each version of which a profile exists.
func TestGoldenSyncs(t *testing.T) {
	for _, g := range goldens(t) {
		profile, err := g.State.Profile()
		require.NoError(t, err)
		require.Empty(t, g.Check(profile), "%s %s\n%s", g.State.Kubernetes, g.Difference, g.State)
	}
}

// TestEveryDifferenceIsSeen is the mutation check: for each difference that a profile can have there is a recorded
// sync in which a profile with that difference flipped does not do what the real code did, or another test that
// sees it.
func TestEveryDifferenceIsSeen(t *testing.T) {
	seen := map[string][]string{}
	for _, g := range goldens(t) {
		profile, err := g.State.Profile()
		require.NoError(t, err)
		for _, difference := range statefulset.Differences {
			if difference.Name != g.Difference {
				continue
			}
			require.NotEmpty(t, g.Check(difference.With(profile, !difference.On(profile))),
				"%s without %s does the same\n%s", g.State.Kubernetes, g.Difference, g.State)
			seen[g.Difference] = append(seen[g.Difference], g.State.Kubernetes)
		}
	}
	for _, difference := range statefulset.Differences {
		if len(seen[difference.Name]) > 0 {
			t.Logf("%-24s is seen in %s", difference.Name, strings.Join(seen[difference.Name], " "))
			continue
		}
		place, named := elsewhere[difference.Name]
		require.True(t, named, "no test sees the difference %s", difference.Name)
		file, test, _ := strings.Cut(place, " ")
		data, err := os.ReadFile(filepath.Join("../..", file))
		require.NoError(t, err)
		require.Contains(t, string(data), "func "+test+"(", "%s should see the difference %s", place, difference.Name)
		t.Logf("%-24s is seen by %s", difference.Name, place)
	}
}
