package cache_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/store"
)

// versions are two versions of each pod of a set, which a cache has: the first is Pending, the second is Running.
type versions struct {
	cache *cache.Cache
	pods  [][2]*model.Pod
}

func newVersions(pods int) *versions {
	v := &versions{cache: cache.New(func(model.Key) *model.Pod { return nil })}
	set := &model.StatefulSet{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name, UID: 1, Generation: 1}}
	set.Spec.Replicas = int32(pods)
	v.cache.Apply(&store.Change{Kind: model.KindStatefulSet, Type: model.Added, Set: set}, 0)
	for i := range pods {
		pending := &model.Pod{Meta: model.Meta{
			Namespace: key.Namespace, Name: fmt.Sprintf("web-%d", i), UID: model.UID(100 + i), Labels: map[string]string{},
			Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: key.Name, UID: 1, Controller: true}},
		}, Phase: model.Pending}
		running := *pending
		running.Phase = model.Running
		v.pods = append(v.pods, [2]*model.Pod{pending, &running})
		v.cache.Apply(&store.Change{Kind: model.KindPod, Type: model.Added, Pod: pending}, 0)
	}
	return v
}

// turn changes a pod to its other version, from Pending to Running say.
func (v *versions) turn(i int) {
	pod := &v.pods[i]
	v.cache.Apply(&store.Change{Kind: model.KindPod, Type: model.Modified, OldPod: pod[0], Pod: pod[1]}, 0)
	pod[0], pod[1] = pod[1], pod[0]
}

// TestAViewWithAdoptedPodsStaysAsItWas: a sync that has adopted a pod goes on with what it saw, whatever the cache
// hears of meanwhile, and whether or not it had heard of something before the adoption.
func TestAViewWithAdoptedPodsStaysAsItWas(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after bool
	}{
		{"nothing changes", false, false},
		{"a pod changes before the adoption", true, false},
		{"a pod changes after the adoption", false, true},
		{"a pod changes before and after the adoption", true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := newVersions(2)
			adopted := &model.Pod{Meta: model.Meta{
				Namespace: key.Namespace, Name: "web-2", UID: 7, Labels: map[string]string{},
				Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: key.Name, UID: 1, Controller: true}},
			}}
			seen := []*model.Pod{v.pods[0][0], v.pods[1][0]}
			frozen := v.cache.Freeze(key, 0)
			if c.before {
				v.turn(0)
			}
			with := frozen.With([]*model.Pod{adopted})
			if c.after {
				v.turn(0)
				v.turn(1)
			}
			for i, pod := range seen {
				require.Same(t, pod, frozen.Pod(model.Replicas, i))
				require.Same(t, pod, with.Pod(model.Replicas, i))
			}
			require.Equal(t, 1, with.Len(model.Condemned))
			require.Same(t, adopted, with.Pod(model.Condemned, 0))
			require.Zero(t, frozen.Len(model.Condemned), "the sync sees the pod only in the view with it")
		})
	}
}

// TestViewsTakeNoMemoryInTheLongRun: a sync during which pods change costs copies of what they are in, once, and the next
// syncs use the memory of those copies again. Of several views one is kept for the next sync.
func TestViewsTakeNoMemoryInTheLongRun(t *testing.T) {
	for _, c := range []struct{ pods, views int }{{1, 1}, {40, 1}, {600, 1}, {40, 2}} {
		t.Run(fmt.Sprintf("%d pods, %d views", c.pods, c.views), func(t *testing.T) {
			v := newVersions(c.pods)
			views := make([]*cache.Frozen, c.views)
			require.EqualValues(t, c.views-1, testing.AllocsPerRun(100, func() {
				for i := range views {
					views[i] = v.cache.Freeze(key, 0)
				}
				for range 2 {
					for i := range v.pods {
						v.turn(i)
					}
				}
				for _, view := range views {
					v.cache.Thaw(view)
				}
			}))
		})
	}
}
