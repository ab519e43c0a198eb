package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
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
		text, done := rolloutStatus(set, &c.status)
		assert.Equal(t, want, text)
		assert.Equal(t, c.done, done, want)
	}
}

// TestRolloutStatusOfADeletedSet: kubectl ends with an error rather than watch another set of the name.
func TestRolloutStatusOfADeletedSet(t *testing.T) {
	f := newFilm(1)
	f.step(timeline.Step{Verb: "create", Does: "create web", Sets: []*model.StatefulSet{f.set}})
	f.status(0, 0, "v1")
	f.to(2)
	f.controller(timeline.Entry{Kind: timeline.KindStatus, Reason: timeline.ReasonDeleted}.Event())
	var out bytes.Buffer
	require.NoError(t, RolloutStatus(&out, &Run{Events: f.events}))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	assert.Equal(t, "2s  error: object has been deleted", strings.TrimSpace(lines[len(lines)-1]))
}
