package promise_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/search/promise"
)

func TestWaivers(t *testing.T) {
	young := promise.Breach{Promise: promise.KeepsServing, Rule: model.RuleBrokenFirst}
	for _, c := range []struct {
		breach  promise.Breach
		version string
		name    string
	}{
		{young, "1.37", "young-pods"},
		{young, "1.37.1", "young-pods"},
		{young, "1.36", ""},
		{promise.Breach{Promise: promise.KeepsServing, Rule: model.RuleMaxUnavailable}, "1.37", ""},
		{promise.Breach{Promise: promise.ComesToRest, Kind: "livelock: create web-N, delete web-N"}, "1.37", "hot-loop"},
		{promise.Breach{Promise: promise.KeepsServing, Rule: model.RuleRollingUpdate}, "1.36.3", "two-changes"},
		{promise.Breach{Promise: promise.KeepsServing, Rule: model.RuleRollingUpdate}, "1.37", ""},
		{promise.Breach{Promise: promise.ComesToRest, Kind: "limit"}, "1.37", ""},
		{promise.Breach{Promise: promise.Arrives, Kind: "StaleClaim"}, "1.22", ""},
		{promise.Breach{Promise: promise.Arrives, Kind: "StaleClaim"}, "1.36", "scale-down-taken-back"},
		{promise.Breach{Promise: promise.Stays, Kind: "StaleClaim"}, "1.36", "scale-down-taken-back"},
		{promise.Breach{Promise: promise.Stays}, "1.36", ""},
		{young, "1.36.99", ""},
		{young, "2", ""},
		{young, "1.x", ""},
		{promise.Breach{Promise: promise.KeepsServing, Rule: model.RuleRollingUpdate}, "1", "two-changes"},
	} {
		name := ""
		if w := promise.WaiverOf(&c.breach, c.version); w != nil {
			name = w.Name
			require.Equal(t, w, promise.Waived(w.Name, w.Promise))
		}
		require.Equal(t, c.name, name, "%s on %s", c.breach.Class(), c.version)
	}
	for _, w := range promise.Waivers {
		_, known := promise.Lookup(string(w.Promise))
		require.True(t, known, w.Name)
		require.NotEmpty(t, w.Says)
	}
}

// TestWaiversSayWhere names the versions of each waiver, as docs and reports print them.
func TestWaiversSayWhere(t *testing.T) {
	for _, c := range []struct{ from, to, says string }{
		{"1.23", "1.36", "1.23 to 1.36"},
		{"1.37", "", "from 1.37"},
		{"", "1.36", "up to 1.36"},
		{"", "", "every version"},
	} {
		w := promise.Waiver{From: c.from, To: c.to}
		require.Equal(t, c.says, w.Where())
	}
	require.Equal(t, "from 1.27; from 1.23 with the feature gate StatefulSetAutoDeletePVC",
		promise.Waived("claims-lost", promise.SameClaimAgain).Where())
	require.Nil(t, promise.Waived("two-changes", promise.Arrives))
	require.Nil(t, promise.Waived("young", promise.KeepsServing))
}
