package cache_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/cache"
	"github.com/statefulsim/statefulsim/sim/statefulset/statefulsettest"
	"github.com/statefulsim/statefulsim/sim/store"
)

// cluster is an API server whose writes reach a cache at once, and a clock that is moved by hand.
type cluster struct {
	store store.Writer
	cache *cache.Cache
	now   model.Time
}

func newCluster() *cluster {
	c := &cluster{}
	rules := model.APIRules{MinReadySeconds: true, StartOrdinal: true, MutableOrdinals: true, MutableMinReadySeconds: true}
	c.store = store.New(rules, func() model.Time { return c.now }).As(store.By{})
	for _, kind := range store.Kinds {
		c.store.Watch(kind, func(change *store.Change) { c.cache.Apply(change, c.now) })
	}
	c.cache = cache.New(c.store.Pod)
	return c
}

var key = model.Key{Namespace: "default", Name: "web"}

// TestExactNames: for a controller with exact names web-01 is no pod of the set: a stray if the set owns it, and no orphan
// that it may adopt. Neither is a pod whose number is no ordinal.
func TestExactNames(t *testing.T) {
	for _, exact := range []bool{false, true} {
		c := newCluster()
		c.cache.ExactNames = exact
		set := c.create(t)
		for _, name := range []string{"web-0", "web-01", "web-99999999999"} {
			owned := &model.Pod{Meta: model.Meta{Namespace: "default", Name: name, Labels: map[string]string{"app": "web"}}}
			owned.Owners = []model.Owner{{Kind: model.KindStatefulSet, Name: "web", UID: set.UID, Controller: true}}
			_, err := c.store.CreatePod(owned)
			require.Nil(t, err)
		}
		orphan := &model.Pod{Meta: model.Meta{Namespace: "default", Name: "web-02", Labels: map[string]string{"app": "web"}}}
		_, err := c.store.CreatePod(orphan)
		require.Nil(t, err)
		view := c.cache.View(key, c.now)
		names := func(pods []*model.Pod) string {
			var text []string
			for _, p := range pods {
				text = append(text, p.Name)
			}
			return fmt.Sprint(text)
		}
		want := [3]string{"[]", "[web-02]", "true"}
		if exact {
			want = [3]string{"[web-01 web-99999999999]", "[]", "false"}
		}
		got := [3]string{names(view.Strays()), names(view.Orphans()), fmt.Sprint(view.Pod(model.Replicas, 1) != nil)}
		require.Equal(t, want, got)
	}
}

func (c *cluster) create(t require.TestingT) *model.StatefulSet {
	labels := map[string]string{"app": "web"}
	set, err := c.store.CreateSet(&model.StatefulSet{
		Meta: model.Meta{Namespace: key.Namespace, Name: key.Name},
		Spec: model.Spec{
			Replicas: 3, Template: &model.Template{Data: "v1", Labels: labels},
			Selector:       model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			ClaimTemplates: []model.ClaimTemplate{{Name: "data"}},
		},
	})
	require.Nil(t, err)
	return set
}

// TestAgainstPlainWalk changes a cluster at random and asks the cache everything that a sync may ask, beside a plain
// view that is built anew each time and walks over its pods.
func TestAgainstPlainWalk(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := newCluster()
		c.create(t)
		t.Repeat(map[string]func(*rapid.T){
			"create pod": c.createPod, "change pod": c.changePod, "remove pod": c.removePod, "change set": c.changeSet,
			"own pod": c.ownPod, "create revision": c.createRevision, "own revision": c.ownRevision,
			"create claim": c.createClaim, "own claim": c.ownClaim, "create the set again": c.createAgain,
			"": func(t *rapid.T) {
				if rapid.Bool().Draw(t, "time passes") {
					c.now += model.Time(rapid.IntRange(1, 3).Draw(t, "seconds") * 1e9)
				}
				c.compare(t)
			},
		})
	})
}

func (c *cluster) drawName(t *rapid.T) string {
	return rapid.SampledFrom([]string{"web-0", "web-1", "web-2", "web-3", "web-4", "web-9", "web-99999999999", "web-x", "other-1"}).Draw(t, "name")
}

