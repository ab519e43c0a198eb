package serve

import (
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"

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
	o, err := s.changing(q, func(old *objects.Object) (*objects.Object, error) {
		changed, err := q.apply(data, old.Fields, q.kind.Empty())
		if err != nil {
			return nil, err
		}
		typed := q.kind.Empty()
		if err := q.decode(changed, typed); err != nil {
			return nil, err
		}
		return s.update(q, old, fieldsOf(typed))
	})
	return q.reply(http.StatusOK, o, err)
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
	var wrong *apierrors.StatusError
	if err == nil || errors.As(err, &wrong) {
		return after, err
	}
	return nil, apierrors.NewBadRequest(err.Error())
}

// jsonPatch applies a JSON patch. One that can be read and does not fit the object is invalid.
func jsonPatch(before, patch []byte) ([]byte, error) {
	decoded, err := jsonpatch.DecodePatch(patch)
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
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("the patch cannot be applied: %v", v)
		}
	}()
	return strategicpatch.StrategicMergePatch(before, patch, like)
}
