package apiserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	internal "k8s.io/kubernetes/pkg/apis/apps"
	registry "k8s.io/kubernetes/pkg/registry/apps/statefulset"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
	"github.com/statefulsim/statefulsim/sim/conformance/refusals"
)

// TestPodTemplates holds what is said of pod templates against the real API server: of each mistake, and of several at
// once.
func TestPodTemplates(t *testing.T) {
	for _, mistake := range refusals.Mistakes {
		comparePod(t, refusals.PodSpec(mistake))
	}
	if t.Failed() {
		return
	}
	rapid.Check(t, func(t *rapid.T) {
		comparePod(t, refusals.PodSpec(rapid.SliceOfN(rapid.SampledFrom(refusals.Mistakes), 2, 5).Draw(t, "")...))
	})
}

func comparePod(t interface {
	Errorf(format string, args ...any)
}, spec json.RawMessage) {
	given := &apps.StatefulSet{}
	text := fmt.Sprintf(`{"metadata": {"name": "web", "namespace": "default"}, "spec": {"selector": {"matchLabels":
		{"app": "web"}}, "template": {"metadata": {"labels": {"app": "web"}}, "spec": %s}}}`, spec)
	if err := json.Unmarshal([]byte(text), given); err != nil {
		panic(err)
	}
	legacyscheme.Scheme.Default(given)
	object := &internal.StatefulSet{}
	if err := legacyscheme.Scheme.Convert(given, object, nil); err != nil {
		panic(err)
	}
	ctx := genericapirequest.WithNamespace(context.Background(), "default")
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		APIGroup: "apps", APIVersion: "v1", Resource: "statefulsets", Namespace: "default",
	})
	var real []string
	for _, err := range registry.Strategy.Validate(ctx, object) {
		// What is said of a StatefulSet alone is not podspec's.
		text := err.Error()
		if !strings.HasSuffix(text, `supported values: "Always"`) && !strings.Contains(text, "in StatefulSet") {
			real = append(real, text)
		}
	}
	var ours []string
	for _, err := range podspec.ValidateBefore(toOurs(given.Spec.Template.Spec), field.NewPath("spec", "template", "spec")) {
		ours = append(ours, err.Error())
	}
	if !slices.Equal(real, ours) {
		t.Errorf("%s\n  real: %s\n  sim:  %s", spec, strings.Join(real, "\n        "), strings.Join(ours, "\n        "))
	}
}

// toOurs gives a pod spec, with the defaults that the real API server filled in, as sim's own copy of the type.
func toOurs(given core.PodSpec) *corev1.PodSpec {
	text, err := json.Marshal(given)
	if err != nil {
		panic(err)
	}
	spec := &corev1.PodSpec{}
	if err := kube.Unmarshal(text, spec); err != nil {
		panic(err)
	}
	return spec
}
