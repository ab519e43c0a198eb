package podspec_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	appsv1 "github.com/statefulsim/statefulsim/scenario/kube/api/apps/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/apimachinery/util/validation/field"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
	"github.com/statefulsim/statefulsim/sim/conformance/refusals"
	"github.com/statefulsim/statefulsim/sim/goldenfile"
)

// TestMistakes shows what is said of each mistake. That the real API server says the same of it, alone and beside others,
// is held by make refusals.
func TestMistakes(t *testing.T) {
	var text strings.Builder
	for _, mistake := range refusals.Mistakes {
		spec := refusals.PodSpec(mistake)
		var set appsv1.StatefulSet
		require.NoError(t, json.Unmarshal(fmt.Appendf(nil, `{"spec": {"template": {"spec": %s}}}`, spec), &set))
		manifest.Default(&set)
		fmt.Fprintf(&text, "%s\n", strings.Join(strings.Fields(mistake.Container+mistake.Volumes+mistake.Spec), " "))
		for _, err := range podspec.Validate(&set.Spec.Template.Spec, field.NewPath("spec")) {
			fmt.Fprintf(&text, "  %s\n", err)
		}
	}
	goldenfile.Equal(t, "testdata/mistakes.golden", text.String())
}
