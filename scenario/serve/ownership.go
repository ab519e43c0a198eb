package serve

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	apischema "k8s.io/apimachinery/pkg/runtime/schema"
	kjson "sigs.k8s.io/json"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/managed"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/scenario/serve/schema"
)

// builtIn are the schemas of the kinds that have a Go type.
var builtIn = sync.OnceValue(func() schema.Types {
	types := schema.Types{}
	for i := range kinds.Served {
		if k := &kinds.Served[i]; !k.Plain {
			types.Add(reflect.TypeOf(k.New()).Elem())
		}
	}
	return types
})

// merging are the same for server-side apply.
var merging = sync.OnceValue(func() *managed.Schema { return builtIn().Merging() })

// typeName returns the name of a kind's schema; "" if it has none.
func typeName(kind *kinds.Kind) string {
	switch {
	case kind.Schema != nil:
		parts := strings.Split(kind.Group, ".")
		slices.Reverse(parts)
		return strings.Join(parts, ".") + "." + kind.Version + "." + kind.Kind
	case kind.Plain:
		return ""
	}
	return *schema.Named(reflect.TypeOf(kind.New()).Elem()).NamedType
}

// typesOf returns the schemas of the kinds that have a Go type, and those of the others in a list.
func typesOf(list []*kinds.Kind) schema.Types {
	types := builtIn()
	for _, kind := range list {
		if kind.Schema != nil {
			types = types.With(typeName(kind), kind.Schema)
		}
	}
	return types
}

// typeOf returns how objects of a kind are merged.
func (g *writer) typeOf(kind *kinds.Kind) managed.Type {
	name := typeName(kind)
	switch {
	case kind.Schema != nil:
		if _, known := g.types[kind]; !known {
			g.types[kind] = managed.Type{Schema: typesOf([]*kinds.Kind{kind}).Merging(), Ref: schema.TypeNamed(name)}
		}
		return g.types[kind]
	case name == "":
		return managed.Type{Schema: merging(), Ref: schema.Deduced()}
	}
	return managed.Type{Schema: merging(), Ref: schema.TypeNamed(name)}
}

// writer returns who sends a request. The time is filled in when the object is written.
func (q *request) writer() managed.Writer {
	agent, _, _ := strings.Cut(q.http.UserAgent(), "/")
	return managed.Writer{Manager: cmp.Or(q.query.Get("fieldManager"), agent, "unknown"), APIVersion: q.kind.APIVersion(),
		Subresource: q.sub, Time: managed.Later}
}

// unmanaged returns fields without the managers of them.
func unmanaged(fields kinds.Fields) kinds.Fields {
	fields = kinds.Clone(fields)
	delete(fields.Map("metadata"), "managedFields")
	return fields
}

// manage notes in a write who manages its fields.
func (g *writer) manage(w *write) {
	meta, live := w.fields.Map("metadata"), kinds.Fields{}
	owners := w.q.owned
	if w.old != nil {
		live = w.old.Fields
	}
	if owners == nil {
		owners = g.updated(w, meta, live).Encode()
	}
	w.fields = kinds.Clone(w.fields)
	managed.Stamp(owners, g.cluster.Instant().Format(time.RFC3339))
	if len(owners) > 0 {
		w.fields.Map("metadata")["managedFields"] = owners
	} else {
		delete(w.fields.Map("metadata"), "managedFields")
	}
}

// updated returns the managers after a write that applies nothing. An object that nobody has managed so far stays so.
func (g *writer) updated(w *write, meta, live kinds.Fields) managed.Owners {
	given, _ := meta["managedFields"].([]any)
	before, _ := live.Map("metadata")["managedFields"].([]any)
	owners, err := managed.Decode(given)
	forget := len(given) == 1 && reflect.DeepEqual(given[0], map[string]any{})
	if err != nil || len(owners) == 0 || w.q.sub != "" {
		owners, _ = managed.Decode(before)
	}
	switch {
	case forget:
		return nil
	case w.old == nil:
		return g.typeOf(w.q.kind).Update(live, unmanaged(w.fields), nil, w.q.writer())
	case len(owners) == 0:
		return nil
	}
	return g.typeOf(w.q.kind).Update(unmanaged(live), unmanaged(w.fields), owners, w.q.writer())
}

// applied answers a request of server-side apply, which creates the object if it is not there.
func (s *Server) applied(q *request) error {
	config, err := q.configuration()
	if err != nil {
		return err
	}
	code := http.StatusOK
	s.mu.Lock()
	old, of := s.cluster.Objects.Get(q.kind, q.key()), s.writer.typeOf(q.kind)
	s.mu.Unlock()
	// While others may use the world: it can take long. It holds if the object is still the same when it is written.
	ahead := q.appliedTo(old, of, config)
	o, err := s.locked(q, func() (*objects.Object, error) {
		if old = s.cluster.Objects.Get(q.kind, q.key()); old == nil && q.sub != "" {
			return nil, refuse.NotFound(q.kind, q.name)
		}
		if old != ahead.of {
			ahead = q.appliedTo(old, of, config)
		}
		if ahead.err != nil {
			return nil, ahead.err
		}
		q.owned = ahead.owners
		if old != nil {
			return s.writer.update(q, old, ahead.fields)
		}
		code = http.StatusCreated
		return s.writer.create(q, ahead.fields)
	})
	return s.reader.reply(q, code, o, err)
}

