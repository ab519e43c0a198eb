package judge

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// TestProbing: without a template, or where it says nothing of probes, nothing shows how long a pod may take.
func TestProbing(t *testing.T) {
	require.Zero(t, probing(nil))
	require.Zero(t, probing(&model.Template{}))
}
