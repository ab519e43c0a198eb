package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/mergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// patched answers a request that patches an object, its status or its scale.
func (s *Server) patched(q *request) error {
	form := q.patchForm()
	if form == types.ApplyYAMLPatchType && (q.sub == "" || q.sub == "status") {
		return s.applied(q)
	}
	if form != types.JSONPatchType && form != types.MergePatchType &&
		(form != types.StrategicMergePatchType || q.kind.Schema != nil) {
		return q.unpatchable()
	}
	data, err := body(q.http, nil)
	if err != nil {
		return err
	}
	if !json.Valid(data) {
		return apierrors.NewBadRequest("invalid JSON patch")
	}
	q.patch = data
	if q.sub == "scale" {
		return s.scaled(q, func(scale kinds.Fields) (*autoscalingv1.Scale, error) {
			var next autoscalingv1.Scale
			changed, err := q.apply(data, scale, &next)
			if err != nil {
				return nil, err
			}
			if err := json.Unmarshal(changed, &next); err != nil {
				return nil, apierrors.NewBadRequest(err.Error())
			}
			return &next, nil
		})
	}
	ahead := s.patchAhead(q)
	o, err := s.changing(q, func(old *objects.Object) (*objects.Object, error) {
		if old != ahead.of {
			ahead = q.patchOf(old)
		}
		if ahead.err != nil {
			return nil, ahead.err
		}
		if err := q.strictly(ahead.unknown); err != nil {
			return nil, q.unfit(old, err)
		}
		return s.writer.update(q, old, ahead.fields)
	})
	return s.reader.reply(q, http.StatusOK, o, err)
}

// unpatchable is the answer to a patch of an unknown form.
func (q *request) unpatchable() error {
	if q.kind.Schema == nil {
		return refuse.With(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
			"415: Unsupported Media Type")
	}
	return refuse.With(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType, fmt.Sprintf(
		"the body of the request was in an unknown format - accepted media types include: %s, %s, %s",
		types.JSONPatchType, types.MergePatchType, types.ApplyYAMLPatchType))
}

// patchedAs is what a patch makes of an object, and the fields of it that its kind does not have.
type patchedAs struct {
	of      *objects.Object
	fields  kinds.Fields
	unknown []error
	err     error
}

// patchOf applies the patch of a request to an object.
func (q *request) patchOf(old *objects.Object) patchedAs {
	before := old.Fields
	if q.shown != nil {
		before = newEvent(before)
	}
	after, err := q.apply(q.patch, before, q.seen().Empty())
	if err != nil {
		return patchedAs{of: old, err: err}
	}
	typed := q.seen().Empty()
	unknown, err := q.decode(after, typed)
	if err != nil {
		return patchedAs{of: old, err: q.unfit(old, err)}
	}
	if q.shown != nil {
		return patchedAs{of: old, fields: storedEvent(project.Fields(typed)), unknown: unknown}
	}
	return patchedAs{of: old, fields: project.Fields(typed), unknown: unknown}
}

// unfit is the answer to a patch that does not leave an object of its kind: it shows the whole object.
func (q *request) unfit(old *objects.Object, wrong error) error {
	typed, err := project.Typed(q.kind, old.Fields)
	if err != nil {
		return wrong
	}
	before, err := json.Marshal(typed)
	if err != nil {
		return wrong
	}
	after, err := q.patchedJSON(before, q.patch, q.kind.Empty())
	if err != nil {
		return wrong
	}
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), string(after), q.unfitBecause(after, wrong))})
}

// unfitBecause says why a patched object is none of the request's kind.
func (q *request) unfitBecause(after []byte, wrong error) string {
	var said metav1.TypeMeta
	if json.Unmarshal(after, &said) == nil && (said.Kind != q.kind.Kind || said.APIVersion != q.kind.APIVersion()) {
		kind := kinds.Catalog(nil).Of(said.APIVersion, said.Kind)
		if kind == nil {
			return unregistered(said.APIVersion, said.Kind)
		}
		if err := json.Unmarshal(after, kind.Empty()); err != nil {
			return err.Error()
		}
	}
	text := wrong.Error()
	if _, because, cut := strings.Cut(text, " cannot be handled as a "+q.kind.Kind+": "); cut {
		return because
	}
	return text
}

