//go:build real && apiserver && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34 || v1_35 || v1_35_0)

package conformance_test

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

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
	"github.com/statefulsim/statefulsim/sim/corpus"
)

// Ours is what looks at a pod spec here.
type Ours struct {
	Validate func(*core.PodSpec, *field.Path) field.ErrorList
	// Words returns what was found in the words of the version.
	Words func(string) string
}

// TestPodTemplates holds what is said of pod templates against the real API server: of each mistake, and of several at
// once.
func TestPodTemplates(t *testing.T) {
	s, ours := &server, Ours{podspec.Validate, func(problem string) string { return problem }}
	switch tested(t).Kubernetes {
	case "1.37":
	case "1.38":
		ours.Words = model.WithOCI
	default:
		ours.Validate = podspec.ValidateBefore
	}
	for _, mistake := range corpus.Mistakes {
		comparePod(t, s, ours, corpus.PodSpec(mistake))
	}
	if t.Failed() {
		return
	}
	rapid.Check(t, func(t *rapid.T) {
		comparePod(t, s, ours, corpus.PodSpec(rapid.SliceOfN(rapid.SampledFrom(corpus.Mistakes), 2, 5).Draw(t, "")...))
	})
}

func comparePod(t interface {
	Errorf(format string, args ...any)
}, s *Server, ours Ours, spec json.RawMessage) {
	given := &apps.StatefulSet{}
	text := fmt.Sprintf(`{"metadata": {"name": "web", "namespace": "default"}, "spec": {"selector": {"matchLabels":
		{"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": %s}}}`, spec)
	if err := json.Unmarshal([]byte(text), given); err != nil {
		panic(err)
	}
	var real []string
	for _, err := range s.Strategy.Validate(Context(), s.Inside(given)) {
		// What is said of a StatefulSet alone is not podspec's.
		text := err.Error()
		if !strings.HasSuffix(text, `supported values: "Always"`) && !strings.Contains(text, "in StatefulSet") {
			real = append(real, text)
		}
	}
	var here []string
	for _, err := range ours.Validate(&given.Spec.Template.Spec, field.NewPath("spec", "template", "spec")) {
		here = append(here, ours.Words(err.Error()))
	}
	if !slices.Equal(real, here) {
		t.Errorf("%s\n  real: %s\n  sim:  %s", spec, strings.Join(real, "\n        "), strings.Join(here, "\n        "))
	}
}
