package bridge

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/builtin"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/sim"
)

// Delete deletes an object and what only it owns, and returns it if it is still there.
func (c *Cluster) Delete(old *objects.Object, how Deletion) (*objects.Object, error) {
	c.Halfway = true
	if c.config.Uncontrolled && old.Kind != kinds.Definition {
		return c.Erase(old, how), nil
	}
	if how.Cascade == sim.Orphan {
		c.garbage.letGo(c, old, sim.Orphan)
	}
	if err := c.Remove(old, how); err != nil {
		return nil, err
	}
	left := c.Objects.Get(old.Kind, old.Key)
	switch gone := left == nil || left.UID() != old.UID(); {
	case !gone && how.Cascade == sim.Foreground && owns(old.Kind):
		c.garbage.letGo(c, old, sim.Foreground)
		return c.Objects.Get(old.Kind, old.Key), nil
	case !gone:
		return left, nil
	case !owns(old.Kind):
		c.garbage.letGo(c, old, sim.Background)
	}
	return nil, nil
}

// Remove deletes an object, or asks for it.
func (c *Cluster) Remove(o *objects.Object, how Deletion) error {
	if o.Kind == kinds.StatefulSet && Held(o) {
		mark(c, o)
		return nil
	}
	actor, simulated := actors[o.Kind]
	if o.Kind == kinds.Service && c.User.Service(o.Key) == nil || o.Kind == kinds.Revision && Apart(o) {
		simulated = false
	}
	if simulated {
		return refuse.Of(c.Act(deletes(o, how), Ref{o.Kind, o.Key}, func(u *sim.User) *model.APIError {
			err := actor.remove(u, o.Key, how)
			if err == nil && (o.Kind == kinds.Service || o.Kind == kinds.Budget) {
				c.Objects.Delete(o.Kind, o.Key, c.User.DrawVersion())
			}
			return err
		}), o.Kind, o.Key.Name)
	}
	first := how.Cascade == sim.Foreground && len(c.dependents(o)) > 0
	held := slices.ContainsFunc(o.Fields.Words("metadata", "finalizers"), func(name string) bool {
		return name != builtin.Protected(o.Kind.Kind) // Nothing uses such objects.
	}) || o.Kind == kinds.Namespace ||
		o.Kind == kinds.Definition && c.undefine(o)
	if !held && !first {
		c.Objects.Delete(o.Kind, o.Key, c.User.DrawVersion())
		return nil
	}
	if o.Fields.Text("metadata", "deletionTimestamp") != "" {
		if how.Cascade != sim.Foreground && waits(o) {
			c.garbage.release(c, o)
		}
		return nil
	}
	fields := kinds.Clone(o.Fields)
	meta := fields.Map("metadata")
	meta["deletionTimestamp"] = c.Instant().Format(time.RFC3339)
	if o.Kind == kinds.Namespace {
		fields["status"] = map[string]any{"phase": "Terminating"}
	} else {
		meta["deletionGracePeriodSeconds"] = int64(0)
	}
	if generation := meta.Number("generation"); generation > 0 {
		meta["generation"] = generation + 1
	}
	if first {
		c.garbage.foreground(c, o, fields)
		return nil
	}
	c.Put(o.Kind, fields)
	if o.Kind == kinds.Namespace {
		c.dropNamespace(o.Key.Name)
		c.AtFixedPoint()
	}
	return nil
}

// Erase deletes an object as an API server does without controllers: at once, unless a grace period or a finalizer
// holds it. Its dependents are left as they are. It returns what is left.
func (c *Cluster) Erase(o *objects.Object, how Deletion) *objects.Object {
	fields := kinds.Clone(o.Fields)
	meta := fields.Map("metadata")
	grace, had, again := graceOf(o, how), meta.Number("deletionGracePeriodSeconds"), meta["deletionTimestamp"] != nil
	if again && (o.Kind == kinds.Namespace || o.Kind == kinds.Pod && (how.Grace == nil || grace >= had)) {
		return o // A grace period only becomes shorter.
	}
	finalizers := cascading(o, how)
	if meta["finalizers"] = finalizers; len(finalizers) == 0 {
		delete(meta, "finalizers")
	}
	if len(finalizers) == 0 && grace == 0 && o.Kind != kinds.Namespace {
		c.Objects.Delete(o.Kind, o.Key, c.User.DrawVersion())
		return nil
	}
	at := c.Instant()
	if since, err := time.Parse(time.RFC3339, meta.Text("deletionTimestamp")); again && err == nil {
		at = since.Add(-time.Duration(had) * time.Second)
	} else if generation := meta.Number("generation"); generation > 0 {
		meta["generation"] = generation + 1
	}
	meta["deletionTimestamp"] = at.Add(time.Duration(grace) * time.Second).Format(time.RFC3339)
	if o.Kind == kinds.Namespace {
		fields["status"] = map[string]any{"phase": "Terminating"}
	} else {
		meta["deletionGracePeriodSeconds"] = grace
	}
	return c.Put(o.Kind, fields)
}

// graceOf returns the seconds that an object has to end: only a pod that a node may run has some.
func graceOf(o *objects.Object, how Deletion) int64 {
	phase := o.Fields.Text("status", "phase")
	switch {
	case o.Kind != kinds.Pod || o.Fields.Text("spec", "nodeName") == "" || phase == "Succeeded" || phase == "Failed":
		return 0
	case how.Grace != nil:
		return int64(*how.Grace / time.Second)
	}
	return o.Fields.Number("spec", "terminationGracePeriodSeconds")
}

// cascading returns the finalizers that an object has after a deletion: the finalizer of its cascade is left to a
// garbage collector.
func cascading(o *objects.Object, how Deletion) (list []any) {
	own := []string{metav1.FinalizerDeleteDependents, metav1.FinalizerOrphanDependents}
	for _, name := range o.Fields.Words("metadata", "finalizers") {
		if !how.Cascades || !slices.Contains(own, name) {
			list = append(list, name)
		}
	}
	switch {
	case o.Kind == kinds.Event || o.Kind == kinds.Namespace:
	case how.Cascade == sim.Foreground:
		list = append(list, metav1.FinalizerDeleteDependents)
	case how.Cascade == sim.Orphan:
		list = append(list, metav1.FinalizerOrphanDependents)
	}
	return list
}

// Held reports whether an object has finalizers that no part of the cluster removes.
func Held(o *objects.Object) bool {
	return slices.ContainsFunc(o.Fields.Words("metadata", "finalizers"), func(name string) bool {
		return name != metav1.FinalizerDeleteDependents && name != metav1.FinalizerOrphanDependents
	})
}

// mark shows that the deletion of an object was asked for, which its finalizers hold up.
func mark(c *Cluster, o *objects.Object) {
	if o.Fields.Text("metadata", "deletionTimestamp") != "" {
		return
	}
	fields := kinds.Clone(o.Fields)
	meta := fields.Map("metadata")
	meta["deletionTimestamp"], meta["deletionGracePeriodSeconds"] = c.Instant().Format(time.RFC3339), int64(0)
	meta["generation"] = meta.Number("generation") + 1
	c.Put(o.Kind, fields)
}