func (c *cluster) createPod(t *rapid.T) {
	name := c.drawName(t)
	pod := &model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: name, Labels: map[string]string{
		model.LabelRevision: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "revision"),
	}}}
	if rapid.Bool().Draw(t, "identity") {
		pod.Labels[model.LabelPodName] = name
	}
	if rapid.Bool().Draw(t, "storage") {
		pod.Volumes = []model.Volume{{Name: "data", Claim: "data-" + name}}
	}
	if rapid.IntRange(0, 4).Draw(t, "labelled") > 0 {
		pod.Labels["app"] = "web"
	}
	pod.Owners = c.drawOwners(t)
	c.store.CreatePod(pod)
}

// drawOwners makes the owners of something: mostly the set, now and then nobody, an owner that is no controller,
// somebody else, or a set of the same name that is not there any more.
func (c *cluster) drawOwners(t *rapid.T) []model.Owner {
	owner := model.Owner{Kind: model.KindStatefulSet, Name: key.Name, UID: c.store.Set(key).UID, Controller: true}
	switch rapid.IntRange(0, 9).Draw(t, "owners") {
	case 0, 1:
		return nil
	case 2:
		owner.Controller = false
	case 3:
		owner.UID = 1000
	case 4:
		owner.Kind, owner.Name, owner.UID = model.KindStatefulSet, "other", 1001
	}
	return []model.Owner{owner}
}

// ownPod changes the owners and the labels of a pod, as somebody who relabels it by hand does.
func (c *cluster) ownPod(t *rapid.T) {
	old := c.store.Pod(model.Key{Namespace: key.Namespace, Name: c.drawName(t)})
	if old == nil {
		return
	}
	pod := *old
	pod.Labels = maps.Clone(old.Labels)
	pod.Labels["app"] = rapid.SampledFrom([]string{"web", "web", "other"}).Draw(t, "app")
	pod.Owners = c.drawOwners(t)
	_, err := c.store.UpdatePod(&pod)
	require.Nil(t, err)
}

func (c *cluster) drawRevision(t *rapid.T) model.Key {
	return model.Key{Namespace: key.Namespace, Name: rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "revision")}
}

func (c *cluster) createRevision(t *rapid.T) {
	revision := &model.Revision{Number: int64(rapid.IntRange(1, 3).Draw(t, "number"))}
	revision.Namespace, revision.Name = key.Namespace, c.drawRevision(t).Name
	revision.Labels = map[string]string{"app": rapid.SampledFrom([]string{"web", "web", "other"}).Draw(t, "app")}
	revision.Owners = c.drawOwners(t)
	c.store.CreateRevision(revision)
}

func (c *cluster) ownRevision(t *rapid.T) {
	old := c.store.Revision(c.drawRevision(t))
	if old == nil {
		return
	}
	if rapid.IntRange(0, 3).Draw(t, "delete") == 0 {
		require.Nil(t, c.store.DeleteRevision(old.Key()))
		return
	}
	revision := *old
	revision.Labels = map[string]string{"app": rapid.SampledFrom([]string{"web", "other"}).Draw(t, "app")}
	revision.Owners = c.drawOwners(t)
	_, err := c.store.UpdateRevision(&revision)
	require.Nil(t, err)
}

func (c *cluster) createClaim(t *rapid.T) {
	claim := &model.Claim{Meta: model.Meta{Namespace: key.Namespace, Name: c.drawRevision(t).Name, Owners: c.drawOwners(t)}}
	c.store.CreateClaim(claim)
}

func (c *cluster) ownClaim(t *rapid.T) {
	if old := c.store.Claim(c.drawRevision(t)); old != nil {
		claim := *old
		claim.Owners = c.drawOwners(t)
		_, err := c.store.UpdateClaim(&claim)
		require.Nil(t, err)
	}
}

// createAgain makes another set of the same name. What the old one owned belongs to nobody that there is.
func (c *cluster) createAgain(t *rapid.T) {
	require.Nil(t, c.store.RemoveSet(key))
	c.create(t)
}

