package gc_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/behaviour"
	"github.com/statefulsim/statefulsim/sim/gc"
	"github.com/statefulsim/statefulsim/sim/kernel"
	"github.com/statefulsim/statefulsim/sim/store"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// room is a collector that acts after a second, with a store to itself.
type room struct {
	t         *testing.T
	kernel    *kernel.Kernel
	store     *store.Store
	collector *gc.Collector
	user      store.Writer
}

func newRoom(t *testing.T) *room {
	k := kernel.New(nil)
	s := store.New(model.APIRules{}, k.Now)
	c := gc.New(k, s, gc.Config{Delay: behaviour.Constant(time.Second)})
	s.Watch(model.KindPod, c.SeePod)
	s.Watch(model.KindStatefulSet, c.SeeSet)
	s.Watch(model.KindClaim, c.SeeClaim)
	s.Watch(model.KindRevision, c.SeeRevision)
	return &room{t, k, s, c, s.As(store.By{Actor: timeline.User})}
}

func key(name string) model.Key { return model.Key{Namespace: "default", Name: name} }

// set creates a set and returns a reference to it, as its controller or not.
func (r *room) set(name string, controller bool) model.Owner {
	set, err := r.user.CreateSet(&model.StatefulSet{
		Meta: model.Meta{Namespace: "default", Name: name},
		Spec: model.Spec{
			Selector: model.Selector{Needs: []model.Requirement{{Label: "app", Values: []string{"web"}}}},
			Template: &model.Template{Labels: map[string]string{"app": "web"}},
		},
	})
	require.Nil(r.t, err)
	return model.Owner{Kind: model.KindStatefulSet, Name: name, UID: set.UID, Controller: controller}
}

// settle plays until nothing is left to do. A claim that is deleted loses its protection at once.
func (r *room) settle() {
	for {
		for r.kernel.Next() || r.kernel.NextLate() {
			for _, claim := range r.store.Claims() {
				if claim.Terminating() {
					r.user.RemoveClaim(claim.Key())
				}
			}
		}
		next, any := r.kernel.Peek()
		if !any {
			return
		}
		r.kernel.Advance(next)
	}
}

// kind is one of the kinds of objects that are owned: how one is created, how its owners are changed, and its metadata,
// nil where it is gone.
type kind struct {
	name   string
	create func(r *room, meta model.Meta)
	own    func(r *room, owners []model.Owner)
	meta   func(r *room) *model.Meta
}

var kinds = []kind{
	{"a pod", func(r *room, meta model.Meta) {
		_, err := r.user.CreatePod(&model.Pod{Meta: meta, Template: &model.Template{}})
		require.Nil(r.t, err)
	}, func(r *room, owners []model.Owner) {
		pod := *r.store.Pod(key("it"))
		pod.Owners = owners
		_, err := r.user.UpdatePod(&pod)
		require.Nil(r.t, err)
	}, func(r *room) *model.Meta {
		if pod := r.store.Pod(key("it")); pod != nil {
			return &pod.Meta
		}
		return nil
	}},
	{"a revision", func(r *room, meta model.Meta) {
		_, err := r.user.CreateRevision(&model.Revision{Meta: meta})
		require.Nil(r.t, err)
	}, func(r *room, owners []model.Owner) {
		revision := *r.store.Revision(key("it"))
		revision.Owners = owners
		_, err := r.user.UpdateRevision(&revision)
		require.Nil(r.t, err)
	}, func(r *room) *model.Meta {
		if revision := r.store.Revision(key("it")); revision != nil {
			return &revision.Meta
		}
		return nil
	}},
	{"a claim", func(r *room, meta model.Meta) {
		_, err := r.user.CreateClaim(&model.Claim{Meta: meta})
		require.Nil(r.t, err)
	}, func(r *room, owners []model.Owner) {
		claim := *r.store.Claim(key("it"))
		claim.Owners = owners
		_, err := r.user.UpdateClaim(&claim)
		require.Nil(r.t, err)
	}, func(r *room) *model.Meta {
		if claim := r.store.Claim(key("it")); claim != nil {
			return &claim.Meta
		}
		return nil
	}},
}

