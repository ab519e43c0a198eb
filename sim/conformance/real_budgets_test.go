//go:build real && apiserver && !(v1_16 || v1_22 || v1_24 || v1_27_4 || v1_29 || v1_31 || v1_33 || v1_34 || v1_35 || v1_35_0)

package conformance_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	policyv1 "k8s.io/api/policy/v1"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/policy"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	registry "k8s.io/kubernetes/pkg/registry/policy/poddisruptionbudget"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// TestBudgets holds what is said of random PodDisruptionBudgets against the real API server.
func TestBudgets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawBudget(t)
		if real, ours := realBudget(text), ourBudget(text); real != ours {
			t.Fatalf("%s\n  real: %s\n  sim:  %s", text, real, ours)
		}
	})
}

// drawBudget makes a budget in which each part is mostly right, and sometimes missing or wrong.
func drawBudget(t *rapid.T) []byte {
	part := func(options ...string) string {
		return options[max(0, rapid.IntRange(-len(options), len(options)-1).Draw(t, ""))]
	}
	amount := func(field string) string {
		if value := part("", "1", "0", "-1", `"50%"`, `"0%"`, `"101%"`, `"-5%"`, `"5"`, `"5.5%"`, `"abc"`, `""`); value != "" {
			return fmt.Sprintf("%q: %s, ", field, value)
		}
		return ""
	}
	selector := part(`{"matchLabels": {"app": "web"}}`, `null`, `{}`, `{"matchLabels": {"a b": "c"}}`,
		`{"matchLabels": {"a": "c d"}}`, `{"matchExpressions": [{"key": "a", "operator": "In"}]}`,
		`{"matchExpressions": [{"key": "a", "operator": "Is", "values": ["b"]}]}`,
		`{"matchExpressions": [{"key": "", "operator": "Exists", "values": ["b"]}]}`)
	policy := part(``, `, "unhealthyPodEvictionPolicy": "AlwaysAllow"`, `, "unhealthyPodEvictionPolicy": "Never"`)
	meta := part(``, `, "labels": {"a b": "c"}`, `, "labels": {"a": "-"}, "annotations": {"d e": "f"}`)
	return fmt.Appendf(nil, `{"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "web"%s},
		"spec": {%s%s "selector": %s%s}}`, meta, amount("minAvailable"), amount("maxUnavailable"), selector, policy)
}

func realBudget(text []byte) string {
	given, object := &policyv1.PodDisruptionBudget{}, &policy.PodDisruptionBudget{}
	if err := json.Unmarshal(text, given); err != nil {
		panic(err)
	}
	legacyscheme.Scheme.Default(given)
	if err := legacyscheme.Scheme.Convert(given, object, nil); err != nil {
		panic(err)
	}
	ctx := genericapirequest.WithNamespace(context.Background(), "default")
	ctx = genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		APIGroup: "policy", APIVersion: "v1", Resource: "poddisruptionbudgets", Namespace: "default",
	})
	rest.FillObjectMetaSystemFields(object)
	if err := rest.BeforeCreate(registry.Strategy, ctx, object); err != nil {
		return err.Error()
	}
	return ""
}

func ourBudget(text []byte) string {
	parsed := strict.ParseStream("budget", text, strict.Limits{})
	r := parsed.Reader("budget", strict.Limits{})
	for _, other := range manifest.Read(r, parsed.Docs).Others {
		return other.Budget(r).Wrong
	}
	panic(r.Err())
}
