package placement_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
)

// TestKeptFrom: each node has all reasons that the dump shows, and otherwise what the scheduler says besides.
func TestKeptFrom(t *testing.T) {
	named := func(name string, labels map[string]string, taints ...sim.Taint) sim.NodeState {
		return sim.NodeState{Node: sim.Node{Name: name, Labels: labels, Taints: taints,
			Allocatable: map[string]string{"cpu": "2", "pods": "10"}}}
	}
	gpu := map[string]string{"pool": "gpu"}
	cordoned := named("d", map[string]string{})
	cordoned.Cordoned = true
	state := &sim.State{Nodes: []sim.NodeState{
		named("a", map[string]string{}), named("b", gpu), named("c", map[string]string{}),
		cordoned, named("e", gpu, sim.Taint{Key: "k", Value: "v", Effect: "NoSchedule"}),
	}}
	one := resource.MustParse("1")
	pod := func(extended bool) *model.Pod {
		template := &corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeSelector: gpu, Containers: []corev1.Container{{
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: one}}}}}}
		if extended {
			template.Spec.Containers[0].Resources.Requests["nvidia.com/gpu"] = one
		}
		return &model.Pod{Template: &model.Template{Constraints: placement.Of(template)}}
	}
	const labels = "other labels than the pod asks for"
	require.Equal(t, []placement.Kept{
		{Nodes: []string{"a", "c"}, Why: labels + ", no nvidia.com/gpu", Reasons: 2},
		{Nodes: []string{"b"}, Why: "no nvidia.com/gpu", Reasons: 1},
		{Nodes: []string{"d"}, Why: "cordoned, " + labels + ", no nvidia.com/gpu", Reasons: 3},
		{Nodes: []string{"e"}, Why: "the taint k=v:NoSchedule, no nvidia.com/gpu", Reasons: 2},
	}, new(placement.Memory).KeptFrom(state, pod(true), ""))
	says := "0/5 nodes are available: 1 Insufficient memory, 1 node(s) didn't match pod topology spread constraints, " +
		"3 node(s) didn't match Pod's node affinity/selector. preemption: 0/5 nodes are available: 5 Preemption is not helpful."
	kept := new(placement.Memory).KeptFrom(state, pod(false), says)
	require.Equal(t, placement.Kept{Nodes: []string{"b"},
		Why: "the scheduler says: Insufficient memory, didn't match pod topology spread constraints"}, kept[1])
}
