package scheduler_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/scheduler"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// claims are those that have their volumes.
type claims map[string]bool

func (c claims) Ready(key model.Key) (bool, string) { return c[key.Name], "no volume" }

func (c claims) Reach(model.Key) string { return "" }

// TestSchedulerAlone binds pods to the node with the fewest, lets one wait for its claim, and others for a node.
func TestSchedulerAlone(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	n := nodes.New(k, s, nodes.Config{Nodes: []nodes.Spec{{Name: "a"}, {Name: "b"}}})
	bound := claims{}
	sched := scheduler.New(k, s, log, n, bound)
	sched.Takes(&behaviour.Behaviour{Default: behaviour.Times{Schedule: behaviour.Constant(time.Second)}})
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, sched.SeePod)
	s.Watch(model.KindClaim, sched.SeeClaim)
	user := s.As(store.By{Actor: timeline.User})
	create := func(name, claim string) {
		pod := &model.Pod{Meta: model.Meta{Namespace: "default", Name: name}, Template: &model.Template{}}
		if claim != "" {
			pod.Volumes = []model.Volume{{Name: "data", Claim: claim}}
		}
		_, err := user.CreatePod(pod)
		require.Nil(t, err)
	}
	pass := func(d time.Duration) {
		for end := k.Now().Add(d); ; {
			for k.Next() {
			}
			next, any := k.Peek()
			if !any || next > end {
				k.Advance(end)
				return
			}
			k.Advance(next)
		}
	}
	node := func(pod string) string { return s.Pod(model.Key{Namespace: "default", Name: pod}).Node }

	create("web-0", "")
	create("web-1", "")
	pass(999 * time.Millisecond)
	require.Empty(t, node("web-0"), "binding takes its time")
	pass(time.Second)
	require.Equal(t, []string{"a", "b"}, []string{node("web-0"), node("web-1")})

	create("web-2", "data-web-2")
	pass(2 * time.Second)
	require.Empty(t, node("web-2"))
	bound["data-web-2"] = true
	_, err := user.GiveClaim(&model.Claim{Meta: model.Meta{Namespace: "default", Name: "data-web-2"}})
	require.Nil(t, err)
	pass(0)
	require.Equal(t, "a", node("web-2"), "it is tried again at once")

	n.Cordon("a", true)
	n.Cordon("b", true)
	create("web-3", "")
	pass(2 * time.Second)
	last := k.Events()[len(k.Events())-1]
	require.Equal(t, "0/2 nodes are available: 2 node(s) were unschedulable. no new claims to deallocate, "+
		"preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.", last.Message)
	n.Cordon("a", false)
	sched.Retry()
	pass(2 * time.Second)
	require.Equal(t, "a", node("web-3"))
	require.Empty(t, s.Pod(model.Key{Namespace: "default", Name: "web-3"}).Unscheduled)
}