// appliedAs is what a configuration makes of an object, nil for one that is not there.
type appliedAs struct {
	of     *objects.Object
	fields kinds.Fields
	owners []any
	err    error
}

// appliedTo applies a configuration to an object.
func (q *request) appliedTo(old *objects.Object, of managed.Type, config kinds.Fields) appliedAs {
	next, owners, err := q.applyTo(old, of, config)
	if err != nil {
		return appliedAs{of: old, err: err}
	}
	typed, err := project.Typed(q.kind, next)
	if err != nil {
		return appliedAs{of: old, err: apierrors.NewBadRequest(err.Error())}
	}
	return appliedAs{of: old, fields: project.Fields(typed), owners: append([]any{}, owners.Encode()...)}
}

// configuration reads what a request applies.
func (q *request) configuration() (kinds.Fields, error) {
	data, err := body(q.http, nil)
	if err != nil && apierrors.IsBadRequest(err) {
		return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
	}
	if err != nil {
		return nil, err
	}
	var config map[string]any
	if err := json.Unmarshal(data, &config); err != nil {
		return nil, apierrors.NewBadRequest("error decoding patch: error unmarshaling JSON: while decoding JSON: " + err.Error())
	}
	config = map[string]any{}
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &config); err != nil || config == nil {
		config = map[string]any{}
	}
	fields := kinds.Fields(config)
	meta, given := config["metadata"].(map[string]any)
	switch {
	case fields.Text("apiVersion") != q.kind.APIVersion() || fields.Text("kind") != q.kind.Kind:
		return nil, apierrors.NewBadRequest(fmt.Sprintf("invalid object type: %v",
			apischema.FromAPIVersionAndKind(fields.Text("apiVersion"), fields.Text("kind"))))
	case meta["managedFields"] != nil:
		return nil, apierrors.NewBadRequest("metadata.managedFields must be nil")
	case !given && config["metadata"] != nil:
		return nil, apierrors.NewBadRequest("metadata is no object")
	case !given:
		meta = map[string]any{}
	}
	meta = maps.Clone(meta)
	if name, _ := meta["name"].(string); name != "" && name != q.name {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
			name, q.name))
	}
	meta["name"], q.applied = q.name, fields.Text("metadata", "namespace")
	if q.kind.Namespaced && meta["namespace"] == nil {
		meta["namespace"] = q.namespace
	}
	config["metadata"] = meta
	return fields, nil
}

// applyTo returns an object with what a request applies put onto it, and who manages its fields then.
func (q *request) applyTo(old *objects.Object, of managed.Type, config kinds.Fields) (
	kinds.Fields, managed.Owners, error,
) {
	live, by := kinds.Fields{}, q.writer()
	var owners managed.Owners
	if old != nil {
		list, _ := old.Fields.Map("metadata")["managedFields"].([]any)
		owners, _ = managed.Decode(list)
		live = unmanaged(old.Fields)
	}
	next, after, err := of.Apply(live, config, owners, by, q.asks("force"))
	var conflicts managed.Conflicts
	if errors.As(err, &conflicts) && by.Manager == kubectl && conflicts.In(of.Unchanged(lastApplied(live), live)) {
		next, after, err = of.Apply(live, config, owners, by, true)
	}
	switch {
	case errors.As(err, &conflicts):
		return nil, nil, refused(conflicts)
	case err != nil:
		return nil, nil, refuse.With(http.StatusInternalServerError, "", fmt.Sprintf(
			"failed to create typed patch object (%s/%s; %s/%s, Kind=%s): %v",
			q.applied, q.name, q.kind.Group, q.kind.Version, q.kind.Kind, err))
	}
	fields := kinds.Clone(next)
	if by.Manager == kubectl && lastApplied(live) != nil {
		note(fields, config)
	}
	return fields, after, nil
}

// kubectl is the manager of kubectl apply --server-side.
const kubectl = "kubectl"

// lastApplied returns what kubectl apply has noted in an object, nil without it.
func lastApplied(fields kinds.Fields) kinds.Fields {
	var last map[string]any
	text := fields.Texts("metadata", "annotations")[corev1.LastAppliedConfigAnnotation]
	if kjson.UnmarshalCaseSensitivePreserveInts([]byte(text), &last) != nil {
		return nil
	}
	return last
}

// note notes in an object what was applied, as kubectl apply does, so that it may apply it again in its own way.
func note(fields, config kinds.Fields) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	if e.SetEscapeHTML(false); e.Encode(unnoted(config)) != nil {
		return
	}
	meta := fields.Map("metadata")
	annotations := maps.Clone(map[string]any(meta.Map("annotations")))
	annotations[corev1.LastAppliedConfigAnnotation] = text.String()
	meta["annotations"] = annotations
}

// unnoted returns fields without the note of what was applied.
func unnoted(fields kinds.Fields) kinds.Fields {
	fields = kinds.Clone(fields)
	annotations := maps.Clone(map[string]any(fields.Map("metadata", "annotations")))
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	fields.Map("metadata")["annotations"] = annotations
	return fields
}

// refused is the answer to a configuration that is in conflict with what others manage.
func refused(conflicts managed.Conflicts) error {
	var causes []metav1.StatusCause
	for i := range conflicts {
		for path := range conflicts[i].Fields.All() {
			causes = append(causes, metav1.StatusCause{Type: metav1.CauseTypeFieldManagerConflict,
				Message: "conflict with " + conflicts[i].Who(), Field: path.String()})
		}
	}
	return apierrors.NewApplyConflict(causes, conflicts.Error())
}
