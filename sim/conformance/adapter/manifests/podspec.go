package manifests

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/sim/conformance/adapter/apiserver"
	"github.com/statefulsim/statefulsim/sim/conformance/refusals"
)

// Ours is what looks at a pod spec here.
type Ours func(*core.PodSpec, *field.Path) field.ErrorList

// PodTemplates holds what is said of pod templates against the real API server: of each mistake, and of several at
// once.
func PodTemplates(t *testing.T, s *apiserver.Server, ours Ours) {
	for _, mistake := range refusals.Mistakes {
		comparePod(t, s, ours, refusals.PodSpec(mistake))
	}
	if t.Failed() {
		return
	}
	rapid.Check(t, func(t *rapid.T) {
		comparePod(t, s, ours, refusals.PodSpec(rapid.SliceOfN(rapid.SampledFrom(refusals.Mistakes), 2, 5).Draw(t, "")...))
	})
}

func comparePod(t interface {
	Errorf(format string, args ...any)
}, s *apiserver.Server, ours Ours, spec json.RawMessage) {
	given := &apps.StatefulSet{}
	text := fmt.Sprintf(`{"metadata": {"name": "web", "namespace": "default"}, "spec": {"selector": {"matchLabels":
		{"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": %s}}}`, spec)
	if err := json.Unmarshal([]byte(text), given); err != nil {
		panic(err)
	}
	var real []string
	for _, err := range s.Strategy.Validate(apiserver.Context(), s.Inside(given)) {
		// What is said of a StatefulSet alone is not podspec's.
		text := err.Error()
		if !strings.HasSuffix(text, `supported values: "Always"`) && !strings.Contains(text, "in StatefulSet") {
			real = append(real, text)
		}
	}
	var here []string
	for _, err := range ours(&given.Spec.Template.Spec, field.NewPath("spec", "template", "spec")) {
		here = append(here, err.Error())
	}
	if !slices.Equal(real, here) {
		t.Errorf("%s\n  real: %s\n  sim:  %s", spec, strings.Join(real, "\n        "), strings.Join(here, "\n        "))
	}
}
