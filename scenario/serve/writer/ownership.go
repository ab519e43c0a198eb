package writer

import (
	"reflect"
	"sync"
	"time"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/managed"
	"github.com/statefulsim/statefulsim/scenario/serve/request"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
)

// merging are the same for server-side apply.
var merging = sync.OnceValue(func() *managed.Schema { return schema.BuiltIn().Merging() })

// TypeOf returns how objects of a kind are merged.
func (g *Writer) TypeOf(kind *kinds.Kind) managed.Type {
	name := schema.TypeName(kind)
	switch {
	case kind.Schema != nil:
		if _, known := g.Types[kind]; !known {
			g.Types[kind] = managed.Type{Schema: schema.TypesOf([]*kinds.Kind{kind}).Merging(), Ref: schema.TypeNamed(name)}
		}
		return g.Types[kind]
	case name == "":
		return managed.Type{Schema: merging(), Ref: schema.Deduced()}
	}
	return managed.Type{Schema: merging(), Ref: schema.TypeNamed(name)}
}

// manage notes the field managers in a write.
func (g *Writer) manage(w *Write) {
	meta, live := w.fields.Map("metadata"), kinds.Fields{}
	owners := w.q.Owned
	if w.old != nil {
		live = w.old.Fields
	}
	if owners == nil {
		owners = g.updated(w, meta, live).Encode()
	}
	w.fields = kinds.Clone(w.fields)
	managed.Stamp(owners, g.Cluster.Instant().Format(time.RFC3339))
	if len(owners) > 0 {
		w.fields.Map("metadata")["managedFields"] = owners
	} else {
		delete(w.fields.Map("metadata"), "managedFields")
	}
}

// updated returns the managers after a write other than an apply. An object without managers stays without them.
func (g *Writer) updated(w *Write, meta, live kinds.Fields) managed.Owners {
	given, _ := meta["managedFields"].([]any)
	before, _ := live.Map("metadata")["managedFields"].([]any)
	owners, err := managed.Decode(given)
	forget := len(given) == 1 && reflect.DeepEqual(given[0], map[string]any{})
	if err != nil || len(owners) == 0 || w.q.Subresource != "" {
		owners, _ = managed.Decode(before)
	}
	switch {
	case forget:
		return nil
	case w.old == nil:
		return g.TypeOf(w.q.Kind).Update(live, request.Unmanaged(w.fields), nil, w.q.Writer())
	case len(owners) == 0:
		return nil
	}
	return g.TypeOf(w.q.Kind).Update(request.Unmanaged(live), request.Unmanaged(w.fields), owners, w.q.Writer())
}
