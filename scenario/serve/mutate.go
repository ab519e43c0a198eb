package serve

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/scenario/serve/request"
	"github.com/statefulsim/statefulsim/scenario/serve/writer"

	autoscalingv1 "k8s.io/api/autoscaling/v1"

	policyv1 "k8s.io/api/policy/v1"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// posted answers a request that creates an object.
func (s *Server) posted(q *request.Request) error {
	typed, err := q.Object()
	if err != nil {
		return err
	}
	fields := project.Fields(typed)
	o, err := s.locked(q, func() (*objects.Object, error) { return s.writer.Create(q, fields) })
	return s.reader.Reply(q, http.StatusCreated, o, err)
}

// putted answers a request that replaces an object, its status or its scale.
func (s *Server) putted(q *request.Request) error {
	if q.Subresource == "scale" {
		var scale autoscalingv1.Scale
		if err := request.Options(q.HTTP, &scale); err != nil {
			return err
		}
		return s.scaled(q, func(kinds.Fields) (*autoscalingv1.Scale, error) { return &scale, nil })
	}
	typed, err := q.Object()
	if err != nil {
		return err
	}
	fields, code := project.Fields(typed), http.StatusOK
	o, err := s.locked(q, func() (*objects.Object, error) {
		old := s.cluster.Objects.Get(q.Kind, q.Key())
		switch {
		case old == nil && q.Subresource == "" && q.Kind.Created() && fields.Text("metadata", "name") == q.Name:
			code = http.StatusCreated
			return s.writer.Create(q, fields)
		case old == nil:
			return nil, refuse.NotFound(q.Kind, q.Name)
		}
		return s.writer.Update(q, old, fields)
	})
	return s.reader.Reply(q, code, o, err)
}

// scaled answers a request that scales a set. becomes computes the new scale.
func (s *Server) scaled(q *request.Request, becomes func(kinds.Fields) (*autoscalingv1.Scale, error)) error {
	o, err := s.changing(q, func(old *objects.Object) (*objects.Object, error) {
		scale, err := becomes(objects.ScaleOf(old))
		if err != nil {
			return nil, err
		}
		return s.writer.Scale(q, old, scale)
	})
	if err != nil {
		return err
	}
	q.Form.As = ""
	q.Send(http.StatusOK, objects.ScaleOf(o))
	return nil
}

// evict answers a request of the Eviction API.
func (s *Server) evict(q *request.Request) error {
	var eviction policyv1.Eviction
	if err := request.Options(q.HTTP, &eviction); err != nil {
		return err
	}
	if kind := eviction.Kind; kind != "" && kind != "Eviction" {
		of := &request.Request{Kind: &kinds.Kind{Group: "policy", Version: "v1", Kind: "Eviction"}}
		return of.MeantAs(eviction.APIVersion, kind)
	}
	if eviction.Name != q.Name {
		return apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	_, err := s.changing(q, func(old *objects.Object) (*objects.Object, error) {
		if how := eviction.DeleteOptions; how != nil {
			if err := preconditions(how, old); err != nil {
				return nil, err
			}
			q.Query["dryRun"] = append(q.Query["dryRun"], how.DryRun...)
			if err := request.WrongOptions("DeleteOptions", validation.ValidateDeleteOptions(how)); err != nil {
				return nil, err
			}
		}
		switch {
		case s.config.Uncontrolled:
			return nil, s.writer.EvictStored(q, old, eviction.DeleteOptions)
		case q.Dry():
			return nil, refuse.Of(s.cluster.User.MayEvict(q.Key()), q.Kind, q.Name)
		}
		w := &writer.Write{Key: q.Key()}
		d := w.As("evict", "evict "+q.Name, q.Name)
		d.Effect = timeline.Deleted
		return nil, refuse.Of(s.cluster.Act(d, q.Ref(), func(u *sim.User) *model.APIError {
			return u.Evict(q.Key())
		}), q.Kind, q.Name)
	})
	if err != nil {
		return err
	}
	done := success(nil)
	done.Code = http.StatusCreated
	q.Send(http.StatusCreated, done)
	return nil
}

// success is the answer to a request that has no object.
func success(o *objects.Object) metav1.Status {
	status := metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: metav1.StatusSuccess}
	if o != nil {
		status.Details = &metav1.StatusDetails{Name: o.Key.Name, Group: o.Kind.Group, Kind: o.Kind.Resource,
			UID: types.UID(o.UID())}
	}
	return status
}

