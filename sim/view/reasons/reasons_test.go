package reasons_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// TestReleaseSeesTheWorld: what ends a termination depends on who could end it.
func TestReleaseSeesTheWorld(t *testing.T) {
	why := model.Why{Code: model.WaitingForTermination, Object: "web-1"}
	for _, c := range []struct {
		name  string
		world reasons.World
		want  string
	}{
		{"a pod that stops", reasons.World{}, "at the latest after its grace period"},
		{"a node that is down", reasons.World{Namespace: "prod", Node: "node-2", Down: true},
			"Only if the process has certainly ended: kubectl -n prod delete pod web-1 --force --grace-period=0"},
		{"a node out of service", reasons.World{Node: "node-2", Down: true, OutOfService: true}, "garbage collector"},
		{"a finalizer", reasons.World{Finalizers: []string{"example.com/backup"}, Forever: true}, "example.com/backup"},
		{"a process that never ends", reasons.World{Forever: true}, "its containers do not stop"},
	} {
		got := reasons.Release(why, c.world)
		require.Contains(t, got, c.want, c.name)
		require.Equal(t, c.name == "a pod that stops", got == reasons.Release(why, reasons.World{}), c.name)
	}
	deadlock := model.Why{Code: model.WaitingForTermination, Object: "web-1", Rule: model.RuleClaimOfPod}
	require.Contains(t, reasons.Release(deadlock, reasons.World{Forever: true}), "deletes web-1 once more")
}
