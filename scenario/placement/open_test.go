package placement_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/placement"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestUndecidedOfSets: what several sets ask for and nobody decides is said once, with their names.
func TestUndecidedOfSets(t *testing.T) {
	asks := func(name string, edit func(*corev1.PodTemplateSpec)) *model.StatefulSet {
		var template corev1.PodTemplateSpec
		edit(&template)
		return &model.StatefulSet{Meta: model.Meta{Name: name}, Spec: model.Spec{
			Template: &model.Template{Constraints: placement.Of(&template)},
		}}
	}
	held := func(t *corev1.PodTemplateSpec) { t.Finalizers = []string{"example.com/backup"} }
	late := func(t *corev1.PodTemplateSpec) {
		t.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/later"}}
	}
	require.Equal(t, []string{
		"web, db: not modelled: finalizers of the pods (assumed: removed at once)",
		"mq: not modelled: schedulingGates (assumed: removed at once)",
	}, placement.Undecided(&sim.Cluster{}, []*model.StatefulSet{
		asks("web", held), asks("mq", late), asks("db", held), asks("plain", func(*corev1.PodTemplateSpec) {}),
	}))
}

// TestVolumeOutOfReach: a pod is not placed where its volume cannot be used, in the words of its version.
func TestVolumeOutOfReach(t *testing.T) {
	for version, says := range map[string]string{
		"1.37": "1 node(s) didn't match PersistentVolume's node affinity", "1.30": "1 node(s) had volume node affinity conflict",
	} {
		text := "kubernetes: \"" + version + "\"\nnodes: [{name: a, zone: x}, {name: b, zone: y}]\nvolumes: {mode: WaitForFirstConsumer}\n" +
			"steps:" + strings.Replace(set("web", "default", 1, ""), "        template:", "        volumeClaimTemplates: [{metadata: "+
			"{name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]\n        template:", 1) +
			"\n  - cordon: a\n  - delete: pod/web-0\n"
		s, err := scenario.Parse("fit.yaml", []byte(text), nil, scenario.Options{})
		require.NoError(t, err)
		events := s.Run(scenario.RunOptions{}).Timeline
		require.Equal(t, timeline.IsStuck, events[len(events)-1].Result.Verdict)
		_, last := placed(events)
		require.Contains(t, last, says)
		require.Contains(t, last, "1 node(s) were unschedulable")
	}
}
