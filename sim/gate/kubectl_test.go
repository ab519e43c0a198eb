package gate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestRolloutStatusSentences: each of kubectl's sentences, in the order in which it tries them.
func TestRolloutStatusSentences(t *testing.T) {
	block := &model.RollingUpdate{Partition: 2}
	for want, c := range map[string]struct {
		strategy model.Strategy
		status   model.Status
		done     bool
	}{
		"error: rollout status is only available for RollingUpdate strategy type": {
			model.Strategy{Type: model.OnDeleteStrategy}, model.Status{}, true},
		"Waiting for statefulset spec update to be observed...": {
			model.Strategy{RollingUpdate: block}, model.Status{ObservedGeneration: 1, Ready: 5, Updated: 5}, false},
		"Waiting for 2 pods to be ready...": {
			model.Strategy{RollingUpdate: block}, model.Status{ObservedGeneration: 2, Ready: 3, Updated: 5}, false},
		"Waiting for partitioned roll out to finish: 1 out of 3 new pods have been updated...": {
			model.Strategy{RollingUpdate: block}, model.Status{ObservedGeneration: 2, Ready: 5, Updated: 1}, false},
		"partitioned roll out complete: 3 new pods have been updated...": {
			model.Strategy{RollingUpdate: block}, model.Status{ObservedGeneration: 2, Ready: 5, Updated: 3, UpdateRevision: "b"}, true},
		"waiting for statefulset rolling update to complete 4 pods at revision web-b...": {
			model.Strategy{}, model.Status{ObservedGeneration: 2, Ready: 5, Updated: 4, CurrentRevision: "web-a", UpdateRevision: "web-b"}, false},
		"statefulset rolling update complete 5 pods at revision web-b...": {
			model.Strategy{}, model.Status{ObservedGeneration: 2, Ready: 5, Current: 5, CurrentRevision: "web-b", UpdateRevision: "web-b"}, true},
	} {
		set := &model.StatefulSet{Meta: model.Meta{Generation: 2}, Spec: model.Spec{Replicas: 5, Strategy: c.strategy}}
		verdict := gate.KubectlRolloutStatus.Read(&timeline.Set{Spec: set, Status: c.status})
		assert.Equal(t, want, verdict.Words)
		assert.Equal(t, c.done, verdict.State != gate.InProgress, want)
	}
}

// TestRolledOut: kubectl rollout status returns by the rules of its StatefulSetStatusViewer, in their order.
func TestRolledOut(t *testing.T) {
	block := func(partition int32) *model.RollingUpdate { return &model.RollingUpdate{Partition: partition} }
	for _, c := range []struct {
		name   string
		block  *model.RollingUpdate
		change func(*model.StatefulSet, *model.Status)
		want   bool
	}{
		{"all updated and Ready", block(0), nil, true},
		{"not all updated", block(0), func(_ *model.StatefulSet, s *model.Status) { s.Updated = 2 }, false},
		{"not all Ready", block(0), func(_ *model.StatefulSet, s *model.Status) { s.Ready = 2 }, false},
		{"not all available", block(0), func(_ *model.StatefulSet, s *model.Status) { s.Available = 0 }, true},
		{"more than asked for", block(0), func(_ *model.StatefulSet, s *model.Status) { s.Ready, s.Updated = 4, 4 }, true},
		{"the controller has not seen the change", block(0), func(set *model.StatefulSet, _ *model.Status) { set.Generation = 3 },
			false},
		{"the controller has not seen the set", block(0), func(_ *model.StatefulSet, s *model.Status) { s.ObservedGeneration = 0 },
			false},
		{"all above the partition", block(2), func(_ *model.StatefulSet, s *model.Status) { s.Updated = 1 }, true},
		{"none above the partition", block(2), func(_ *model.StatefulSet, s *model.Status) { s.Updated = 0 }, false},
		{"a partition above all", block(3), func(_ *model.StatefulSet, s *model.Status) { s.Updated = 0 }, true},
		{"no block, one revision", nil, func(_ *model.StatefulSet, s *model.Status) { s.Updated = 0 }, true},
		{"no block, two revisions", nil, func(_ *model.StatefulSet, s *model.Status) { s.UpdateRevision = "b" }, false},
		{"OnDelete", block(0), func(set *model.StatefulSet, s *model.Status) {
			set.Spec.Strategy.Type, s.Ready = model.OnDeleteStrategy, 0
		}, true},
	} {
		set := &timeline.Set{
			Spec:   &model.StatefulSet{Meta: model.Meta{Generation: 2}, Spec: model.Spec{Replicas: 3}},
			Status: model.Status{ObservedGeneration: 2, Ready: 3, Available: 3, Updated: 3, CurrentRevision: "a", UpdateRevision: "a"},
		}
		set.Spec.Spec.Strategy.RollingUpdate = c.block
		if c.change != nil {
			c.change(set.Spec, &set.Status)
		}
		assert.Equal(t, c.want, gate.KubectlRolloutStatus.Read(set).State != gate.InProgress, c.name)
	}
}
