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

// TestWhoseAPodIs follows a pod that its set releases, that another set adopts, and that this one leaves behind: each is
// recorded, and so is with each event whose the pod is by then.
func TestWhoseAPodIs(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	s.Watch(model.KindPod, log.SeePod)
	owner := func(name string, uid model.UID) model.Owner {
		return model.Owner{Kind: model.KindStatefulSet, Name: name, UID: uid, Controller: true}
	}
	user := s.As(store.By{Actor: timeline.User})
	key := model.Key{Namespace: "default", Name: "web-0"}
	pod, err := user.CreatePod(&model.Pod{
		Meta:     model.Meta{Namespace: "default", Name: "web-0", Owners: []model.Owner{owner("web", 100)}},
		Template: &model.Template{},
	})
	require.Nil(t, err)
	by := func(code model.Code) store.Writer {
		return s.As(store.By{Actor: timeline.Controller, Why: model.Why{Code: code}})
	}
	_, err = by(model.CodeRelease).ReleasePod(key, pod.UID, 100)
	require.Nil(t, err)
	user.ChangePod(key, func(pod *model.Pod) { pod.Phase = model.Running })
	_, err = by(model.CodeAdopt).AdoptPod(key, pod.UID, owner("db", 200))
	require.Nil(t, err)
	user.ChangePod(key, func(pod *model.Pod) { pod.Ready = true })
	_, err = s.As(store.By{Actor: timeline.APIServer}).ReleasePod(key, pod.UID, 200)
	require.Nil(t, err)
	user.ChangePod(key, func(pod *model.Pod) { pod.Ready = false })

	type seen struct {
		kind   timeline.Kind
		set    string
		bare   bool
		change timeline.OwnerChange
	}
	var all []seen
	for _, e := range k.Events() {
		is := seen{kind: e.Kind, set: e.Set.Name, bare: e.Bare}
		if e.Kind == timeline.KindOwner {
			is.change = e.Owned.Change
		}
		all = append(all, is)
	}
	require.Equal(t, []seen{
		{timeline.KindPod, "web", false, 0},
		{timeline.KindOwner, "web", false, timeline.Released}, {timeline.KindPod, "web", true, 0},
		{timeline.KindOwner, "db", false, timeline.Adopted}, {timeline.KindPod, "db", false, 0},
		{timeline.KindOwner, "db", false, timeline.LeftBehind}, {timeline.KindPod, "db", false, 0},
	}, all)
}

// TestPodsOfAnEarlierSet: once there is a new set of the name, what its predecessor has left behind is recorded as bare,
// and what is the new one's is not. A pod that is released while it runs is recorded with its address.
func TestPodsOfAnEarlierSet(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{Wanted: true})
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindStatefulSet, log.SeeSet)
	user := s.As(store.By{Actor: timeline.User})
	key := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	set := func() model.UID {
		created, err := user.CreateSet(&model.StatefulSet{
			Meta: model.Meta{Namespace: "default", Name: "web"},
			Spec: model.Spec{
				Template: &model.Template{Labels: map[string]string{"app": "web"}},
				Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			},
		})
		require.Nil(t, err)
		return created.UID
	}
	pod := func(name string, owner model.UID) *model.Pod {
		created, err := user.CreatePod(&model.Pod{
			Meta: model.Meta{Namespace: "default", Name: name, Owners: []model.Owner{
				{Kind: model.KindStatefulSet, Name: "web", UID: owner, Controller: true},
			}},
			Template: &model.Template{},
		})
		require.Nil(t, err)
		user.ChangePod(key(name), func(p *model.Pod) { p.Phase = model.Running })
		return created
	}
	first := set()
	left, kept := pod("web-0", first), pod("web-1", first)
	_, err := s.As(store.By{Actor: timeline.APIServer}).ReleasePod(key("web-0"), left.UID, first)
	require.Nil(t, err)
	released := k.Events()[len(k.Events())-1]
	require.Equal(t, timeline.KindOwner, released.Kind)
	require.Equal(t, "10.244.0.2", released.IP)
	require.Nil(t, user.RemoveSet(key("web")))
	pod("web-2", set())

	bare := map[string]bool{}
	for _, name := range []string{"web-0", kept.Name, "web-2"} {
		user.ChangePod(key(name), func(p *model.Pod) { p.Ready = true })
		bare[name] = k.Events()[len(k.Events())-1].Bare
	}
	require.Equal(t, map[string]bool{"web-0": true, "web-1": true, "web-2": false}, bare)
}

// TestWhoseAPodOfADumpIs begins with pods that a set of the name owns, that an earlier set of the name has left, and whose
// set is not there.
func TestWhoseAPodOfADumpIs(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	s.Watch(model.KindPod, log.SeePod)
	pod := func(uid model.UID, name, set string, owner model.UID) *model.Pod {
		p := &model.Pod{
			Meta:     model.Meta{Namespace: "default", Name: name, UID: uid},
			Template: &model.Template{}, Phase: model.Running,
		}
		if owner > 0 {
			p.Owners = []model.Owner{{Kind: model.KindStatefulSet, Name: set, UID: owner, Controller: true}}
		}
		return p
	}
	s.Restore(store.Objects{
		Sets: []*model.StatefulSet{{
			Meta: model.Meta{Namespace: "default", Name: "web", UID: 100}, Spec: model.Spec{Template: &model.Template{}},
		}},
		Pods: []*model.Pod{
			pod(1, "db-0", "db", 200), pod(2, "web-0", "web", 100), pod(3, "web-1", "web", 99), pod(4, "web-2", "", 0),
		},
	})
	s.As(store.By{Actor: timeline.Dump}).Announce(model.KindPod)
	bare := map[string]bool{}
	for _, e := range k.Events() {
		bare[e.Pod] = e.Bare
	}
	require.Equal(t, map[string]bool{"db-0": false, "web-0": false, "web-1": true, "web-2": true}, bare)
}