// preconditions checks that an object is the one that a deletion is meant for.
func preconditions(how *metav1.DeleteOptions, o *objects.Object) error {
	p := how.Preconditions
	if p == nil {
		return nil
	}
	kind := schema.GroupResource{Group: o.Kind.Group, Resource: o.Kind.Kind} // As a real one names it here.
	if p.UID != nil && string(*p.UID) != o.UID() {
		return apierrors.NewConflict(kind, o.Key.Name, fmt.Errorf("the UID in the precondition (%s) does not match the UID "+
			"in record (%s). The object might have been deleted and then recreated", *p.UID, o.UID()))
	}
	if version := o.Fields.Text("metadata", "resourceVersion"); p.ResourceVersion != nil && *p.ResourceVersion != version {
		return apierrors.NewConflict(kind, o.Key.Name, fmt.Errorf("the ResourceVersion in the precondition (%s) does not "+
			"match the ResourceVersion in record (%s). The object might have been modified", *p.ResourceVersion, version))
	}
	return nil
}

// deleted answers a request that deletes an object: with the object while it is still there, else with a success.
func (s *Server) deleted(q *request.Request) error {
	given, how, err := q.Deletion()
	if err != nil {
		return err
	}
	var was *objects.Object
	o, err := s.changing(q, func(old *objects.Object) (*objects.Object, error) {
		was = old
		if q.Kind == kinds.Namespace && slices.Contains([]string{"default", "kube-public", "kube-system"}, q.Name) {
			return nil, apierrors.NewForbidden(refuse.Resource(q.Kind), q.Name, errors.New("this namespace may not be deleted"))
		}
		if ignore := given.IgnoreStoreReadErrorWithClusterBreakingPotential; ignore != nil && *ignore {
			return nil, apierrors.NewConflict(refuse.Resource(q.Kind), q.Name, writer.StorageError(q.Kind, q.Namespace, q.Name,
				"unsafe deletion is not allowed because the object is decodable from storage"))
		}
		if err := preconditions(given, old); err != nil {
			return nil, err
		}
		shown := s.writer.Going(old, how)
		if q.Dry() {
			return shown, nil
		}
		left, err := s.cluster.Delete(old, how)
		if left == nil && err == nil {
			left = shown
		}
		return left, err
	})
	if err != nil || o != nil {
		return s.reader.Reply(q, http.StatusOK, o, err)
	}
	q.Send(http.StatusOK, success(was))
	return nil
}

// deletedAll answers a request that deletes the objects of a collection.
func (s *Server) deletedAll(q *request.Request) error {
	given, how, err := q.Deletion()
	if err != nil {
		return err
	}
	picked, err := q.ListOptions(false)
	if err != nil {
		return err
	}
	matches, err := q.Matches()
	if err != nil {
		return err
	}
	var all []*objects.Object
	var list any
	_, err = s.locked(q, func() (*objects.Object, error) {
		for _, o := range s.cluster.Objects.List(q.Kind, q.Namespace) {
			now := s.cluster.Objects.Get(q.Kind, o.Key) // One before it may have owned it, and has changed it or taken it along.
			if picked.Limit > 0 && int64(len(all)) >= picked.Limit {
				break
			}
			if now == nil || now.UID() != o.UID() || !matches(now) {
				continue
			}
			if err := preconditions(given, now); err != nil {
				return nil, err
			}
			if all = append(all, now); q.Dry() {
				continue
			}
			if _, err := s.cluster.Delete(now, how); err != nil {
				return nil, err
			}
		}
		list = s.reader.Listed(q, all, map[string]any{"resourceVersion": strconv.FormatUint(s.cluster.User.Version(), 10)})
		return nil, nil
	})
	if err != nil {
		return err
	}
	q.Send(http.StatusOK, list)
	return nil
}
