package plan

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/run"
)

// TestWhatIsTrapped: a requirement of no traps says which cases do not recover, and no others.
func TestWhatIsTrapped(t *testing.T) {
	wordsOf := func(s *Set) string {
		_, words := s.traps()
		return words
	}
	s := &Set{Cases: []*run.Case{{Name: "slow"}, {Name: "broken", Trap: true}}}
	require.Equal(t, ": broken does not recover by itself", wordsOf(s))
	s.Cases[0].Trap = true
	require.Equal(t, ": slow and broken do not recover by themselves", wordsOf(s))
	require.Empty(t, wordsOf(&Set{Cases: []*run.Case{{Name: "slow"}}}))
}

// TestRequirementsOfSetsThatStayAsTheyAre: what a set that does not change, and is not at rest, does not hold is at the
// top of a comment too.
func TestRequirementsOfSetsThatStayAsTheyAre(t *testing.T) {
	failed := &Requirement{Text: "minReady >= 3", Source: "--require", Got: "2"}
	s := &Set{Name: "web", Requirements: []*Requirement{failed, {Text: "traps == 0", Held: true}}}
	plan := &Plan{Versions: []string{"1.37"}, NotAtRest: []*Set{s}}
	var b strings.Builder
	require.NoError(t, plan.Document().Markdown(&b))
	require.Contains(t, b.String(), "**FAILED: ")
	require.Contains(t, b.String(), "minReady &gt;= 3")
	require.NotContains(t, b.String(), "traps == 0")
}
