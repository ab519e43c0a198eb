package reasons_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// TestTold: OrderedReady makes the others wait; Parallel waits for nothing, it is only not complete before.
func TestTold(t *testing.T) {
	for want, why := range map[string]model.Why{
		"not complete until db-2 is gone":                                  {Code: model.WaitingForTermination, Rule: model.RuleParallel},
		"not complete until db-2 is Running and Ready":                     {Code: model.WaitingForReady, Rule: model.RuleParallel},
		"not complete until db-2 has been Ready for minReadySeconds":       {Code: model.WaitingForAvailable, Rule: model.RuleParallel},
		"db-2 is still terminating; its name is not free until it is gone": {Code: model.WaitingForTermination, Rule: model.RuleOneName},
		"db-2 is not Running and Ready; OrderedReady: the other pods and the update wait for db-2": {
			Code: model.WaitingForReady, Rule: model.RuleOrderedReplicas},
	} {
		why.Object = "db-2"
		require.Equal(t, want, reasons.Told(why))
	}
}

// TestShort: a wait for a pod says until when it is, without a code.
func TestShort(t *testing.T) {
	for want, why := range map[string]model.Why{
		"until db-2 is Ready":                           {Code: model.WaitingForReady, Rule: model.RuleOrderedReplicas},
		"until db-2 is gone":                            {Code: model.WaitingForTermination},
		"until db-2 has been Ready for minReadySeconds": {Code: model.WaitingForAvailable},
		"not complete until db-2 is gone":               {Code: model.WaitingForTermination, Rule: model.RuleParallel},
		"for maxUnavailable":                            {Code: model.BudgetSpent},
		"below the partition":                           {Code: model.BelowPartition},
		"StaleClaim db-2":                               {Code: model.StaleClaim},
	} {
		why.Object = "db-2"
		require.Equal(t, want, reasons.Short(why))
	}
}