// patchAhead applies the patch of a request to the object as it is now, while others may use the world: a patch can
// take long. It holds if the object is still the same when the request has its turn.
func (s *Server) patchAhead(q *request) patchedAs {
	s.mu.Lock()
	old := s.cluster.Objects.Get(q.kind, q.key())
	s.mu.Unlock()
	if old == nil {
		return patchedAs{}
	}
	return q.patchOf(old)
}

// patchForm returns the form of the patch of a request.
func (q *request) patchForm() types.PatchType {
	form, _, _ := mime.ParseMediaType(q.http.Header.Get("Content-Type"))
	return types.PatchType(form)
}

// apply applies the patch of a request to fields, and returns the JSON of the result. like has the Go type.
func (q *request) apply(patch []byte, fields kinds.Fields, like any) ([]byte, error) {
	before, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return q.patchedJSON(before, patch, like)
}

// patchedJSON is apply with the JSON of the fields.
func (q *request) patchedJSON(before, patch []byte, like any) (after []byte, err error) {
	switch q.patchForm() {
	case types.JSONPatchType:
		after, err = jsonPatch(before, patch)
	case types.MergePatchType:
		if err = json.Unmarshal(patch, &map[string]any{}); err != nil {
			return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
		}
		after, err = jsonpatch.MergePatch(before, patch)
	default:
		if q.kind.Plain {
			return jsonpatch.MergePatch(before, patch) // Its lists are replaced whole, which no other patch of it is about.
		}
		if after, err = strategic(before, patch, like); err != nil && !errors.As(err, new(*apierrors.StatusError)) {
			return nil, strategicError(err)
		}
	}
	if err == nil {
		err = affordable(after)
	}
	var wrong *apierrors.StatusError
	if err == nil || errors.As(err, &wrong) {
		return after, err
	}
	return nil, apierrors.NewBadRequest(err.Error())
}

// jsonPatch applies a JSON patch. One that can be read and does not fit the object is invalid.
func jsonPatch(before, patch []byte) ([]byte, error) {
	decoded, err := decodedPatch(patch, before)
	if err != nil {
		return nil, err
	}
	after, err := decoded.Apply(before)
	var copies *jsonpatch.AccumulatedCopySizeError
	if errors.As(err, &copies) {
		return nil, refuse.With(http.StatusUnprocessableEntity, "Invalid", err.Error())
	}
	if err != nil {
		return nil, refuse.With(http.StatusUnprocessableEntity, "Invalid",
			"the server rejected our request due to an error in our request")
	}
	return after, nil
}

// strategicError is the answer to a strategic merge patch that cannot be applied.
func strategicError(err error) error {
	switch {
	case errors.Is(err, mergepatch.ErrBadJSONDoc), errors.Is(err, mergepatch.ErrBadPatchFormatForPrimitiveList),
		errors.Is(err, mergepatch.ErrBadPatchFormatForRetainKeys),
		errors.Is(err, mergepatch.ErrBadPatchFormatForSetElementOrderList),
		errors.Is(err, mergepatch.ErrUnsupportedStrategicMergePatchFormat):
		return apierrors.NewBadRequest(err.Error())
	case errors.Is(err, mergepatch.ErrNoListOfLists):
		return refuse.With(http.StatusUnprocessableEntity, "Invalid",
			"the server rejected our request due to an error in our request")
	}
	return refuse.With(http.StatusInternalServerError, "", err.Error())
}

// strategic applies a strategic merge patch. The code that does it trusts the directives of a patch; where it panics on
// one, the patch is refused.
func strategic(before, patch []byte, like any) (after []byte, err error) {
	if n := elements(patch); n > 1 {
		if err := mayMove(n, append(slices.Clip(before), patch...)); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(patch, &map[string]any{}); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the patch cannot be applied: %v", v)
		}
	}()
	return strategicpatch.StrategicMergePatch(before, patch, like)
}
