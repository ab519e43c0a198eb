package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/store"
)

// TestMerge: who only looks before and after sees one change of each object, in the order in which they began to change.
func TestMerge(t *testing.T) {
	pod := func(name string, version int64) *model.Pod {
		return &model.Pod{Meta: model.Meta{Namespace: "default", Name: name, Generation: version}}
	}
	change := func(before, after *model.Pod) store.Change {
		return store.Change{Kind: model.KindPod, OldPod: before, Pod: after}
	}
	a1, a2, a3, b1, b2 := pod("a", 1), pod("a", 2), pod("a", 3), pod("b", 1), pod("b", 2)
	as := func(c store.Change, is model.ChangeType) store.Change { c.Type = is; return c }
	for name, c := range map[string]struct{ changes, want []store.Change }{
		"none":                      {nil, nil},
		"a change":                  {[]store.Change{change(a1, a2)}, []store.Change{as(change(a1, a2), model.Modified)}},
		"two changes":               {[]store.Change{change(a1, a2), change(a2, a3)}, []store.Change{as(change(a1, a3), model.Modified)}},
		"it is new, and changes":    {[]store.Change{change(nil, a1), change(a1, a2)}, []store.Change{as(change(nil, a2), model.Added)}},
		"it changes, and goes":      {[]store.Change{change(a1, a2), change(a2, nil)}, []store.Change{as(change(a1, nil), model.Deleted)}},
		"it goes":                   {[]store.Change{change(a1, nil)}, []store.Change{as(change(a1, nil), model.Deleted)}},
		"it comes and goes":         {[]store.Change{change(nil, a1), change(a1, nil)}, nil},
		"another one of its name":   {[]store.Change{change(a1, nil), change(nil, a2)}, []store.Change{as(change(a1, a2), model.Modified)}},
		"several objects, in order": {[]store.Change{change(nil, b1), change(a1, a2), change(b1, b2), change(a2, nil)}, []store.Change{as(change(nil, b2), model.Added), as(change(a1, nil), model.Deleted)}},
	} {
		require.Equal(t, c.want, store.Merge(c.changes), name)
	}
}

// TestMergeOfEachKind: a change of any kind of object has its key, also where only what was is left.
func TestMergeOfEachKind(t *testing.T) {
	meta := model.Meta{Namespace: "default", Name: "x"}
	for name, changes := range map[string][]store.Change{
		"set":      {{Set: &model.StatefulSet{Meta: meta}}, {OldSet: &model.StatefulSet{Meta: meta}}},
		"pod":      {{Pod: &model.Pod{Meta: meta}}, {OldPod: &model.Pod{Meta: meta}}},
		"claim":    {{Claim: &model.Claim{Meta: meta}}, {OldClaim: &model.Claim{Meta: meta}}},
		"revision": {{Revision: &model.Revision{Meta: meta}}, {OldRevision: &model.Revision{Meta: meta}}},
	} {
		require.Equal(t, meta.Key(), changes[0].Key(), name)
		require.Equal(t, meta.Key(), changes[1].Key(), name)
		require.Equal(t, model.Added, store.Merge(changes[:1])[0].Type, name)
		require.Equal(t, model.Deleted, store.Merge(changes[1:])[0].Type, name)
		require.Empty(t, store.Merge(changes), "%s: it came and went", name)
	}
}

// TestCollisionCount: the number of collisions of revisions never goes back, whoever writes the status.
func TestCollisionCount(t *testing.T) {
	const refused = `StatefulSet.apps "web" is invalid: status.collisionCount: Invalid value: 1: cannot be decremented`
	for count, want := range map[int32]string{1: refused, 2: "", 3: ""} {
		c := newCluster(rules136)
		stored, _ := c.CreateSet(web())
		write := *stored
		write.Status = model.Status{CollisionCount: 2}
		stored, err := c.UpdateSetStatus(&write)
		require.Nil(t, err)
		again := *stored
		again.Status.CollisionCount, again.Status.Replicas = count, 1
		if _, err = c.UpdateSetStatus(&again); want == "" {
			require.Nil(t, err)
		} else {
			require.Equal(t, want, err.Message)
		}
	}
}

// TestStatusInOrder: no count of a status is above the count of what it is part of.
func TestStatusInOrder(t *testing.T) {
	for want, status := range map[string]model.Status{
		"status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas":          {Replicas: 1, Ready: 2},
		"status.currentReplicas: Invalid value: 2: cannot be greater than status.replicas":        {Replicas: 1, Current: 2},
		"status.updatedReplicas: Invalid value: 2: cannot be greater than status.replicas":        {Replicas: 1, Updated: 2},
		"status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas": {Replicas: 2, Ready: 1, Available: 2},
		"": {Replicas: 2, Ready: 2, Current: 2, Updated: 2, Available: 2},
	} {
		c := newCluster(rules136)
		stored, _ := c.CreateSet(web())
		write := *stored
		write.Status = status
		_, err := c.UpdateSetStatus(&write)
		if want == "" {
			require.Nil(t, err)
			continue
		}
		require.Equal(t, `StatefulSet.apps "web" is invalid: `+want, err.Message)
	}
}

// TestListBefore: what there was before some changes is what was listed then, whatever they were.
func TestListBefore(t *testing.T) {
	c := newCluster(rules136)
	at := func(name string) model.Key { return model.Key{Namespace: "default", Name: name} }
	template := &model.Template{Data: "v1", Grace: 1}
	var lists [][]store.Change
	var seen []int
	for _, write := range []func(){
		func() {},
		func() { c.CreateSet(web()) },
		func() {
			c.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-1"}, Template: template})
		},
		func() {
			c.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-0"}, Template: template})
		},
		func() { c.CreateClaim(&model.Claim{Meta: model.Meta{Namespace: "default", Name: "data-web-0"}}) },
		func() {
			c.CreateRevision(&model.Revision{Meta: model.Meta{Namespace: "default", Name: "web-5d"}, Number: 1})
		},
		func() { c.ChangePod(at("web-0"), func(p *model.Pod) { p.Phase, p.Ready = model.Running, true }) },
		func() { c.ChangePod(at("web-0"), func(p *model.Pod) { p.Ready = false }) },
		func() { c.RemovePod(at("web-1")) },
		func() {
			c.CreatePod(&model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-1"}, Template: template})
		},
		func() {
			set := *c.Set(at("web"))
			set.Spec.Replicas = 7
			c.UpdateSet(&set)
		},
		func() { c.RemovePod(at("web-0")) },
	} {
		write()
		lists, seen = append(lists, c.List()), append(seen, len(c.seen))
	}
	require.Len(t, lists[len(lists)-1], 4)
	for i := range lists {
		require.Equal(t, lists[i], c.ListBefore(c.seen[seen[i]:]), "after %d writes", i)
	}
}
