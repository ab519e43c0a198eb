package storage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/audit"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/nodes"
	"github.com/statefulsim/statefulsim/sim/storage"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// TestStorageAlone binds a claim, keeps it while a pod uses it, and keeps its volume attached to the node on which a
// process may still use it.
func TestStorageAlone(t *testing.T) {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	log := audit.New(k, s, &audit.Addresses{})
	n := nodes.New(k, s, nodes.Config{})
	c := storage.New(k, s, log, n, storage.Config{Default: storage.ClaimTimes{Bind: behaviour.Constant(time.Second)}})
	s.Watch(model.KindPod, log.SeePod)
	s.Watch(model.KindPod, c.SeePod)
	s.Watch(model.KindClaim, log.SeeClaim)
	s.Watch(model.KindClaim, c.SeeClaim)
	user := s.As(store.By{Actor: timeline.User})
	key := model.Key{Namespace: "default", Name: "data"}
	_, err := user.CreateClaim(&model.Claim{Meta: model.Meta{Namespace: "default", Name: "data"}})
	require.Nil(t, err)
	ready, _ := c.Ready(key)
	require.False(t, ready)
	k.Advance(model.Time(time.Second))
	require.True(t, k.Next())
	ready, _ = c.Ready(key)
	require.True(t, ready)

	put := func(name, node string) *model.Pod {
		_, err := user.CreatePod(&model.Pod{
			Meta: model.Meta{Namespace: "default", Name: name}, Template: &model.Template{},
			Volumes: []model.Volume{{Name: "data", Claim: "data"}},
		})
		require.Nil(t, err)
		user.ChangePod(model.Key{Namespace: "default", Name: name}, func(p *model.Pod) { p.Node = node })
		return s.Pod(model.Key{Namespace: "default", Name: name})
	}
	first := put("web-0", "node-1")
	others, may := c.Attach(first)
	require.Empty(t, others)
	require.True(t, may)
	require.Nil(t, user.DeletePod(first.Key(), 0, true))
	c.Leave(first, true)
	second := put("web-1", "node-2")
	others, may = c.Attach(second)
	require.Empty(t, others)
	require.False(t, may, "a process on node-1 may still use the volume")
	require.Equal(t, []*model.Pod{second}, c.Ended(first.UID))
	require.Empty(t, c.Settle(), "a pod starts once")

	require.Nil(t, user.DeleteClaim(key, 0))
	for k.Next() {
	}
	require.NotNil(t, s.Claim(key), "web-1 uses it")
	require.Nil(t, user.DeletePod(second.Key(), 0, true))
	for k.Next() {
	}
	require.Nil(t, s.Claim(key))
}
