// Package workloads plays the controllers of Deployments, ReplicaSets, Jobs, CronJobs and DaemonSets: from the
// objects that they read it computes what they write next. It knows nothing about worlds and requests, and keeps no
// state.
//
// These controllers are simple: they reach the same state as the controllers of Kubernetes, possibly by other
// steps. Only the StatefulSet controller is the real one, in the world.
package workloads

import (
	"cmp"
	"slices"
	"time"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
)

// Reader reads the objects of a kind, in the order of their names. The namespace "" means all of them.
type Reader interface {
	List(kind *kinds.Kind, namespace string) []*objects.Object
}

// Verb is a controller's act on an object.
type Verb string

// The verbs. Update leaves the status of the object as it is, and Status changes nothing else.
const (
	Create Verb = "create"
	Update Verb = "update"
	Status Verb = "update the status of"
	Delete Verb = "delete"
)

// Write is a write of a controller.
type Write struct {
	Verb Verb
	Kind *kinds.Kind
	// Key names the object; a new object may have metadata.generateName in its fields instead of a name.
	Key model.Key
	// Fields are the whole object as it should be; nil for a deletion.
	Fields kinds.Fields
}

// Plan is what the controllers write now, and when they must be called again even if nothing changes: at Wake, and
// at Alarm, which does not keep clients waiting. For both, zero means never.
type Plan struct {
	Writes      []Write
	Wake, Alarm time.Time
}

// wake asks to be asked again at an instant.
func (p *Plan) wake(at time.Time) { p.Wake = sooner(p.Wake, at) }

// sooner returns the earlier of two times; the first may be zero.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || later(a, b) {
		return b
	}
	return a
}

// later reports whether a time is after another one.
func later(a, b time.Time) bool { return a.Compare(b) > 0 }

// Kinds are the kinds whose controllers are played.
var Kinds = []*kinds.Kind{kinds.CronJob, kinds.DaemonSet, kinds.Deployment, kinds.Job, kinds.ReplicaSet}

// Next returns the next writes of the controllers of some kinds. Once these are written, call it again until it
// returns none.
func Next(read Reader, of []*kinds.Kind, now time.Time) Plan {
	s := &syncing{read: read, now: now}
	for _, kind := range Kinds {
		if !slices.Contains(of, kind) {
			continue
		}
		for _, o := range read.List(kind, "") {
			syncs[kind](s, o)
		}
	}
	return s.plan
}

// syncs are the controllers, by kind.
var syncs = map[*kinds.Kind]func(*syncing, *objects.Object){
	kinds.CronJob: (*syncing).cronJob, kinds.DaemonSet: (*syncing).daemonSet, kinds.Deployment: (*syncing).deployment,
	kinds.Job: (*syncing).job, kinds.ReplicaSet: (*syncing).replicaSet,
}

// syncing is one look of the controllers at the objects.
type syncing struct {
	read Reader
	now  time.Time
	plan Plan
	// pods are the pods that have a controller, by its uid; nil until first used.
	pods map[string][]pod
}

// create writes a new object that an owner controls.
func (s *syncing) create(kind *kinds.Kind, owner *objects.Object, typed any) {
	fields := project.Fields(typed)
	meta := fields.Map("metadata")
	meta["namespace"] = owner.Key.Namespace
	meta["ownerReferences"] = []any{map[string]any{"apiVersion": owner.Kind.APIVersion(), "kind": owner.Kind.Kind,
		"name": owner.Key.Name, "uid": owner.UID(), "controller": true, "blockOwnerDeletion": true}}
	s.plan.Writes = append(s.plan.Writes, Write{Verb: Create, Kind: kind, Fields: fields,
		Key: model.Key{Namespace: owner.Key.Namespace, Name: meta.Text("name")}})
}

// update writes an object that changed apart from its status.
func (s *syncing) update(o *objects.Object, typed any) {
	fields := kinds.Clone(o.Fields)
	changed := project.Fields(typed)
	fields["spec"] = changed["spec"]
	meta, now := fields.Map("metadata"), changed.Map("metadata")
	for _, name := range []string{"labels", "annotations"} {
		if meta[name] = now[name]; meta[name] == nil {
			delete(meta, name)
		}
	}
	s.plan.Writes = append(s.plan.Writes, Write{Verb: Update, Kind: o.Kind, Key: o.Key, Fields: fields})
}

// status writes the status of an object, if it is another one.
func (s *syncing) status(o *objects.Object, typed any) {
	now := project.Fields(typed)["status"]
	if same(now, o.Fields["status"]) {
		return
	}
	fields := kinds.Clone(o.Fields)
	fields["status"] = now
	s.plan.Writes = append(s.plan.Writes, Write{Verb: Status, Kind: o.Kind, Key: o.Key, Fields: fields})
}

// remove deletes an object.
func (s *syncing) remove(kind *kinds.Kind, key model.Key) {
	s.plan.Writes = append(s.plan.Writes, Write{Verb: Delete, Kind: kind, Key: key})
}

// owned returns the objects of a kind that an object controls, the oldest first.
func (s *syncing) owned(kind *kinds.Kind, by *objects.Object) []*objects.Object {
	list := slices.DeleteFunc(s.read.List(kind, by.Key.Namespace), func(o *objects.Object) bool {
		return controller(o) != by.UID()
	})
	slices.SortStableFunc(list, func(a, b *objects.Object) int {
		return cmp.Compare(a.Fields.Text("metadata", "creationTimestamp"), b.Fields.Text("metadata", "creationTimestamp"))
	})
	return list
}

// controller returns the uid of the owner that controls an object, "" without one.
func controller(o *objects.Object) string {
	for _, owner := range o.Fields.List("metadata", "ownerReferences") {
		if owner.Is("controller") {
			return owner.Text("uid")
		}
	}
	return ""
}

// going reports whether an object is being deleted: its controller leaves it alone.
func going(o *objects.Object) bool { return o.Fields.Text("metadata", "deletionTimestamp") != "" }

// typed returns an object as its Go type, and false if it is none.
func typed[T any](o *objects.Object) (T, bool) {
	value, err := project.Typed(o.Kind, o.Fields)
	of, is := value.(T)
	return of, is && err == nil
}