// TestOwners: an object of each kind goes when none of its owners is left, and at no other time; of two owners the one
// that is left keeps it, and the reference to the other one is taken away.
func TestOwners(t *testing.T) {
	for _, kind := range kinds {
		for _, c := range []struct {
			name string
			do   func(r *room)
			// left are the names of the owners at the end, nil if the object is gone.
			left []string
		}{
			{"without an owner", func(r *room) { r.object(kind) }, []string{}},
			{"whose owner stays", func(r *room) { r.object(kind, r.set("web", true)) }, []string{"web"}},
			{"whose owner goes", func(r *room) {
				r.object(kind, r.set("web", true))
				require.Nil(r.t, r.user.RemoveSet(key("web")))
			}, nil},
			{"whose controller is not its owner", func(r *room) {
				r.object(kind, r.set("web", false))
				require.Nil(r.t, r.user.RemoveSet(key("web")))
			}, nil},
			{"of two owners of which one goes", func(r *room) {
				r.object(kind, r.set("web", true), r.set("db", false))
				require.Nil(r.t, r.user.RemoveSet(key("web")))
			}, []string{"db"}},
			{"of two owners that go", func(r *room) {
				r.object(kind, r.set("web", true), r.set("db", false))
				require.Nil(r.t, r.user.RemoveSet(key("web")))
				require.Nil(r.t, r.user.RemoveSet(key("db")))
			}, nil},
			{"whose owner is gone before it comes", func(r *room) {
				owner := r.set("web", true)
				require.Nil(r.t, r.user.RemoveSet(key("web")))
				r.object(kind, owner)
			}, nil},
			{"whose owner is another one of that name", func(r *room) {
				owner := r.set("web", true)
				require.Nil(r.t, r.user.RemoveSet(key("web")))
				r.set("web", true)
				r.object(kind, owner)
			}, nil},
			{"that is adopted in time", func(r *room) {
				owner := r.set("web", true)
				require.Nil(r.t, r.user.RemoveSet(key("web")))
				r.object(kind, owner)
				kind.own(r, []model.Owner{r.set("web", true)})
			}, []string{"web"}},
			{"that is adopted, and loses its owner", func(r *room) {
				r.object(kind)
				kind.own(r, []model.Owner{r.set("web", true)})
				require.Nil(r.t, r.user.RemoveSet(key("web")))
			}, nil},
			{"that is adopted by one that is gone", func(r *room) {
				owner := r.set("web", true)
				require.Nil(r.t, r.user.RemoveSet(key("web")))
				r.object(kind)
				kind.own(r, []model.Owner{owner})
			}, nil},
			{"that is released before its owner goes", func(r *room) {
				r.object(kind, r.set("web", true))
				kind.own(r, nil)
				require.Nil(r.t, r.user.RemoveSet(key("web")))
			}, []string{}},
			{"whose owner goes with Orphan", func(r *room) {
				r.object(kind, r.set("web", true), r.set("db", false))
				require.Nil(r.t, r.collector.Delete(store.By{Actor: timeline.User}, key("web"), gc.Orphan))
			}, []string{"db"}},
		} {
			t.Run(kind.name+" "+c.name, func(t *testing.T) {
				r := newRoom(t)
				c.do(r)
				r.settle()
				meta := kind.meta(r)
				if c.left == nil {
					require.Nil(t, meta)
					require.Equal(t, model.Time(time.Second), r.kernel.Now())
					return
				}
				require.NotNil(t, meta)
				left := []string{}
				for _, owner := range meta.Owners {
					left = append(left, owner.Name)
				}
				require.Equal(t, c.left, left)
			})
		}
	}
}

// object creates an object with these owners.
func (r *room) object(kind kind, owners ...model.Owner) {
	kind.create(r, model.Meta{Namespace: "default", Name: "it", Owners: owners})
}

