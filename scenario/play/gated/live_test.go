package gated_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/play/gated"
	"github.com/statefulsim/statefulsim/sim/gate"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestLive: a tool that watches the set hears of a crash loop at the first look at which the set has changed too.
func TestLive(t *testing.T) {
	look := func(ready int32, loops bool) *timeline.Set {
		set := &timeline.Set{Key: model.Key{Namespace: "shop", Name: "web"}, Spec: &model.StatefulSet{}}
		set.Spec.Namespace, set.Spec.Name, set.Spec.Generation, set.Spec.Spec.Replicas = "shop", "web", 2, 2
		set.Status = model.Status{ObservedGeneration: 2, Replicas: 2, Ready: ready}
		if loops {
			set.Pods.Put(&timeline.Pod{Name: "web-1", Ordinal: 1, UID: 1, Phase: model.Running, Shown: "CrashLoopBackOff"})
		}
		return set
	}
	live := gated.Begin(model.Key{Namespace: "shop", Name: "web"}, []*gate.Gate{gate.Helm4, gate.Helm3})
	require.Empty(t, live.See(0, look(0, false)))
	require.Empty(t, live.See(4*time.Second, look(0, true)), "only a pod has changed")
	const fails = "helm-4 fails: resource StatefulSet/shop/web not ready. status: Failed, message: 1 pods have failed"
	require.Equal(t, []gated.Heard{{Text: fails}}, live.See(8*time.Second, look(1, true)))
	require.Equal(t, []*gate.Gate{gate.Helm3}, live.Open())

	answers := live.Answers(nil)
	require.Equal(t, "fails after 8s", answers[0].Verdict())
	require.Equal(t, "never ends", answers[1].Verdict(), "the looks end before the tool does")
}
