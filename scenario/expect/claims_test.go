package expect

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/expect/condition"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func claimEvent(at model.Time, change model.ChangeType, phase string, owners ...string) timeline.Event {
	return timeline.Entry{T: at, Kind: timeline.KindClaim, Set: web,
		Claim: &timeline.Claim{Type: change, Name: "data-web-0", Phase: phase, Owners: owners}}.Event()
}

// TestConditionsSeeClaims asks about claims, which need no set: they may outlive theirs.
func TestConditionsSeeClaims(t *testing.T) {
	is := func(text string, f *timeline.Fold) bool {
		c := compiled(t, text)
		require.True(t, c.Uses.Claims)
		truth, err := (&condition.Evaluator{Condition: c}).At(f)
		require.NoError(t, err)
		return truth
	}
	bound := []timeline.Event{claimEvent(1, model.Added, "Pending"), claimEvent(2, model.Modified, "Bound", "StatefulSet/web")}
	f := folded(bound...)
	require.True(t, is("claims.size() == 1 && claims[0].name == 'data-web-0' && claims[0].phase == 'Bound'", f))
	require.True(t, is("claims.all(c, c.namespace == 'default' && c.statefulset == 'web' && !c.terminating)", f))
	require.True(t, is("claims[0].owners == ['StatefulSet/web'] && claims[0] == claims[0]", f))
	f = folded(append(bound, claimEvent(3, model.Modified, timeline.PhaseTerminating))...)
	require.True(t, is("claims[0].terminating && claims[0].phase == 'Bound' && claims[0].owners.size() == 0", f))
	require.True(t, is("claims.size() == 0", folded(append(bound, claimEvent(4, model.Deleted, "Bound"))...)))
}

func TestAConditionAboutClaimsIsEvaluatedAgainWhenOneChanges(t *testing.T) {
	e := &condition.Evaluator{Condition: compiled(t, "claims.exists(c, c.phase == 'Bound')")}
	f := folded(claimEvent(1, model.Added, "Pending"))
	truth, err := e.At(f)
	require.NoError(t, err)
	require.False(t, truth)
	next := claimEvent(2, model.Modified, "Bound", "Pod/web-0")
	f.Apply(&next)
	truth, err = e.At(f)
	require.NoError(t, err)
	require.True(t, truth)
	require.Equal(t, []string{"claims = [data-web-0 Bound of Pod/web-0]"}, e.Condition.Values(&e.Vars))
}
