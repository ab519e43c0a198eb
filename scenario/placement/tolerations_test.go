package placement_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	helpers "k8s.io/component-helpers/scheduling/corev1"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/scenario/placement"
)

// TestTolerates holds our tolerations to those of Kubernetes' scheduler.
func TestTolerates(t *testing.T) {
	tolerates := plain(helpers.TolerationsTolerateTaint)
	rapid.Check(t, func(t *rapid.T) {
		toleration, taint := drawToleration(t), drawTaint(t)
		want := tolerates([]corev1.Toleration{toleration}, &taint, false)
		require.Equal(t, want, placement.Tolerates(&toleration, &taint))
	})
}

// plain leaves out the logger.
func plain[L, A, B, C, R any](f func(L, A, B, C) R) func(A, B, C) R {
	var none L
	return func(a A, b B, c C) R { return f(none, a, b, c) }
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
