package bridge

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/sim"
)

// Forsaken says whether an object has owners of which none is there. The world looks after its own: pods and claims.
func (c *Cluster) Forsaken(o *objects.Object) bool {
	has := len(o.Fields.List("metadata", "ownerReferences")) > 0
	return has && o.Kind != kinds.Pod && o.Kind != kinds.Claim && !c.owned(o, "")
}

// owned says whether an owner of an object is there, other than the one of a uid. One of a kind that is not served is
// taken to be there.
func (c *Cluster) owned(o *objects.Object, but string) bool {
	for _, owner := range o.Fields.List("metadata", "ownerReferences") {
		kind, key := c.Defined.Of(owner.Text("apiVersion"), owner.Text("kind")), model.Key{Name: owner.Text("name")}
		switch uid := owner.Text("uid"); {
		case uid == but:
			continue
		case kind == nil:
			return true
		case kind.Namespaced:
			key.Namespace = o.Key.Namespace
		}
		if there := c.Objects.Get(kind, key); there != nil && there.UID() == owner.Text("uid") {
			return true
		}
	}
	return false
}

// exists says whether an object exists that the world does not know and that owns one of the world's. One of a kind
// that is not served is taken to exist.
func (c *Cluster) exists(uid model.UID) bool {
	if uid >= project.Unserved {
		return true
	}
	for _, kind := range c.Defined.All() {
		for _, o := range c.Objects.List(kind, "") {
			if o.UID() == uid.String() {
				return true
			}
		}
	}
	return false
}

// garbage are the objects that go when what they own is gone, and the owners that the world has deleted, and whose objects
// that only the API has are to follow.
type garbage struct {
	waiting []Ref
	gone    []*objects.Object
}

// Drop takes an object out of the API, and looks after what it owned.
func (c *Cluster) Drop(o *objects.Object) {
	c.Objects.Delete(o.Kind, o.Key, c.User.DrawVersion())
	c.garbage.letGo(c, o, sim.Background)
}

// EndForeground lets the objects go that have waited for what they own, and have nothing left that holds them.
func (c *Cluster) EndForeground() { c.garbage.end(c) }

// collected are the kinds whose objects the world looks after if it knows their owner, and events, which have none.
var collected = []*kinds.Kind{kinds.Pod, kinds.Claim, kinds.Revision, kinds.Event}

// owns says whether the world itself deletes objects of a kind that may own what only the API has.
func owns(kind *kinds.Kind) bool { return kind == kinds.StatefulSet || kind == kinds.Pod }

// dependents returns the objects that name an owner, without those that the world's collector looks after. What a
// namespaced object owns is in its namespace.
func (c *Cluster) dependents(owner *objects.Object) (all []*objects.Object) {
	uid := owner.UID()
	for _, kind := range c.Defined.All() {
		if (kind.Namespaced || !owner.Kind.Namespaced) && (!owns(owner.Kind) || !slices.Contains(collected, kind)) {
			all = append(all, c.Objects.Select(kind, func(o *objects.Object) bool {
				return (!owner.Kind.Namespaced || o.Key.Namespace == owner.Key.Namespace) && refTo(o, uid) != nil
			})...)
		}
	}
	return all
}

// refTo returns the reference of an object to its owner of a uid, nil if that is none.
func refTo(o *objects.Object, uid string) kinds.Fields {
	for _, owner := range o.Fields.List("metadata", "ownerReferences") {
		if owner.Text("uid") == uid {
			return owner
		}
	}
	return nil
}

// letGo looks after what an object owned that is gone, or that goes and leaves it, or that waits for it to go. What has
// another owner that is there loses this one; what has none is deleted, unless it is left.
func (g *garbage) letGo(c *Cluster, owner *objects.Object, cascade sim.DeletionPolicy) {
	if c.config.Uncontrolled {
		return
	}
	uid := owner.UID()
	for _, o := range c.dependents(owner) {
		o = c.Objects.Get(o.Kind, o.Key) // One before it may have owned it too, and has changed it or taken it along.
		switch {
		case o == nil || refTo(o, uid) == nil:
		case cascade != sim.Orphan && !c.owned(o, uid):
			if !waits(o) {
				c.Delete(g.unblocking(c, o, cascade), Deletion{Cascade: cascade})
			}
		default:
			c.reown(o, func(owner kinds.Fields) bool { return owner.Text("uid") != uid })
		}
	}
}

