package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestATotalOutageIsSeen: a set that is deleted and created again before its pods are gone has none of them, whatever
// they still say of themselves. All that is printed of it says so.
func TestATotalOutageIsSeen(t *testing.T) {
	e, err := load("deletion/created-again-before-the-collector.yaml")
	require.NoError(t, err)
	require.Regexp(t, `(?m)^web +3/3 +0 at 9s +6 +3$`, e.forms["table"])
	require.Regexp(t, `(?m)^\| web +\| 3/3 +\| 0 at 9s +\| 6 +\| 3 +\|$`, e.forms["markdown"])
}
