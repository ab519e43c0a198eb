package request

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
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

// Unpatchable is the answer to a patch of an unknown form.
func (q *Request) Unpatchable() error {
	if q.Kind.Schema == nil {
		return refuse.With(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType,
			"415: Unsupported Media Type")
	}
	return refuse.With(http.StatusUnsupportedMediaType, metav1.StatusReasonUnsupportedMediaType, fmt.Sprintf(
		"the body of the request was in an unknown format - accepted media types include: %s, %s, %s",
		types.JSONPatchType, types.MergePatchType, types.ApplyYAMLPatchType))
}

// PatchedAs is the result of patching an object, with its fields that the kind does not have.
type PatchedAs struct {
	Of      *objects.Object
	Fields  kinds.Fields
	Unknown []error
	Err     error
}

// PatchOf applies the patch of a request to an object.
func (q *Request) PatchOf(old *objects.Object) PatchedAs {
	before := old.Fields
	if q.Shown != nil {
		before = NewEventOf(before)
	}
	after, err := q.Apply(q.Patch, before, q.Seen().Empty())
	if err != nil {
		return PatchedAs{Of: old, Err: err}
	}
	typed := q.Seen().Empty()
	unknown, err := q.decode(after, typed)
	if err != nil {
		return PatchedAs{Of: old, Err: q.Unfit(old, err)}
	}
	if q.Shown != nil {
		return PatchedAs{Of: old, Fields: storedEvent(project.Fields(typed)), Unknown: unknown}
	}
	return PatchedAs{Of: old, Fields: project.Fields(typed), Unknown: unknown}
}

// Unfit is the answer to a patch that does not leave an object of its kind: it shows the whole object.
func (q *Request) Unfit(old *objects.Object, wrong error) error {
	typed, err := project.Typed(q.Kind, old.Fields)
	if err != nil {
		return wrong
	}
	before, err := json.Marshal(typed)
	if err != nil {
		return wrong
	}
	after, err := q.patchedJSON(before, q.Patch, q.Kind.Empty())
	if err != nil {
		return wrong
	}
	return apierrors.NewInvalid(schema.GroupKind{}, "", field.ErrorList{
		field.Invalid(field.NewPath("patch"), string(after), q.unfitBecause(after, wrong))})
}

// unfitBecause says why a patched object is not an object of the request's kind.
func (q *Request) unfitBecause(after []byte, wrong error) string {
	var said metav1.TypeMeta
	if json.Unmarshal(after, &said) == nil && (said.Kind != q.Kind.Kind || said.APIVersion != q.Kind.APIVersion()) {
		kind := kinds.Catalog(nil).Of(said.APIVersion, said.Kind)
		if kind == nil {
			return unregistered(said.APIVersion, said.Kind)
		}
		if err := json.Unmarshal(after, kind.Empty()); err != nil {
			return err.Error()
		}
	}
	text := wrong.Error()
	if _, because, cut := strings.Cut(text, " cannot be handled as a "+q.Kind.Kind+": "); cut {
		return because
	}
	return text
}

// PatchForm returns the form of the patch of a request.
func (q *Request) PatchForm() types.PatchType {
	form, _, _ := mime.ParseMediaType(q.HTTP.Header.Get("Content-Type"))
	return types.PatchType(form)
}

// Apply applies the patch of a request to fields, and returns the JSON of the result. like has the Go type.
func (q *Request) Apply(patch []byte, fields kinds.Fields, like any) ([]byte, error) {
	before, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	return q.patchedJSON(before, patch, like)
}

// patchedJSON is apply with the JSON of the fields.
func (q *Request) patchedJSON(before, patch []byte, like any) (after []byte, err error) {
	switch q.PatchForm() {
	case types.JSONPatchType:
		after, err = jsonPatch(before, patch)
	case types.MergePatchType:
		if err = json.Unmarshal(patch, &map[string]any{}); err != nil {
			return nil, apierrors.NewBadRequest("error decoding patch: " + err.Error())
		}
		after, err = jsonpatch.MergePatch(before, patch)
	default:
		if q.Kind.Plain {
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

// strategic applies a strategic merge patch. The upstream code trusts the directives of a patch; if it panics on
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
