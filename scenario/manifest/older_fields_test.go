package manifest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPodFields: the API that is linked has all fields that older versions drop, under these names.
func TestPodFields(t *testing.T) {
	for i := range podFields {
		_, found := podFields[i].field()
		require.True(t, found, "%T has no field %s", podFields[i].of, podFields[i].name)
	}
}
