package placement_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	realcore "k8s.io/api/core/v1"
	realresource "k8s.io/component-helpers/resource"
	realhelpers "k8s.io/component-helpers/scheduling/corev1"
	"pgregory.net/rapid"

	corev1 "github.com/statefulsim/statefulsim/scenario/kube/api/core/v1"
	"github.com/statefulsim/statefulsim/scenario/kube/component-helpers/resource"
	"github.com/statefulsim/statefulsim/scenario/kube/component-helpers/scheduling/corev1/nodeaffinity"
	"github.com/statefulsim/statefulsim/scenario/placement"
)

// TestReal holds what is taken of Kubernetes' packages, and the tolerations, to the real ones.
func TestReal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		toleration, taint := drawToleration(t), drawTaint(t)
		tolerates := plain(realhelpers.TolerationsTolerateTaint)
		require.Equal(t, tolerates([]realcore.Toleration{as[realcore.Toleration](toleration)}, new(as[realcore.Taint](taint)), false),
			placement.Tolerates(&toleration, &taint))
	})
	rapid.Check(t, func(t *rapid.T) {
		node, selector := drawNode(t), drawSelector(t)
		realNode, realSelector := as[realcore.Node](node), as[realcore.NodeSelector](selector)
		want, wantErr := realhelpers.MatchNodeSelectorTerms(&realNode, &realSelector)
		got, err := nodeaffinity.NewLazyErrorNodeSelector(&selector).Match(&node)
		require.Equal(t, want, got)
		require.Equal(t, wantErr == nil, err == nil)
	})
	pod := realcore.Pod{}
	require.NoError(t, json.Unmarshal([]byte(`{"spec": {"overhead": {"cpu": "10m"},
		"initContainers": [{"name": "a", "resources": {"requests": {"cpu": "2", "memory": "1Gi"}}},
			{"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "100m"}}}],
		"containers": [{"name": "c", "resources": {"requests": {"cpu": "500m", "memory": "3Gi"}}}, {"name": "d"}]}}`), &pod))
	ours := as[corev1.Pod](pod)
	want := realresource.PodRequests(&pod, realresource.PodResourcesOptions{})
	require.Equal(t, as[corev1.ResourceList](want), as[corev1.ResourceList](
		resource.PodRequests(&ours, resource.PodResourcesOptions{})))
}

// plain leaves out the logger.
func plain[L, A, B, C, R any](f func(L, A, B, C) R) func(A, B, C) R {
	var none L
	return func(a A, b B, c C) R { return f(none, a, b, c) }
}

// as turns a value into one of another type with the same JSON.
func as[To, From any](from From) (to To) {
	data, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(data, &to)
	}
	if err != nil {
		panic(err)
	}
	return to
}

func drawTaint(t *rapid.T) corev1.Taint {
	return corev1.Taint{
		Key: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key"), Value: rapid.SampledFrom([]string{"", "x"}).Draw(t, "value"),
		Effect: rapid.SampledFrom([]corev1.TaintEffect{"NoSchedule", "NoExecute", "PreferNoSchedule"}).Draw(t, "effect"),
	}
}

func drawToleration(t *rapid.T) corev1.Toleration {
	return corev1.Toleration{
		Key:      rapid.SampledFrom([]string{"a", "b", ""}).Draw(t, "its key"),
		Value:    rapid.SampledFrom([]string{"", "x"}).Draw(t, "its value"),
		Effect:   rapid.SampledFrom([]corev1.TaintEffect{"NoSchedule", "NoExecute", ""}).Draw(t, "its effect"),
		Operator: rapid.SampledFrom([]corev1.TolerationOperator{"", "Equal", "Exists", "Other"}).Draw(t, "operator"),
	}
}

func drawNode(t *rapid.T) corev1.Node {
	n := corev1.Node{}
	n.Name = "n"
	n.Labels = rapid.MapOf(rapid.SampledFrom([]string{"k", "l"}), rapid.SampledFrom([]string{"1", "2", "x", ""})).Draw(t, "labels")
	return n
}

func drawSelector(t *rapid.T) corev1.NodeSelector {
	s := corev1.NodeSelector{}
	for range rapid.IntRange(0, 2).Draw(t, "terms") {
		term := corev1.NodeSelectorTerm{}
		for range rapid.IntRange(0, 2).Draw(t, "expressions") {
			term.MatchExpressions = append(term.MatchExpressions, corev1.NodeSelectorRequirement{
				Key: rapid.SampledFrom([]string{"k", "l"}).Draw(t, "key"),
				Operator: rapid.SampledFrom([]corev1.NodeSelectorOperator{
					"In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "Other",
				}).Draw(t, "operator"),
				Values: rapid.SliceOfN(rapid.SampledFrom([]string{"1", "2", "x"}), 0, 2).Draw(t, "values"),
			})
		}
		s.NodeSelectorTerms = append(s.NodeSelectorTerms, term)
	}
	return s
}
