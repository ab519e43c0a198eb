package alarm

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario/change/plan/diff"
	"github.com/statefulsim/statefulsim/scenario/change/plan/stored"
)

// TestWhatARefusalIsAbout: it names the fields that cannot be changed, or else says what the API server says.
func TestWhatARefusalIsAbout(t *testing.T) {
	for says, s := range map[string]*stored.Set{
		": spec.serviceName cannot be changed; leave the field as it was": {Fixed: []diff.Change{{Path: "spec.serviceName"}, {Path: "spec.serviceName"}}},
		": a, b cannot be changed; leave the fields as they were":         {Fixed: []diff.Change{{Path: "a"}, {Path: "b"}}},
		": spec.x: Required value":                                        {Message: `StatefulSet.apps "web" is invalid: spec.x: Required value`},
		"":                                                                {Message: "the object has been modified"},
	} {
		require.Equal(t, says, (&Subject{Set: s}).fields())
	}
}
