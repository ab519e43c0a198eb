package serve

import (
	"encoding/json"
	"net/http"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	autoscalingv1 "k8s.io/api/autoscaling/v1"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// patched answers a request that patches an object, its status or its scale.
func (s *Server) patched(q *request.Request) error {
	form := q.PatchForm()
	if form == types.ApplyYAMLPatchType && (q.Subresource == "" || q.Subresource == "status") {
		return s.applied(q)
	}
	if form != types.JSONPatchType && form != types.MergePatchType &&
		(form != types.StrategicMergePatchType || q.Kind.Schema != nil) {
		return q.Unpatchable()
	}
	data, err := request.Body(q.HTTP, nil)
	if err != nil {
		return err
	}
	if !json.Valid(data) {
		return apierrors.NewBadRequest("invalid JSON patch")
	}
	q.Patch = data
	if q.Subresource == "scale" {
		return s.scaled(q, func(scale kinds.Fields) (*autoscalingv1.Scale, error) {
			var next autoscalingv1.Scale
			changed, err := q.Apply(data, scale, &next)
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
		if old != ahead.Of {
			ahead = q.PatchOf(old)
		}
		if ahead.Err != nil {
			return nil, ahead.Err
		}
		if err := q.Strictly(ahead.Unknown); err != nil {
			return nil, q.Unfit(old, err)
		}
		return s.writer.Update(q, old, ahead.Fields)
	})
	return s.reader.Reply(q, http.StatusOK, o, err)
}

// patchAhead applies the patch of a request to the object as it is now, while others may use the world: a patch can
// take long. It holds if the object is still the same when the request has its turn.
func (s *Server) patchAhead(q *request.Request) request.PatchedAs {
	s.mu.Lock()
	old := s.cluster.Objects.Get(q.Kind, q.Key())
	s.mu.Unlock()
	if old == nil {
		return request.PatchedAs{}
	}
	return q.PatchOf(old)
}

// applied answers a request of server-side apply, which creates the object if it is not there.
func (s *Server) applied(q *request.Request) error {
	config, err := q.Configuration()
	if err != nil {
		return err
	}
	code := http.StatusOK
	s.mu.Lock()
	old, of := s.cluster.Objects.Get(q.Kind, q.Key()), s.writer.TypeOf(q.Kind)
	s.mu.Unlock()
	// While others may use the world: it can take long. It holds if the object is still the same when it is written.
	ahead := q.AppliedTo(old, of, config)
	o, err := s.locked(q, func() (*objects.Object, error) {
		if old = s.cluster.Objects.Get(q.Kind, q.Key()); old == nil && q.Subresource != "" {
			return nil, refuse.NotFound(q.Kind, q.Name)
		}
		if old != ahead.Of {
			ahead = q.AppliedTo(old, of, config)
		}
		if ahead.Err != nil {
			return nil, ahead.Err
		}
		q.Owned = ahead.Owners
		if old != nil {
			return s.writer.Update(q, old, ahead.Fields)
		}
		code = http.StatusCreated
		return s.writer.Create(q, ahead.Fields)
	})
	return s.reader.Reply(q, code, o, err)
}