func (c *cluster) changePod(t *rapid.T) {
	pod := model.Key{Namespace: key.Namespace, Name: c.drawName(t)}
	phase := rapid.SampledFrom([]model.Phase{model.Pending, model.Running, model.Running, model.Failed, model.Succeeded}).Draw(t, "phase")
	ready := rapid.Bool().Draw(t, "ready")
	c.store.ChangePod(pod, func(p *model.Pod) {
		if ready != p.Ready {
			p.ReadySince = c.now
		}
		p.Phase, p.Ready, p.Node = phase, ready, "node-1"
	})
	if rapid.Bool().Draw(t, "delete") {
		c.store.DeletePod(pod, 0, false)
	}
}

func (c *cluster) removePod(t *rapid.T) {
	if pod := (model.Key{Namespace: key.Namespace, Name: c.drawName(t)}); c.store.Pod(pod) != nil {
		c.store.RemovePod(pod)
	}
}

func (c *cluster) changeSet(t *rapid.T) {
	set := *c.store.Set(key)
	switch rapid.IntRange(0, 3).Draw(t, "field") {
	case 0:
		set.Spec.Replicas = int32(rapid.IntRange(0, 6).Draw(t, "replicas"))
	case 1:
		set.Spec.Ordinals = &model.Ordinals{Start: int32(rapid.IntRange(0, 3).Draw(t, "start"))}
	case 2:
		set.Spec.MinReadySeconds = int32(rapid.IntRange(0, 4).Draw(t, "minReadySeconds"))
	case 3:
		set.Spec.Template = &model.Template{
			Data: rapid.SampledFrom([]string{"v1", "v2"}).Draw(t, "template"), Labels: set.Spec.Template.Labels,
		}
	}
	_, err := c.store.UpdateSet(&set)
	require.Nil(t, err)
}

// compare asks the cache what a sync asks, also after the adoption of some orphans.
func (c *cluster) compare(t *rapid.T) {
	set := c.store.Set(key)
	var claims []*model.Claim
	for _, name := range []string{"a", "b", "c", "d"} {
		if claim := c.store.Claim(model.Key{Namespace: key.Namespace, Name: name}); claim != nil {
			claims = append(claims, claim)
		}
	}
	want := statefulsettest.NewView(set, c.store.Pods(), c.store.Revisions(), claims, c.now)
	got := c.cache.View(key, c.now)
	samePods(t, want.Orphans(), got.Orphans())
	samePods(t, want.Strays(), got.Strays())
	require.Equal(t, len(want.Revisions()), len(got.Revisions()))
	for i, revision := range want.Revisions() {
		require.Same(t, revision, got.Revisions()[i])
	}
	require.Equal(t, want.OwnedClaims(), got.OwnedClaims())
	for _, name := range []string{"web-0", "web-1", "never"} {
		require.Same(t, want.Latest(name), got.Latest(name))
	}
	orphans := want.Orphans()
	adopted := orphans[:rapid.IntRange(0, len(orphans)).Draw(t, "adopted")]
	compareViews(t, want.With(adopted), got.With(adopted))
	compareViews(t, want, got)
}

func samePods(t *rapid.T, want, got []*model.Pod) {
	require.Len(t, got, len(want))
	for i := range want {
		require.Same(t, want[i], got[i])
	}
}

