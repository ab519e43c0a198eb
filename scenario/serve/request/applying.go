package request

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"

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
)

// Writer returns the sender of a request. The time is filled in when the object is written.
func (q *Request) Writer() managed.Writer {
	agent, _, _ := strings.Cut(q.HTTP.UserAgent(), "/")
	return managed.Writer{Manager: cmp.Or(q.Query.Get("fieldManager"), agent, "unknown"), APIVersion: q.Kind.APIVersion(),
		Subresource: q.Subresource, Time: managed.Later}
}

// Unmanaged returns fields without the managers of them.
func Unmanaged(fields kinds.Fields) kinds.Fields {
	fields = kinds.Clone(fields)
	delete(fields.Map("metadata"), "managedFields")
	return fields
}

// appliedAs is the result of applying a configuration to an object, nil for a missing object.
type appliedAs struct {
	Of     *objects.Object
	Fields kinds.Fields
	Owners []any
	Err    error
}

// AppliedTo applies a configuration to an object.
func (q *Request) AppliedTo(old *objects.Object, of managed.Type, config kinds.Fields) appliedAs {
	next, owners, err := q.applyTo(old, of, config)
	if err != nil {
		return appliedAs{Of: old, Err: err}
	}
	typed, err := project.Typed(q.Kind, next)
	if err != nil {
		return appliedAs{Of: old, Err: apierrors.NewBadRequest(err.Error())}
	}
	return appliedAs{Of: old, Fields: project.Fields(typed), Owners: append([]any{}, owners.Encode()...)}
}

// Configuration reads the configuration that a request applies.
func (q *Request) Configuration() (kinds.Fields, error) {
	data, err := Body(q.HTTP, nil)
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
	case fields.Text("apiVersion") != q.Kind.APIVersion() || fields.Text("kind") != q.Kind.Kind:
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
	if name, _ := meta["name"].(string); name != "" && name != q.Name {
		return nil, apierrors.NewBadRequest(fmt.Sprintf("the name of the object (%s) does not match the name on the URL (%s)",
			name, q.Name))
	}
	meta["name"], q.applied = q.Name, fields.Text("metadata", "namespace")
	if q.Kind.Namespaced && meta["namespace"] == nil {
		meta["namespace"] = q.Namespace
	}
	config["metadata"] = meta
	return fields, nil
}

// applyTo applies the configuration of a request to an object, and returns the object and its new field managers.
func (q *Request) applyTo(old *objects.Object, of managed.Type, config kinds.Fields) (
	kinds.Fields, managed.Owners, error,
) {
	live, by := kinds.Fields{}, q.Writer()
	var owners managed.Owners
	if old != nil {
		list, _ := old.Fields.Map("metadata")["managedFields"].([]any)
		owners, _ = managed.Decode(list)
		live = Unmanaged(old.Fields)
	}
	next, after, err := of.Apply(live, config, owners, by, q.Asks("force"))
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
			q.applied, q.Name, q.Kind.Group, q.Kind.Version, q.Kind.Kind, err))
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

// note notes the applied configuration in an object, as kubectl apply does, so that kubectl may apply it again in
// its own way.
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

// unnoted returns fields without the last-applied annotation.
func unnoted(fields kinds.Fields) kinds.Fields {
	fields = kinds.Clone(fields)
	annotations := maps.Clone(map[string]any(fields.Map("metadata", "annotations")))
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	fields.Map("metadata")["annotations"] = annotations
	return fields
}

// refused is the answer to a configuration that conflicts with other field managers.
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
