package explain_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario"
	"github.com/statefulsim/statefulsim/scenario/live/dump"
	"github.com/statefulsim/statefulsim/scenario/live/explain"
	"github.com/statefulsim/statefulsim/scenario/live/oncall"
)

// TestDrawnAssumptions: the page says of each set what its run only takes for granted, and how old its pods are.
func TestDrawnAssumptions(t *testing.T) {
	for situation, assumed := range map[string]string{
		"a-new-pod-that-is-created-for-two-minutes":     "what is late still comes: the containers of web-2 have not started for 118s",
		"a-pod-that-the-kubelet-rejects":                "this ends: web-2 fails again and again",
		"one-replica-has-no-peers":                      "db-0 does not become Ready",
		"a-pod-of-phase-unknown-on-a-node-that-answers": "the kubelet of node-3, which answers, reports web-2",
	} {
		t.Run(situation, func(t *testing.T) {
			d, err := dump.Read([]dump.Source{{Name: "dump.yaml", Data: oncall.Of(situation)}}, dump.Options{})
			require.NoError(t, err)
			s, err := scenario.Parse("s.yaml", []byte("kubernetes: \"1.36\"\nsteps:\n"+three), nil, scenario.Options{})
			require.NoError(t, err)
			lab := labOf(s, d)
			begun := explain.Begin(d, lab, "").All(nil).Runs(lab)[0].Begun
			require.Contains(t, begun.Assumed[d.State.Sets[0].Key()], assumed)
			pod := d.State.Pods[0]
			require.Equal(t, map[model.Key]model.Time{pod.Key(): pod.Created}[pod.Key()], begun.Created[pod.Key()])
			require.Negative(t, begun.Created[pod.Key()])
		})
	}
}