func compareViews(t *rapid.T, want, got model.View) {
	const all = 1<<11 - 1
	for _, group := range []model.Group{model.Replicas, model.Condemned} {
		require.Equal(t, want.Len(group), got.Len(group))
		for i := range want.Len(group) {
			if want.Pod(group, i) != got.Pod(group, i) || want.Traits(group, i) != got.Traits(group, i) {
				require.Fail(t, "another pod, or others of its traits", "%d of group %d", i, group)
			}
		}
		w := model.Want{
			Has:      model.Traits(rapid.IntRange(0, all).Draw(t, "has")) & model.Traits(rapid.IntRange(0, all).Draw(t, "and")),
			Lacks:    model.Traits(rapid.IntRange(0, all).Draw(t, "lacks")) & model.Traits(rapid.IntRange(0, all).Draw(t, "and")) &^ model.Exists,
			Revision: rapid.SampledFrom([]string{"", "a", "b", "never"}).Draw(t, "revision"),
			Other:    rapid.Bool().Draw(t, "other"),
		}
		w.Lacks &^= w.Has
		at := rapid.IntRange(0, want.Len(group)).Draw(t, "at")
		require.Equal(t, want.First(group, at, w), got.First(group, at, w), "First %+v", w)
		require.Equal(t, want.FirstNot(group, at, w), got.FirstNot(group, at, w), "FirstNot %+v", w)
		require.Equal(t, want.Last(group, at, w), got.Last(group, at, w), "Last %+v", w)
		require.Equal(t, want.LastNot(group, at, w), got.LastNot(group, at, w), "LastNot %+v", w)
		require.Equal(t, want.Count(group, w), got.Count(group, w), "Count %+v", w)
	}
	for _, unnamed := range []bool{false, true} {
		require.Equal(t, want.Tally("a", "b", unnamed), got.Tally("a", "b", unnamed))
	}
	wantNext, wantAny := want.NextAvailable()
	gotNext, gotAny := got.NextAvailable()
	require.Equal(t, wantAny, gotAny)
	require.Equal(t, wantNext, gotNext)
	for _, name := range []string{"", "a", "b"} {
		require.Equal(t, want.RevisionUsed(name), got.RevisionUsed(name), "revision %q used", name)
	}
}

func TestTheHistoryIsInOrder(t *testing.T) {
	c := newCluster()
	set := c.create(t)
	owner := []model.Owner{{Kind: model.KindStatefulSet, Name: key.Name, UID: set.UID, Controller: true}}
	for i, name := range []string{"web-b", "web-a", "web-c"} {
		_, err := c.store.CreateRevision(&model.Revision{
			Meta: model.Meta{Namespace: key.Namespace, Name: name, Owners: owner, Labels: map[string]string{"app": "web"}}, Number: int64(3 - i),
		})
		require.Nil(t, err)
	}
	names := func() (list []string) {
		for _, revision := range c.cache.View(key, c.now).Revisions() {
			list = append(list, fmt.Sprintf("%s#%d", revision.Name, revision.Number))
		}
		return list
	}
	require.Equal(t, []string{"web-c#1", "web-a#2", "web-b#3"}, names())
	renumbered := *c.store.Revision(model.Key{Namespace: key.Namespace, Name: "web-c"})
	renumbered.Number = 4
	_, err := c.store.UpdateRevision(&renumbered)
	require.Nil(t, err)
	require.Nil(t, c.store.DeleteRevision(model.Key{Namespace: key.Namespace, Name: "web-a"}))
	require.Equal(t, []string{"web-b#3", "web-c#4"}, names())
}

func TestStaleUntilTheWatchHasSeenTheControllersOwnWrite(t *testing.T) {
	c := newCluster()
	c.create(t)
	require.False(t, c.cache.View(key, c.now).Stale())
	c.cache.Wrote(key, model.KindPod, c.store.Version()+1)
	require.True(t, c.cache.View(key, c.now).Stale())
	_, err := c.store.CreatePod(&model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: "web-0"}})
	require.Nil(t, err)
	require.False(t, c.cache.View(key, c.now).Stale())
}

// A list after a broken watch comes in the order of keys, so that the newest version need not be the last.
func TestAListInAnyOrderLeavesNothingStale(t *testing.T) {
	c := newCluster()
	c.create(t)
	old := &model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: "web-1", ResourceVersion: 3}}
	c.cache.Wrote(key, model.KindPod, 9)
	c.cache.Reached(model.KindPod, 12)
	c.cache.Apply(&store.Change{Kind: model.KindPod, Type: model.Added, Pod: old}, 0)
	require.False(t, c.cache.View(key, 0).Stale())
}