// follow looks after what the objects owned that the world has deleted.
func (g *garbage) follow(c *Cluster) {
	list := g.gone
	g.gone = nil
	for _, owner := range list {
		g.letGo(c, owner, sim.Background)
	}
}

// unblocking returns an object that is to go before its owners. If it owns one that waits, no owner waits for it from
// then on: they would wait for one another for ever.
func (g *garbage) unblocking(c *Cluster, o *objects.Object, cascade sim.DeletionPolicy) *objects.Object {
	if cascade != sim.Foreground || !slices.ContainsFunc(c.dependents(o), waits) {
		return o
	}
	c.reown(o, func(owner kinds.Fields) bool {
		owner["blockOwnerDeletion"] = false
		return true
	})
	return c.Objects.Get(o.Kind, o.Key)
}

// reown changes the owners of an object: each may be changed, and stays if keep says so.
func (c *Cluster) reown(o *objects.Object, keep func(owner kinds.Fields) bool) {
	fields := kinds.Clone(o.Fields)
	meta, left := fields.Map("metadata"), []any(nil)
	for _, owner := range o.Fields.List("metadata", "ownerReferences") {
		if owner = maps.Clone(owner); keep(owner) {
			left = append(left, map[string]any(owner))
		}
	}
	if meta["ownerReferences"] = left; left == nil {
		delete(meta, "ownerReferences")
	}
	if o.Kind != kinds.Pod && o.Kind != kinds.Claim {
		c.Put(o.Kind, fields)
		return
	}
	typed, err := project.Typed(o.Kind, fields)
	if err != nil {
		return
	}
	if do, err := actors[o.Kind].write(typed, o); err == nil {
		at := Ref{o.Kind, o.Key}
		defer c.Want(at, fields)()
		c.Act(Other("update", o.Kind, o.Key), at, do)
	}
}

// foreground deletes an object in the foreground: what it owns goes first. fields are the object, marked as deleted.
func (g *garbage) foreground(c *Cluster, o *objects.Object, fields kinds.Fields) {
	meta := fields.Map("metadata")
	finalizers, _ := meta["finalizers"].([]any)
	meta["finalizers"] = append(slices.Clip(finalizers), metav1.FinalizerDeleteDependents)
	g.waiting = append(g.waiting, Ref{o.Kind, o.Key})
	g.letGo(c, c.Put(o.Kind, fields), sim.Foreground)
	g.end(c)
}

// waits says whether an object waits for what it owns.
func waits(o *objects.Object) bool {
	return slices.Contains(o.Fields.Words("metadata", "finalizers"), metav1.FinalizerDeleteDependents)
}

// end lets the objects go that have waited for what they own, and have nothing left that holds them.
func (g *garbage) end(c *Cluster) {
	list := g.waiting
	g.waiting = nil
	for _, at := range list {
		o := c.Objects.Get(at.Kind, at.Key)
		if o == nil || !waits(o) {
			continue
		}
		if slices.ContainsFunc(c.dependents(o), func(d *objects.Object) bool {
			return refTo(d, o.UID())["blockOwnerDeletion"] == true
		}) {
			g.waiting = append(g.waiting, at)
			continue
		}
		g.release(c, o)
	}
}

// release takes out of an object that it waits for what it owns, and deletes it if nothing else holds it.
func (g *garbage) release(c *Cluster, o *objects.Object) {
	fields := kinds.Clone(o.Fields)
	meta, left := fields.Map("metadata"), []any(nil)
	for _, finalizer := range o.Fields.Words("metadata", "finalizers") {
		if finalizer != metav1.FinalizerDeleteDependents {
			left = append(left, finalizer)
		}
	}
	if meta["finalizers"] = left; left == nil {
		delete(meta, "finalizers")
	}
	if o = c.Put(o.Kind, fields); left == nil {
		c.Objects.Delete(o.Kind, o.Key, c.User.DrawVersion())
		g.letGo(c, o, sim.Background)
	}
}
