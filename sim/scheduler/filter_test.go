package scheduler_test

import (
	"slices"
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

// friendly are constraints that keep no other pod off a node.
type friendly struct{}

func (friendly) Repels() bool { return false }

// alone is a filter: pods with a template in the class picky stay off nodes with other pods of their namespace, and off
// the node named never.
type alone struct{ asked []scheduler.Ask }

func (f *alone) Decides(pod *model.Pod, _ bool) bool { return pod.Template.Labels["picky"] == "yes" }

func (f *alone) Fit(ask scheduler.Ask) []scheduler.Refusal {
	f.asked = append(f.asked, ask)
	why := make([]scheduler.Refusal, len(ask.Places))
	for i, place := range ask.Places {
		switch {
		case place.Node.Name == "never":
			why[i] = scheduler.Refusal{Reasons: []string{"node(s) were never"}}
		case place.Len() > 0:
			why[i] = scheduler.Refusal{Reasons: []string{"node(s) had pods"}, Preemptible: true}
		}
	}
	return why
}

func (f *alone) Undecided(template *model.Template) []string {
	if template.Constraints == nil {
		return nil
	}
	return []string{"whether it likes the weather", template.Data}
}

// TestAFilterDecides binds picky pods to the emptiest of the nodes that take them, the first of several, and lets the
// others wait until one has left.
func TestAFilterDecides(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	n := nodes.New(k, s, nodes.Config{Nodes: []nodes.Spec{{Name: "never"}, {Name: "a"}, {Name: "b"}, {Name: "gone"}}})
	n.Delete("gone")
	sched := scheduler.New(k, s, log, n, claims{})
	sched.Takes(&behaviour.Behaviour{Default: behaviour.Times{Schedule: behaviour.Constant(time.Second)}})
	filter := &alone{}
	sched.Filters(filter)
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, sched.SeePod)
	user := s.As(store.By{Actor: timeline.User})
	key := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	create := func(name string, template *model.Template) {
		_, err := user.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: name}, Template: template})
		require.Nil(t, err)
		for next, any := k.Peek(); any && next <= k.Now().Add(time.Second); next, any = k.Peek() {
			k.Advance(next)
			for k.Next() {
			}
		}
	}
	pass := func() {
		for next, any := k.Peek(); any; next, any = k.Peek() {
			k.Advance(next)
			for k.Next() {
			}
		}
	}
	picky := &model.Template{Labels: map[string]string{"picky": "yes"}}
	create("db-0", picky)
	require.Equal(t, "a", s.Pod(key("db-0")).Node, "the first of two that are empty")
	create("db-1", picky)
	require.Equal(t, "b", s.Pod(key("db-1")).Node)
	create("db-2", picky)
	create("web-0", &model.Template{})
	require.Equal(t, "never", s.Pod(key("web-0")).Node, "nothing is to be decided about it")
	waits := s.Pod(key("db-2"))
	require.Empty(t, waits.Node)
	require.Contains(t, waits.Unscheduled, "0/3 nodes are available: 1 node(s) were never, 2 node(s) had pods.")
	last := filter.asked[len(filter.asked)-1]
	require.Equal(t, "db-2", last.Pod.Name)
	require.Len(t, last.Places, 3, "no node that is gone")

	user.ChangePod(key("db-1"), func(pod *model.Pod) { pod.Phase = model.Succeeded })
	pass()
	require.Equal(t, "b", s.Pod(key("db-2")).Node, "a pod that has ended makes room")
	require.Empty(t, s.Pod(key("db-2")).Unscheduled)
	create("db-3", picky)
	require.Empty(t, s.Pod(key("db-3")).Node)
	require.Nil(t, user.DeletePod(key("db-0"), 0, true))
	pass()
	require.Equal(t, "a", s.Pod(key("db-3")).Node, "so does one that is gone")
}

// TestWhatNobodyDecides is said at the end, once for all pods of which it is true.
func TestWhatNobodyDecides(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	sched := scheduler.New(k, s, log, nodes.New(k, s, nodes.Config{}), claims{})
	sched.Takes(&behaviour.Behaviour{})
	sched.Filters(&alone{})
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, sched.SeePod)
	user := s.As(store.By{Actor: timeline.User})
	one := &model.Template{Data: "one", Constraints: friendly{}}
	other := &model.Template{Data: "other", Constraints: friendly{}}
	for _, pod := range []struct {
		name     string
		template *model.Template
	}{
		{"web-0", one}, {"web-1", one}, {"db-0", other}, {"mq-0", other}, {"kv-0", other}, {"plain-0", &model.Template{}},
	} {
		_, err := user.CreatePod(&model.Pod{
			Meta: model.Meta{Namespace: "default", Name: pod.name}, Template: pod.template,
		})
		require.Nil(t, err)
	}
	sched.Warn()
	require.Equal(t, []string{
		"web, db, mq and 1 more: whether it likes the weather", "web: one", "db, mq, kv: other",
	}, slices.Clone(k.Result.Warnings))
}
