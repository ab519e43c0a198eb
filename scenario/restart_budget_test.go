package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestBudgetsWhileTheManagerIsAway: evictions go by the status that the disruption controller has left, and each takes a
// disruption from it, as the Eviction API writes it. What is written of budgets meanwhile is not seen before the
// controller is back (checkAndDecrement in pkg/registry/core/pod/storage/eviction.go).
func TestBudgetsWhileTheManagerIsAway(t *testing.T) {
	const (
		refused    = "The disruption budget web "
		processing = refused + "is still being processed by the server."
	)
	for _, c := range []struct {
		name, maxUnavailable, steps string
		want                        []string
	}{
		{"each eviction takes one", "2", `
- {after: 1s, evict: web-0}
- {after: 1s, evict: web-1}
- {after: 10s, evict: web-2, refused: " "}
- {at: 90s, evict: web-2}
`, []string{"", "", refused + "does not allow evicting pods currently", ""}},
		{"a pod that is down by itself is not counted", "1", `
- {after: 1s, unready: {pod: web-3}}
- {after: 1s, evict: web-0}
- {after: 1s, evict: web-1, refused: " "}
`, []string{"", refused + "does not allow evicting pods currently"}},
		{"the end of the set neither", "1", `
- {after: 1s, delete: {statefulset: web}}
- {after: 1s, evict: web-0}
`, []string{""}},
		{"a new budget is not seen", "", `
- {after: 1s, BUDGET 3 END}
- {after: 1s, evict: web-0, refused: " "}
- {at: 90s, evict: web-0}
`, []string{processing, ""}},
		{"a changed one is not seen", "1", `
- {after: 1s, BUDGET 0 END}
- {after: 1s, evict: web-0, refused: " "}
- {at: 90s, evict: web-0, refused: " "}
`, []string{processing, refused + "needs 4 healthy pods and has 4 currently"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			first := ""
			if c.maxUnavailable != "" {
				first = "- {BUDGET " + c.maxUnavailable + " END}\n"
			}
			require.Equal(t, c.want, evictions(t, first+"- {restartController: {after: 60s}}"+c.steps))
		})
	}
}

// evictions plays steps after the creation of 4 pods, and returns the cause of the refusal of each eviction, or "".
func evictions(t *testing.T, steps string) (causes []string) {
	t.Helper()
	budget := strings.NewReplacer(
		"BUDGET ", "apply: {apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: web}, spec: {maxUnavailable: ",
		" END", ", selector: {matchLabels: {app: web}}}}")
	s, err := scenario.Parse("s.yaml", []byte(budget.Replace(`
kubernetes: "1.36"
steps:
- {create: {name: web, replicas: 4, image: "app:v1", podManagementPolicy: Parallel}}
`+steps)), nil, scenario.Options{})
	require.NoError(t, err)
	for _, e := range s.Run(scenario.RunOptions{}).Timeline {
		if e.Step != nil && e.Step.Verb == "evict" {
			causes = append(causes, e.Step.Cause)
		}
	}
	return causes
}
