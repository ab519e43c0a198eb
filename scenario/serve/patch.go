package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
)

// patched answers a request that patches an object, its status or its scale.
func (s *Server) patched(q *request) error {
	form := q.form()
	if form == types.ApplyYAMLPatchType && (q.sub == "" || q.sub == "status") {
		return s.applied(q)
	}
	if form != types.JSONPatchType && form != types.MergePatchType &&
		(form != types.StrategicMergePatchType || q.kind.Plain) {
		return failure(http.StatusUnsupportedMediaType, "UnsupportedMediaType", fmt.Sprintf(
			"the body of the request was in an unknown format - accepted media types include: %s, %s, %s, %s",
			types.JSONPatchType, types.MergePatchType, types.StrategicMergePatchType, types.ApplyYAMLPatchType))
	}
	data, err := body(q.http, nil)
	if err != nil {
		return err
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
			return nil, err
		}
		return s.update(q, old, ahead.fields)
	})
	return q.reply(http.StatusOK, o, err)
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
	after, err := q.apply(q.patch, old.Fields, q.kind.Empty())
	if err != nil {
		return patchedAs{of: old, err: err}
	}
	typed := q.kind.Empty()
	unknown, err := q.decode(after, typed)
	if err != nil {
		return patchedAs{of: old, err: err}
	}
	return patchedAs{of: old, fields: fieldsOf(typed), unknown: unknown}
}

// patchAhead applies the patch of a request to the object as it is now, while others may use the world: a patch can
// take long. It holds if the object is still the same when the request has its turn.
func (s *Server) patchAhead(q *request) patchedAs {
	s.mu.Lock()
	old := s.objects.Get(q.kind, q.key())
	s.mu.Unlock()
	if old == nil {
		return patchedAs{}
	}
	return q.patchOf(old)
}

// form returns the form of the patch of a request.
func (q *request) form() types.PatchType {
	form, _, _ := mime.ParseMediaType(q.http.Header.Get("Content-Type"))
	return types.PatchType(form)
}

// apply applies the patch of a request to fields, and returns the JSON of the result. like has the Go type.
func (q *request) apply(patch []byte, fields kinds.Fields, like any) ([]byte, error) {
	before, err := json.Marshal(fields)
	if err != nil {
		return nil, err
	}
	var after []byte
	switch q.form() {
	case types.JSONPatchType:
		after, err = jsonPatch(before, patch)
	case types.MergePatchType:
		after, err = jsonpatch.MergePatch(before, patch)
	default:
		after, err = strategic(before, patch, like)
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
	if err != nil {
		return nil, failure(http.StatusUnprocessableEntity, "Invalid",
			"the server rejected our request due to an error in our request: "+err.Error())
	}
	return after, nil
}

// strategic applies a strategic merge patch. The code that does it trusts the directives of a patch; where it panics on
// one, the patch is refused.
func strategic(before, patch []byte, like any) (after []byte, err error) {
	if n := elements(patch); n > 1 {
		if err := mayMove(n, append(slices.Clip(before), patch...)); err != nil {
			return nil, err
		}
	}
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the patch cannot be applied: %v", v)
		}
	}()
	return strategicpatch.StrategicMergePatch(before, patch, like)
}
