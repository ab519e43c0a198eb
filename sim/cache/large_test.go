package cache_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
	"github.com/statefulsim/statefulsim/sim/store"
)

// crowd is a cache of one set with many pods, and what is in it.
type crowd struct {
	cache *cache.Cache
	set   *model.StatefulSet
	pods  map[string]*model.Pod
	now   model.Time
	next  uint64
	// revisions is how many revisions there are.
	revisions int
	// old are frozen views with the plain views of the same instants.
	old [][2]model.View
}

// TestManyPodsAgainstPlainWalk does what TestAgainstPlainWalk does, with so many pods that they fill several words and
// chunks of a bitset, with up to 1,000 revisions, and with frozen views that must stay as they are while pods change,
// come, and go from the middle, and while other views are let go of.
func TestManyPodsAgainstPlainWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &crowd{pods: map[string]*model.Pod{}, cache: cache.New(func(model.Key) *model.Pod { return nil })}
		c.revisions = rapid.SampledFrom([]int{1, 2, 1000}).Draw(t, "revisions")
		c.set = &model.StatefulSet{Meta: model.Meta{Namespace: key.Namespace, Name: key.Name, UID: 1, Generation: 1}}
		c.cache.Apply(&store.Change{Kind: model.KindStatefulSet, Type: model.Added, Set: c.set}, 0)
		c.scale(t)
		c.fill(t)
		t.Repeat(map[string]func(*rapid.T){
			"change pods": c.change, "remove pods": c.remove, "create pods": c.fill, "change set": c.scale,
			"freeze": c.freeze, "thaw": c.thaw, "time passes": func(t *rapid.T) { c.now += model.Time(rapid.Int64Range(1, 3e9).Draw(t, "by")) },
			"": func(t *rapid.T) {
				compareViews(t, c.plain(), c.cache.View(key, c.now))
				if len(c.old) > 0 {
					pair := rapid.SampledFrom(c.old).Draw(t, "frozen")
					compareViews(t, pair[0], pair[1])
				}
			},
		})
	})
}

func (c *crowd) plain() model.View {
	return statefulsettest.NewView(c.set, slices.Collect(maps.Values(c.pods)), nil, nil, c.now)
}

// thaw lets go of a frozen view, so that its pieces are used again; the others must not feel it.
func (c *crowd) thaw(t *rapid.T) {
	if len(c.old) == 0 {
		t.Skip("nothing is frozen")
	}
	at := rapid.IntRange(0, len(c.old)-1).Draw(t, "which")
	c.cache.Thaw(c.old[at][1].(*cache.Frozen))
	c.old = slices.Delete(c.old, at, at+1)
}

func (c *crowd) freeze(*rapid.T) {
	c.old = append(c.old, [2]model.View{c.plain(), c.cache.Freeze(key, c.now)})
}

func (c *crowd) scale(t *rapid.T) {
	set := *c.set
	set.Generation++
	set.Spec.Replicas = rapid.SampledFrom([]int32{0, 1, 63, 64, 65, 200, 4095, 4200}).Draw(t, "replicas")
	set.Spec.Ordinals = &model.Ordinals{Start: rapid.SampledFrom([]int32{0, 0, 1, 70, 5000}).Draw(t, "start")}
	set.Spec.MinReadySeconds = int32(rapid.IntRange(0, 2).Draw(t, "minReadySeconds"))
	c.cache.Apply(&store.Change{Kind: model.KindStatefulSet, Type: model.Modified, OldSet: c.set, Set: &set}, c.now)
	c.set = &set
}

// names draws pods: a run of neighbours, here and there at the borders of words and chunks.
func (c *crowd) names(t *rapid.T) []string {
	from := rapid.SampledFrom([]int{0, 1, 60, 64, 127, 1000, 4090, 4096, 5000, 8190}).Draw(t, "from")
	step := rapid.SampledFrom([]int{1, 1, 2, 64, 4096}).Draw(t, "step")
	var names []string
	for i := range rapid.SampledFrom([]int{1, 2, 70, 150}).Draw(t, "pods") {
		names = append(names, fmt.Sprintf("web-%d", from+i*step))
	}
	return names
}

func (c *crowd) fill(t *rapid.T) {
	draw := c.looks(t)
	for i, name := range c.names(t) {
		if c.pods[name] == nil {
			c.next++
			pod := &model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: name, UID: model.UID(100 + c.next)}}
			pod.Owners = []model.Owner{{Kind: model.KindStatefulSet, Name: key.Name, UID: c.set.UID, Controller: true}}
			c.apply(nil, draw(pod, i))
		}
	}
}

func (c *crowd) change(t *rapid.T) {
	draw := c.looks(t)
	for i, name := range c.names(t) {
		if old := c.pods[name]; old != nil {
			c.apply(old, draw(old, i))
		}
	}
}

func (c *crowd) remove(t *rapid.T) {
	for _, name := range c.names(t) {
		if old := c.pods[name]; old != nil {
			c.apply(old, nil)
		}
	}
}

func (c *crowd) apply(old, pod *model.Pod) {
	change := &store.Change{Kind: model.KindPod, Type: model.Modified, OldPod: old, Pod: pod}
	if pod == nil {
		delete(c.pods, old.Name)
	} else {
		c.pods[pod.Name] = pod
	}
	c.cache.Apply(change, c.now)
}

// looks draws how pods look from now on: alike but for their revisions, which may be as many as they are.
func (c *crowd) looks(t *rapid.T) func(*model.Pod, int) *model.Pod {
	phase := rapid.SampledFrom([]model.Phase{model.Pending, model.Running, model.Running, model.Failed}).Draw(t, "phase")
	ready, first := rapid.Bool().Draw(t, "ready"), rapid.IntRange(0, c.revisions-1).Draw(t, "revision")
	return func(old *model.Pod, i int) *model.Pod {
		pod := *old
		pod.Phase, pod.Ready, pod.ReadySince = phase, ready, c.now
		pod.Labels = map[string]string{model.LabelRevision: revisionName((first + i) % c.revisions)}
		return &pod
	}
}

// revisionName names the first revisions as compareViews asks for them.
func revisionName(i int) string {
	if i < 2 {
		return string(rune('a' + i))
	}
	return fmt.Sprintf("r%d", i)
}