func TestASetThatIsGoneHasNoView(t *testing.T) {
	c := newCluster()
	set := c.create(t)
	_, err := c.store.CreatePod(&model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: "web-0", Owners: []model.Owner{
		{Kind: model.KindStatefulSet, Name: key.Name, UID: set.UID, Controller: true},
	}}})
	require.Nil(t, err)
	require.Nil(t, c.store.RemoveSet(key))
	require.Nil(t, c.cache.View(key, c.now))
	require.Nil(t, c.cache.Set(key))
	again := c.create(t)
	require.NotEqual(t, set.UID, again.UID)
	require.Nil(t, c.cache.View(key, c.now).Pod(model.Replicas, 0), "the pods of a namesake are not the new set's")
}

// TestTwoNamesOfOneOrdinal: the first has the place. When that is gone, the other gets it, be it a replica or condemned.
func TestTwoNamesOfOneOrdinal(t *testing.T) {
	c := newCluster()
	set := c.create(t)
	meta := model.Meta{Namespace: key.Namespace, Labels: map[string]string{"app": "web"}, Owners: []model.Owner{
		{Kind: model.KindStatefulSet, Name: key.Name, UID: set.UID, Controller: true},
	}}
	for _, name := range []string{"web-1", "web-01"} {
		meta.Name = name
		_, err := c.store.CreatePod(&model.Pod{Meta: meta})
		require.Nil(t, err)
	}
	require.Equal(t, "web-1", c.cache.View(key, c.now).Pod(model.Replicas, 1).Name)
	c.store.RemovePod(model.Key{Namespace: key.Namespace, Name: "web-1"})
	require.Equal(t, "web-01", c.cache.View(key, c.now).Pod(model.Replicas, 1).Name)
	meta.Name = "web-1"
	_, err := c.store.CreatePod(&model.Pod{Meta: meta})
	require.Nil(t, err)
	next := *set
	next.Spec.Replicas = 1
	_, err = c.store.UpdateSet(&next)
	require.Nil(t, err)
	first := c.cache.View(key, c.now).Pod(model.Condemned, 0).Name
	c.store.RemovePod(model.Key{Namespace: key.Namespace, Name: first})
	second := c.cache.View(key, c.now).Pod(model.Condemned, 0).Name
	require.ElementsMatch(t, []string{"web-1", "web-01"}, []string{first, second})
	c.store.RemovePod(model.Key{Namespace: key.Namespace, Name: second})
	require.Zero(t, c.cache.View(key, c.now).Len(model.Condemned))
}

// TestANamesakeInOneChange: where a watch has broken, a set that was deleted and created again comes as one change. From
// then on the view is that of the new one.
func TestANamesakeInOneChange(t *testing.T) {
	c := newCluster()
	old := c.create(t)
	again := *old
	again.UID += 100
	c.cache.Apply(&store.Change{Kind: model.KindStatefulSet, Type: model.Modified, OldSet: old, Set: &again}, 0)
	require.Equal(t, again.UID, c.cache.View(key, 0).Set().UID)
	require.Equal(t, again.UID, c.cache.Set(key).UID)
}

// TestOrdinalsThatAreTakenBack: a set that says no longer where its ordinals start has its pods in other places.
func TestOrdinalsThatAreTakenBack(t *testing.T) {
	c := newCluster()
	set := c.create(t)
	_, err := c.store.CreatePod(&model.Pod{Meta: model.Meta{Namespace: key.Namespace, Name: "web-1", Labels: map[string]string{"app": "web"},
		Owners: []model.Owner{{Kind: model.KindStatefulSet, Name: key.Name, UID: set.UID, Controller: true}}}})
	require.Nil(t, err)
	start := func(ordinals *model.Ordinals) {
		next := *c.store.Set(key)
		next.Spec.Ordinals = ordinals
		_, err := c.store.UpdateSet(&next)
		require.Nil(t, err)
	}
	for _, from := range []struct {
		ordinals *model.Ordinals
		place    int
	}{{&model.Ordinals{Start: 1}, 0}, {nil, 1}, {&model.Ordinals{}, 1}, {&model.Ordinals{Start: 1}, 0}} {
		start(from.ordinals)
		view := c.cache.View(key, c.now)
		for place := range 3 {
			require.Equal(t, place == from.place, view.Pod(model.Replicas, place) != nil, "%v: %d", from.ordinals, place)
		}
	}
}