// TestForeground: a set that is deleted after what it owns waits for the objects whose controller it is, also for those
// that come meanwhile, and for no others.
func TestForeground(t *testing.T) {
	for _, kind := range kinds {
		for _, c := range []struct {
			name       string
			controller bool
			late       bool
		}{
			{"of which it is the controller", true, false},
			{"of which it is an owner", false, false},
			{"that comes later", true, true},
		} {
			t.Run(kind.name+" "+c.name, func(t *testing.T) {
				r := newRoom(t)
				owner := r.set("web", c.controller)
				first := r.set("db", true)
				r.user.CreateRevision(&model.Revision{Meta: model.Meta{Namespace: "default", Name: "first", Owners: []model.Owner{owner}}})
				if !c.late {
					r.object(kind, owner, first)
				}
				require.Nil(t, r.collector.Delete(store.By{Actor: timeline.User}, key("web"), gc.Foreground))
				require.True(t, r.store.Set(key("web")).Terminating())
				if c.late {
					r.kernel.Advance(model.Time(500 * time.Millisecond))
					r.object(kind, owner)
				}
				r.settle()
				require.Nil(t, r.store.Set(key("web")))
				require.Nil(t, r.store.Revision(key("first")))
				if !c.late {
					require.Equal(t, []model.Owner{first}, kind.meta(r).Owners)
				}
			})
		}
	}
}

// TestForegroundOfWhatIsLeft: a set without dependents is gone after the collector's delay, and one that is only an owner
// of some, and the controller of others, when the others are.
func TestForegroundOfWhatIsLeft(t *testing.T) {
	r := newRoom(t)
	r.set("web", true)
	require.Nil(t, r.collector.Delete(store.By{Actor: timeline.User}, key("web"), gc.Foreground))
	r.kernel.Advance(model.Time(time.Second - 1))
	require.NotNil(t, r.store.Set(key("web")))
	r.settle()
	require.Nil(t, r.store.Set(key("web")))
	require.Equal(t, model.Time(time.Second), r.kernel.Now())

	r = newRoom(t)
	owner := r.set("web", true)
	mere := owner
	mere.Controller = false
	other := r.set("db", true)
	for name, owners := range map[string][]model.Owner{"both": {mere, other}, "own": {owner}} {
		_, err := r.user.CreateRevision(&model.Revision{Meta: model.Meta{Namespace: "default", Name: name, Owners: owners}})
		require.Nil(t, err)
	}
	require.Nil(t, r.collector.Delete(store.By{Actor: timeline.User}, key("web"), gc.Foreground))
	r.kernel.Advance(model.Time(100 * time.Millisecond))
	require.Nil(t, r.user.DeleteRevision(key("own")))
	for r.kernel.Next() {
	}
	require.Nil(t, r.store.Set(key("web")), "the revision that it only owns does not hold it")
	require.NotNil(t, r.store.Revision(key("both")))
	r.settle()
	require.Equal(t, []model.Owner{other}, r.store.Revision(key("both")).Owners)
}

// TestOwnersOfOtherKinds: a pod of a dump whose owner is of a kind that nobody knows here stays; any other with an owner
// that does not exist goes.
func TestOwnersOfOtherKinds(t *testing.T) {
	for _, c := range []struct {
		name  string
		actor timeline.Actor
		kind  model.Kind
		stays bool
	}{
		{"of a dump, with an owner of another kind", timeline.Dump, model.KindNone, true},
		{"of a dump, with an owner that is gone", timeline.Dump, model.KindStatefulSet, false},
		{"of a user, with an owner of another kind", timeline.User, model.KindNone, false},
	} {
		r := newRoom(t)
		_, err := r.store.As(store.By{Actor: c.actor}).CreatePod(&model.Pod{Template: &model.Template{}, Meta: model.Meta{
			Namespace: "default", Name: "it", Owners: []model.Owner{{Kind: c.kind, Name: "rs", UID: 99, Controller: true}}}})
		require.Nil(t, err)
		r.settle()
		require.Equal(t, c.stays, r.store.Pod(key("it")) != nil, c.name)
	}
}
