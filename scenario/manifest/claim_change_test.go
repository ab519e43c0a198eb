package manifest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
)

// TestClassOfABoundClaim: a volume that has a VolumeAttributesClass can get another one, and cannot lose it. If the status
// names no current class, or the claim has no volume, nothing is lost.
func TestClassOfABoundClaim(t *testing.T) {
	const size = `"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}},"volumeName":"v","volumeMode":"Filesystem"`
	claim := func(class string) *model.Claim {
		return &model.Claim{Phase: model.ClaimBound, Data: `{` + size + class + `}`, Facts: &model.ClaimFacts{}}
	}
	const gold, silver, none = `,"volumeAttributesClassName":"gold"`, `,"volumeAttributesClassName":"silver"`, `,"volumeAttributesClassName":""`
	const to = "spec.volumeAttributesClassName: Forbidden: update to "
	const isNot = " is forbidden when status.currentVolumeAttributesClassName is not nil"
	for _, c := range []struct {
		before, after string
		unclassed     bool
		refused       []string
	}{
		{gold, silver, false, nil},
		{gold, "", false, []string{to + "nil" + isNot}},
		{gold, none, false, []string{to + "empty string" + isNot}},
		{gold, "", true, nil},
		{"", gold, false, nil},
		{none, "", false, nil},
	} {
		live := claim(c.before)
		live.Unclassed = c.unclassed
		_, problems := ChangeClaim(live, claim(c.after), true)
		require.Equal(t, c.refused, problems, "%s to %s", c.before, c.after)
	}
}
