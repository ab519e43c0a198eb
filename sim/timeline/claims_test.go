package timeline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

func TestClaimsAreFolded(t *testing.T) {
	var f timeline.Fold
	web := model.Key{Namespace: "default", Name: "web"}
	apply := func(at model.Time, change model.ChangeType, name, phase string, owners ...string) {
		f.Apply(timeline.Entry{T: at, Kind: timeline.KindClaim, Set: web,
			Claim: &timeline.Claim{Type: change, Name: name, Phase: phase, Owners: owners}}.New())
	}
	apply(1, model.Added, "data-web-1", "Pending")
	apply(2, model.Added, "data-web-0", "Pending")
	apply(3, model.Modified, "data-web-1", "Bound")
	apply(4, model.Modified, "data-web-1", "Bound", "Pod/web-1")
	require.Equal(t, []*timeline.ClaimState{
		{Set: web, Name: "data-web-0", Phase: "Pending", Created: 2},
		{Set: web, Name: "data-web-1", Phase: "Bound", Owners: []string{"Pod/web-1"}, Created: 1},
	}, f.Claims())
	changes := f.ClaimChanges
	apply(5, model.Modified, "data-web-1", timeline.PhaseTerminating, "Pod/web-1")
	require.True(t, f.Claims()[1].Terminating)
	require.Equal(t, "Bound", f.Claims()[1].Phase, "a claim that is being deleted keeps its phase")
	apply(6, model.Deleted, "data-web-1", timeline.PhaseTerminating)
	apply(7, model.Added, "data-web-1", "Pending")
	require.Equal(t, &timeline.ClaimState{Set: web, Name: "data-web-1", Phase: "Pending", Created: 7}, f.Claims()[1])
	require.Equal(t, changes+3, f.ClaimChanges)
	apply(8, model.Deleted, "data-web-9", "")
	require.Len(t, f.Claims(), 2, "a recording may begin in the middle")
	apply(9, model.Added, "data-web-0", "Pending")
	require.Len(t, f.Claims(), 2)
	require.Equal(t, model.Time(9), f.Claim("default", "data-web-0").Created, "another one of the name takes its place")
}
