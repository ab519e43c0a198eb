package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBudgetInWords: what a budget asks for beside what the rollout leaves, what was so before the change already, and
// what stays so after it.
func TestBudgetInWords(t *testing.T) {
	for _, c := range []struct {
		name, from, to, image, needs, says string
		kept                               bool
	}{
		{"above", "4", "4", "a:2", "2", "asks for 2 healthy pods of 4, and the rollout, which ignores budgets, leaves 3: enough",
			true},
		{"just enough", "3", "3", "a:2", "2", "asks for 2 healthy pods of 3, and the rollout leaves 2, just enough: until it is done, no " +
			"other of these pods can be evicted", true},
		{"just enough for ever", "3", "2", "a:1", "2", "asks for 2 healthy pods of 2, and the rollout leaves 2, just enough: until it is " +
			"done, no other of these pods can be evicted. After the rollout the budget allows no eviction " +
			"either, so the drain of a node with one of these pods never ends", true},
		{"below", "3", "3", "a:2", "3", "asks for 3 healthy pods of 3. A rollout ignores budgets: " +
			"this rollout leaves 2. After the rollout the budget allows no eviction either, so the drain of a node with one of these pods never ends", false},
		{"before the change already", "1", "3", "a:1", "2", "asks for 2 healthy pods of 3, and only 1 serves even before the change", true},
		{"none before the change", "0", "3", "a:1", "2", "asks for 2 healthy pods of 3, and none serves even before the change", true},
		{"no pods", "3", "0", "a:1", "2", "no pods are left for it", true},
		{"none asked for", "3", "3", "a:2", "0", "asks for 0 healthy pods of 3: it allows all evictions", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			budget := fmt.Sprintf(pdb, c.needs)
			s := one(t, probed(web(c.from, "a:1"))+budget, probed(web(c.to, c.image))+budget, &Options{})
			got := strings.TrimPrefix(strings.TrimPrefix(s.Budgets[0].String(), "PodDisruptionBudget all"), ":")
			require.Equal(t, c.says, strings.TrimSpace(got))
			require.Equal(t, c.kept, s.Budgets[0].Kept())
		})
	}
}

// TestEvictionThatABudgetForbids: where a budget has no pod to spare, nobody evicts a pod. It may be deleted, or fail.
func TestEvictionThatABudgetForbids(t *testing.T) {
	for needs, asks := range map[string]string{
		"1": "web-0 is evicted or deleted during the rollout",
		"2": "web-0 is deleted or fails during the rollout (a PodDisruptionBudget prevents neither)",
	} {
		budget := fmt.Sprintf(pdb, needs)
		s := one(t, probed(web("3", "a:1"))+budget, probed(web("3", "a:2"))+budget, &Options{})
		require.Equal(t, asks, caseOf(t, s, "restart").Asks)
	}
}

// TestTrapThatNoRunFallsInto: settings that can loop are an alarm only if a run of the plan loops. With fewer than three
// pods they cannot, and there is nothing to say.
func TestTrapThatNoRunFallsInto(t *testing.T) {
	for replicas, alarms := range map[string]int{"3": 1, "2": 0, "1": 0, "0": 0} {
		s := one(t, probed(web(replicas, "a:1", parallel, typeAlone)), probed(web(replicas, "a:2", parallel, typeAlone)), &Options{})
		found := 0
		for _, a := range s.alarms {
			if a.Trap == "hot-loop" {
				found++
			}
		}
		require.Equal(t, alarms, found, replicas)
		require.NotContains(t, strings.Join(s.Notes, "\n"), "trap")
	}
	s := one(t, probed(web("2", "a:1", parallel, typeAlone)), probed(web("3", "a:1", parallel, typeAlone)), &Options{})
	require.Contains(t, strings.Join(s.Notes, "\n"), "but no run of this plan falls into it")
}

// TestShows: only the runs that a plan has are offered.
func TestShows(t *testing.T) {
	require.Equal(t, []string{"rollout", "broken", "slow", "unready", "restart", "node"},
		plans(t, probed(web("3", "a:1")), probed(web("3", "a:2")), &Options{}).Shows())
	require.Equal(t, []string{"instead"},
		plans(t, probed(web("3", "a:1")), probed(web("3", "a:1", "serviceName: other")), &Options{}).Shows())
	require.Empty(t, plans(t, web("3", "a:1"), web("3", "a:1"), &Options{}).Shows())
}
