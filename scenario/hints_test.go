package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
)

// TestHints: where a mistake has one likely meaning, the message writes it out.
func TestHints(t *testing.T) {
	for text, want := range map[string]string{
		"until: 2d\nsteps: []": `f:1:8: "until" is "2d": write 48h: the longest unit is the hour`,
		"featureGates: [MaxUnavailableStatefulSet=true]\nsteps: []":                                                                        "f:1:15: featureGates is a list: write {MaxUnavailableStatefulSet: true}",
		"steps:\n- create: {name: web, replicas: 1, image: a, updateStrategy: OnDelete}":                                                   `updateStrategy is "OnDelete": write {type: OnDelete}`,
		"steps:\n- apply: {apiVersion: apps/v1, kind: StatefulSet, metadata: {name: web}, spec: {template: {spec: {readinessProbe: {}}}}}": "unknown field \"spec.template.spec.readinessProbe\": it belongs to a container: move it below one of containers",
	} {
		_, err := scenario.Parse("f", []byte(text), nil, scenario.Options{})
		require.ErrorContains(t, err, want)
	}
}

// TestDropped: a field that the version drops without a word is a warning with its place.
func TestDropped(t *testing.T) {
	const text = "kubernetes: \"1.36\"\nsteps:\n- create: {name: web, replicas: 1, image: a, updateStrategy: {rollingUpdate: {maxUnavailable: 2}}}\n"
	s, err := scenario.Parse("f", []byte(text), nil, scenario.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"f:3:95: Kubernetes 1.36 drops maxUnavailable: set featureGates: {MaxUnavailableStatefulSet: true}, or leave the field out"}, s.Warnings)
	s, err = scenario.Parse("f", []byte(text), nil, scenario.Options{Gates: map[string]bool{"MaxUnavailableStatefulSet": true}})
	require.NoError(t, err)
	require.Empty(t, s.Warnings)
	s, err = scenario.Parse("f", []byte("kubernetes: \"1.24\"\nsteps:\n- create: {name: web, replicas: 1, image: a, ordinals: {start: 2}}\n"),
		nil, scenario.Options{})
	require.NoError(t, err)
	require.Equal(t, []string{"f:3:64: Kubernetes 1.24 drops ordinals.start: leave the field out, or play a version that has it"}, s.Warnings)
}
