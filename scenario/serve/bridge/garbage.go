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

// Forsaken reports whether an object has owners and none of them exists. The world handles pods and claims itself.
func (c *Cluster) Forsaken(o *objects.Object) bool {
	has := len(o.Fields.List("metadata", "ownerReferences")) > 0
	return has && o.Kind != kinds.Pod && o.Kind != kinds.Claim && !c.owned(o, "")
}

// owned reports whether an owner of an object exists, other than the owner with the uid but. An owner of a kind
// that is not served is assumed to exist.
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

// exists reports whether an object exists that the world does not know but that owns one of the world's objects. An
// owner of a kind that is not served is assumed to exist.
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

// garbage are the objects that are deleted once their dependents are gone, and the owners that the world has
// deleted and whose dependents exist only in the API.
type garbage struct {
	waiting []Ref
	gone    []*objects.Object
}

// Drop takes an object out of the API, and handles its dependents.
func (c *Cluster) Drop(o *objects.Object) {
	c.Objects.Delete(o.Kind, o.Key, c.User.DrawVersion())
	c.garbage.letGo(c, o, sim.Background)
}

// EndForeground deletes the objects whose dependents are gone and that nothing else holds.
func (c *Cluster) EndForeground() { c.garbage.end(c) }

// collected are the kinds whose objects the world looks after if it knows their owner, and events, which have none.
var collected = []*kinds.Kind{kinds.Pod, kinds.Claim, kinds.Revision, kinds.Event}

// owns reports whether the world itself deletes objects of a kind that may own objects that exist only in the API.
func owns(kind *kinds.Kind) bool { return kind == kinds.StatefulSet || kind == kinds.Pod }

// dependents returns the objects that name an owner, without the ones that the world's collector handles. The
// dependents of a namespaced object are in its namespace.
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

// letGo handles the dependents of an owner that is gone, orphans them, or is waiting for them. A dependent that has
// another existing owner loses only the reference to this one; any other is deleted, unless it is orphaned.
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

// follow handles the dependents of the objects that the world has deleted.
func (g *garbage) follow(c *Cluster) {
	list := g.gone
	g.gone = nil
	for _, owner := range list {
		g.letGo(c, owner, sim.Background)
	}
}

// unblocking returns an object that must be deleted before its owners. If it owns an object that waits, no owner
// waits for it any longer: they would wait for each other forever.
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

// foreground deletes an object in the foreground: its dependents are deleted first. fields are the object, marked
// as deleted.
func (g *garbage) foreground(c *Cluster, o *objects.Object, fields kinds.Fields) {
	meta := fields.Map("metadata")
	finalizers, _ := meta["finalizers"].([]any)
	meta["finalizers"] = append(slices.Clip(finalizers), metav1.FinalizerDeleteDependents)
	g.waiting = append(g.waiting, Ref{o.Kind, o.Key})
	g.letGo(c, c.Put(o.Kind, fields), sim.Foreground)
	g.end(c)
}

// waits reports whether an object waits for its dependents to be deleted.
func waits(o *objects.Object) bool {
	return slices.Contains(o.Fields.Words("metadata", "finalizers"), metav1.FinalizerDeleteDependents)
}

// end deletes the objects whose dependents are gone and that nothing else holds.
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

// release removes the foregroundDeletion finalizer from an object, and deletes the object if nothing else holds it.
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
