package reasons_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/sim/view/reasons"
)

// TestCountsPods: only a quota for the number of pods is one.
func TestCountsPods(t *testing.T) {
	const says = `pods "web-1" is forbidden: exceeded quota: few, requested: `
	for text, counts := range map[string]bool{
		says + "pods=1, used: pods=2, limited: pods=2":                                             true,
		says + "count/pods=1, used: count/pods=2, limited: count/pods=2":                           true,
		says + "requests.cpu=1,pods=1, used: requests.cpu=2,pods=2, limited: cpu=2,pods=2":         true,
		says + "requests.cpu=1, used: requests.cpu=2, limited: requests.cpu=2":                     false,
		says + "requests.cpu=1, used: pods=2, limited: pods=2":                                     false,
		`create Claim data-web-1 failed error: exceeded quota: few, requested: storage=1, used: 2`: false,
		`pods "web-1" is forbidden: requested: pods=1`:                                             false,
	} {
		require.Equal(t, counts, reasons.CountsPods(text), text)
	}
}
