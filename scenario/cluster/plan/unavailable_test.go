package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNotesOnce: what is assumed of an object is said once, however often the object stands in the files.
func TestNotesOnce(t *testing.T) {
	const quota = "---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: all}\n"
	const limits = "---\napiVersion: v1\nkind: LimitRange\nmetadata: {name: small}\n"
	plan := plans(t, probed(web("2", "a:1"))+quota, probed(web("2", "a:2"))+quota+quota+limits, &Options{})
	require.Equal(t, []string{
		"The ResourceQuota all is not modelled. Assumed: it refuses nothing.",
		"The LimitRange small is not modelled. Assumed: it changes and refuses no pod.",
	}, plan.Notes)
}
