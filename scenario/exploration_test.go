package scenario_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/sim/choose"
)

const explored = `steps:
  - create: {name: web, replicas: 2, image: "app:v1"}
explore:
`

func TestExploration(t *testing.T) {
	s, err := scenario.Parse("f", []byte(explored+`
  may:
    - {delete: "pod/web-*", times: 2}
    - {write: {verb: delete, kind: pod}, loseAnswer: true}
    - {scale: {replicas: 3}}
  steps: settled
  open: [ties, chances]
  regimes: [{apiserver: {watch: 3s}, kubelet: {start: 9s}}]
  bounds: {deviations: 2, acts: 1, instants: 50}
`), nil, scenario.Options{})
	require.NoError(t, err)
	e := s.Exploration
	require.Len(t, e.May, 3)
	require.Equal(t, 2, e.May[0].Times)
	require.Nil(t, e.May[0].Fault)
	require.True(t, e.May[1].Fault.LoseAnswer)
	require.True(t, e.Settled)
	require.False(t, e.Usual, "may stands in the place of what is usual")
	require.Equal(t, []choose.Kind{choose.Tie, choose.Fault}, e.Open)
	require.Len(t, e.Regimes, 1)
	require.Equal(t, [3]int{2, 1, 50}, [3]int{e.Deviations, e.Acts, e.Instants})
	require.Nil(t, s.Machinery.Watch, "the regime is not the scenario's own")
	require.Len(t, s.Steps, 1)
	require.Empty(t, s.Faults)
}

func TestExplorationProblems(t *testing.T) {
	for block, want := range map[string]string{
		"  mya: []":                                       `f:4:3: unknown key "mya": did you mean may?`,
		"  may: [{delete: pod/web-0, at: 3s}]":            `f:4:29: unknown key "at"`,
		"  may: [{delete: pod/db-*}]":                     "f:4:18: the pod db-0 belongs to no StatefulSet",
		"  may: [{write: {verb: delete}}]":                "f:4:9: the fault does nothing",
		"  may: [{write: {verb: dlete}, error: Timeout}]": "dlete",
		"  may: [{restart: web, times: 0}]":               "times",
		"  open: [watches]":                               "f:4:10: open has",
		"  steps: late":                                   "steps",
		"  regimes: [{}]":                                 "f:4:13: the regime changes nothing: give it one of kubelet",
		"  regimes: [{apiserver: {wach: 3s}}]":            `unknown key "wach"`,
		"  bounds: {deviations: 99}":                      "deviations",
	} {
		_, err := scenario.Parse("f", []byte(explored+block+"\n"), nil, scenario.Options{})
		require.ErrorContains(t, err, want, block)
	}
}
