package serve

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

// forsaken says whether an object has owners of which none is there. The world looks after its own: pods and claims.
func (s *Server) forsaken(o *objects.Object) bool {
	has := len(o.Fields.List("metadata", "ownerReferences")) > 0
	return has && o.Kind != kinds.Pod && o.Kind != kinds.Claim && !s.owned(o, "")
}

// owned says whether an owner of an object is there, other than the one of a uid. One of a kind that is not served is
// taken to be there.
func (s *Server) owned(o *objects.Object, but string) bool {
	for _, owner := range o.Fields.List("metadata", "ownerReferences") {
		kind, key := s.defined.Of(owner.Text("apiVersion"), owner.Text("kind")), model.Key{Name: owner.Text("name")}
		switch uid := owner.Text("uid"); {
		case uid == but:
			continue
		case kind == nil:
			return true
		case kind.Namespaced:
			key.Namespace = o.Key.Namespace
		}
		if there := s.objects.Get(kind, key); there != nil && there.UID() == owner.Text("uid") {
			return true
		}
	}
	return false
}

// exists says whether an object exists that the world does not know and that owns one of the world's. One of a kind
// that is not served is taken to exist.
func (s *Server) exists(uid model.UID) bool {
	if uid >= project.Unserved {
		return true
	}
	for _, kind := range s.defined.All() {
		for _, o := range s.objects.List(kind, "") {
			if o.UID() == uid.String() {
				return true
			}
		}
	}
	return false
}

// collected are the kinds whose objects the world looks after if it knows their owner, and events, which have none.
var collected = []*kinds.Kind{kinds.Pod, kinds.Claim, kinds.Revision, kinds.Event}

// owns says whether the world itself deletes objects of a kind that may own what only the API has.
func owns(kind *kinds.Kind) bool { return kind == kinds.StatefulSet || kind == kinds.Pod }

// dependents returns the objects that name an owner, without those that the world's collector looks after. What a
// namespaced object owns is in its namespace.
func (s *Server) dependents(owner *objects.Object) (all []*objects.Object) {
	uid := owner.UID()
	for _, kind := range s.defined.All() {
		if (kind.Namespaced || !owner.Kind.Namespaced) && (!owns(owner.Kind) || !slices.Contains(collected, kind)) {
			all = append(all, s.objects.Select(kind, func(o *objects.Object) bool {
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
func (s *Server) letGo(owner *objects.Object, cascade sim.DeletionPolicy) {
	if s.config.Uncontrolled {
		return
	}
	uid := owner.UID()
	for _, o := range s.dependents(owner) {
		o = s.objects.Get(o.Kind, o.Key) // One before it may have owned it too, and has changed it or taken it along.
		switch {
		case o == nil || refTo(o, uid) == nil:
		case cascade != sim.Orphan && !s.owned(o, uid):
			if !waits(o) {
				s.delete(s.unblocking(o, cascade), deletion{cascade: cascade})
			}
		default:
			s.reown(o, func(owner kinds.Fields) bool { return owner.Text("uid") != uid })
		}
	}
}

// follow looks after what the objects owned that the world has deleted.
func (s *Server) follow() {
	list := s.gone
	s.gone = nil
	for _, owner := range list {
		s.letGo(owner, sim.Background)
	}
}

// unblocking returns an object that is to go before its owners. If it owns one that waits, no owner waits for it from
// then on: they would wait for one another for ever.
func (s *Server) unblocking(o *objects.Object, cascade sim.DeletionPolicy) *objects.Object {
	if cascade != sim.Foreground || !slices.ContainsFunc(s.dependents(o), waits) {
		return o
	}
	s.reown(o, func(owner kinds.Fields) bool {
		owner["blockOwnerDeletion"] = false
		return true
	})
	return s.objects.Get(o.Kind, o.Key)
}

// reown changes the owners of an object: each may be changed, and stays if keep says so.
func (s *Server) reown(o *objects.Object, keep func(owner kinds.Fields) bool) {
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
		s.put(o.Kind, fields)
		return
	}
	typed, err := project.Typed(o.Kind, fields)
	if err != nil {
		return
	}
	if do, err := actors[o.Kind].write(typed, o); err == nil {
		at := ref{o.Kind, o.Key}
		s.wanted[at] = fields
		defer delete(s.wanted, at)
		s.act(other("update", o.Kind, o.Key), at, do)
	}
}

// foreground deletes an object in the foreground: what it owns goes first. fields are the object, marked as deleted.
func (s *Server) foreground(o *objects.Object, fields kinds.Fields) {
	meta := fields.Map("metadata")
	finalizers, _ := meta["finalizers"].([]any)
	meta["finalizers"] = append(slices.Clip(finalizers), metav1.FinalizerDeleteDependents)
	s.waiting = append(s.waiting, ref{o.Kind, o.Key})
	s.letGo(s.put(o.Kind, fields), sim.Foreground)
	s.endForeground()
}

// waits says whether an object waits for what it owns.
func waits(o *objects.Object) bool {
	return slices.Contains(o.Fields.Words("metadata", "finalizers"), metav1.FinalizerDeleteDependents)
}

// endForeground lets the objects go that have waited for what they own, and have nothing left that holds them.
func (s *Server) endForeground() {
	list := s.waiting
	s.waiting = nil
	for _, at := range list {
		o := s.objects.Get(at.kind, at.key)
		if o == nil || !waits(o) {
			continue
		}
		if slices.ContainsFunc(s.dependents(o), func(d *objects.Object) bool {
			return refTo(d, o.UID())["blockOwnerDeletion"] == true
		}) {
			s.waiting = append(s.waiting, at)
			continue
		}
		s.release(o)
	}
}

// release takes out of an object that it waits for what it owns, and deletes it if nothing else holds it.
func (s *Server) release(o *objects.Object) {
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
	if o = s.put(o.Kind, fields); left == nil {
		s.objects.Delete(o.Kind, o.Key, s.user.DrawVersion())
		s.letGo(o, sim.Background)
	}
}
