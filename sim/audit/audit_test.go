package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestAuditAlone writes as several actors, and finds each write in the timeline with who has made it and why.
func TestAuditAlone(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{Wanted: true})
	s.Watch(model.KindPod, log.SeePod)
	key := model.Key{Namespace: "default", Name: "web-0"}
	owner := model.Owner{Kind: model.KindStatefulSet, Name: "web", UID: 9, Controller: true}
	why := model.Why{Code: model.CodeCreate, Object: "web-0"}
	for range 2 {
		_, err := s.As(store.By{Actor: timeline.Controller, Why: why}).CreatePod(&model.Pod{
			Meta: model.Meta{Namespace: "default", Name: "web-0", Owners: []model.Owner{owner}}, Template: &model.Template{},
		})
		require.Nil(t, err)
		require.Equal(t, timeline.Pending, log.Entered().State)
		kubelet := s.As(store.By{Actor: timeline.Kubelet})
		kubelet.ChangePod(key, func(p *model.Pod) { p.Phase = model.Running })
		kubelet.ChangePod(key, func(p *model.Pod) { p.Labels = map[string]string{"a": "b"} })
		require.Nil(t, log.Entered(), "it has entered no other state")
		s.As(store.By{Actor: timeline.APIServer, Reason: timeline.ReasonPodGC}).DeletePod(key, 0, true)
	}
	type told struct {
		actor  timeline.Actor
		state  timeline.State
		nth    int
		reason string
	}
	var all []told
	for _, e := range k.Events() {
		all = append(all, told{e.Actor, e.State, e.Nth, e.Reason})
		require.Equal(t, model.Key{Namespace: "default", Name: "web"}, e.Set)
	}
	life := func(nth int) []told {
		return []told{
			{timeline.Controller, timeline.Pending, nth, ""}, {timeline.Kubelet, timeline.Running, nth, ""},
			{timeline.APIServer, timeline.Terminating, nth, timeline.ReasonPodGC},
			{timeline.APIServer, timeline.Gone, nth, timeline.ReasonPodGC},
		}
	}
	require.Equal(t, append(life(1), life(2)...), all)
	require.Equal(t, "10.244.0.2", k.Events()[1].IP)
	require.Equal(t, why, k.Events()[0].Why)
}

// TestTheNumberOfARevision: an event about a pod has the number that the pod's revision has by then. A rollback gives the
// revision another one, without a write of the pod, and a revision may be gone before its pod.
func TestTheNumberOfARevision(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindRevision, log.SeeRevision)
	key, revision := model.Key{Namespace: "default", Name: "web-0"}, model.Key{Namespace: "default", Name: "web-1a"}
	user := s.As(store.By{Actor: timeline.User})
	_, err := user.CreateRevision(&model.Revision{Meta: model.Meta{Namespace: "default", Name: "web-1a"}, Number: 1, Template: &model.Template{}})
	require.Nil(t, err)
	_, err = user.CreatePod(&model.Pod{Template: &model.Template{}, Meta: model.Meta{
		Namespace: "default", Name: "web-0", Labels: map[string]string{model.LabelRevision: "web-1a"},
	}})
	require.Nil(t, err)
	enters := func(phase model.Phase, ready bool) {
		user.ChangePod(key, func(p *model.Pod) { p.Phase, p.Ready = phase, ready })
	}
	enters(model.Running, false)
	renumbered := *s.Revision(revision)
	renumbered.Number = 3
	_, err = user.UpdateRevision(&renumbered)
	require.Nil(t, err)
	enters(model.Running, true)
	enters(model.Running, false)
	require.Nil(t, user.DeleteRevision(revision))
	enters(model.Running, true)
	var numbers []int64
	for _, e := range k.Events() {
		if e.Kind == timeline.KindPod {
			numbers = append(numbers, e.Revision)
		}
	}
	require.Equal(t, []int64{1, 1, 3, 3, 0}, numbers)
}

// TestATerminatingPodOfAStartStateIsRecordedTwice: first in the state that it was in, and then as terminating. Another one
// is recorded once.
func TestATerminatingPodOfAStartStateIsRecordedTwice(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	s.Watch(model.KindPod, log.SeePod)
	pod := func(name string, uid model.UID, ready bool, deletion *model.Deletion) *model.Pod {
		return &model.Pod{
			Meta:     model.Meta{Namespace: "default", Name: name, UID: uid, Deletion: deletion},
			Template: &model.Template{}, Phase: model.Running, Ready: ready,
		}
	}
	goes := &model.Deletion{Grace: 30}
	s.Restore(store.Objects{Pods: []*model.Pod{
		pod("web-0", 1, true, nil), pod("web-1", 2, true, goes), pod("web-2", 3, false, goes),
	}})
	s.As(store.By{Actor: timeline.Dump}).Announce(model.KindPod)
	var all []string
	for _, e := range k.Events() {
		require.Equal(t, timeline.Dump, e.Actor)
		all = append(all, e.Pod+" "+e.State.String())
	}
	require.Equal(t, []string{
		"web-0 Ready", "web-1 Ready", "web-1 Terminating", "web-2 Running", "web-2 Terminating",
	}, all)
	require.Equal(t, goes, s.Pod(model.Key{Namespace: "default", Name: "web-1"}).Deletion, "the pod itself stays as it is")
}
