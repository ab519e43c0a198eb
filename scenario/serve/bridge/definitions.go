package bridge

import (
	"reflect"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
)

// Redefine serves the kinds that the definitions define now. Clients that watch a changed kind list it again.
func (c *Cluster) Redefine() {
	var next kinds.Catalog
	for _, o := range c.Objects.List(kinds.Definition, "") {
		kind := kinds.Defined(o.Fields)
		var old *kinds.Kind
		is := func(k *kinds.Kind) bool { return k.Group == kind.Group && k.Resource == kind.Resource }
		i := slices.IndexFunc(c.Defined, is)
		if i >= 0 {
			old = c.Defined[i]
		}
		switch {
		case old != nil && same(old, kind):
			kind = old
		case old != nil:
			c.Objects.Rename(old, kind)
			c.config.Expired(old)
		}
		next = append(next, kind)
	}
	for _, old := range c.Defined {
		if next.Find(old.Group, old.Version, old.Resource) == nil {
			c.config.Expired(old)
		}
	}
	c.Defined = next
}

// same reports whether two definitions are equivalent.
func same(a, b *kinds.Kind) bool {
	return a.Version == b.Version && a.Kind == b.Kind && a.Singular == b.Singular && a.Namespaced == b.Namespaced &&
		reflect.DeepEqual(a.Schema, b.Schema) && slices.Equal(a.Subresources, b.Subresources) &&
		slices.Equal(a.Short, b.Short) && slices.Equal(a.Selectable, b.Selectable) &&
		reflect.DeepEqual(a.Definitions(), b.Definitions()) && reflect.DeepEqual(a.Scaled, b.Scaled)
}

// undefine deletes the objects of a definition that is being deleted, and reports whether some are left.
func (c *Cluster) undefine(o *objects.Object) (left bool) {
	kind := kinds.Defined(o.Fields)
	if kind = c.Defined.Find(kind.Group, kind.Version, kind.Resource); kind == nil {
		return false
	}
	for _, one := range c.Objects.List(kind, "") {
		c.Remove(one, Deletion{Cascade: sim.Background})
	}
	return len(c.Objects.List(kind, "")) > 0
}

// EndDefinitions deletes the definitions that are marked for deletion and have no objects left.
func (c *Cluster) EndDefinitions() {
	ended := false
	for _, o := range c.Objects.List(kinds.Definition, "") {
		if o.Fields.Text("metadata", "deletionTimestamp") != "" && !c.undefine(o) {
			c.Objects.Delete(kinds.Definition, o.Key, c.User.DrawVersion())
			ended = true
		}
	}
	if ended {
		c.Redefine()
	}
}
