package serve

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// posted answers a request that creates an object.
func (s *Server) posted(q *request) error {
	typed, err := q.object()
	if err != nil {
		return err
	}
	fields := project.Fields(typed)
	o, err := s.locked(q, func() (*objects.Object, error) { return s.writer.create(q, fields) })
	return s.reader.reply(q, http.StatusCreated, o, err)
}

// putted answers a request that replaces an object, its status or its scale.
func (s *Server) putted(q *request) error {
	if q.sub == "scale" {
		var scale autoscalingv1.Scale
		if err := options(q.http, &scale); err != nil {
			return err
		}
		return s.scaled(q, func(kinds.Fields) (*autoscalingv1.Scale, error) { return &scale, nil })
	}
	typed, err := q.object()
	if err != nil {
		return err
	}
	fields, code := project.Fields(typed), http.StatusOK
	o, err := s.locked(q, func() (*objects.Object, error) {
		old := s.cluster.Objects.Get(q.kind, q.key())
		switch {
		case old == nil && q.sub == "" && q.kind.Created() && fields.Text("metadata", "name") == q.name:
			code = http.StatusCreated
			return s.writer.create(q, fields)
		case old == nil:
			return nil, refuse.NotFound(q.kind, q.name)
		}
		return s.writer.update(q, old, fields)
	})
	return s.reader.reply(q, code, o, err)
}

// scaled answers a request that scales a set to what becomes of its scale.
func (s *Server) scaled(q *request, becomes func(kinds.Fields) (*autoscalingv1.Scale, error)) error {
	o, err := s.changing(q, func(old *objects.Object) (*objects.Object, error) {
		scale, err := becomes(scaleOf(old))
		if err != nil {
			return nil, err
		}
		return s.writer.scale(q, old, scale)
	})
	if err != nil {
		return err
	}
	q.form.as = ""
	q.send(http.StatusOK, scaleOf(o))
	return nil
}

// evict answers a request of the Eviction API.
func (s *Server) evict(q *request) error {
	var eviction policyv1.Eviction
	if err := options(q.http, &eviction); err != nil {
		return err
	}
	if kind := eviction.Kind; kind != "" && kind != "Eviction" {
		of := &request{kind: &kinds.Kind{Group: "policy", Version: "v1", Kind: "Eviction"}}
		return of.meantAs(eviction.APIVersion, kind)
	}
	if eviction.Name != q.name {
		return apierrors.NewBadRequest("name in URL does not match name in Eviction object")
	}
	_, err := s.changing(q, func(old *objects.Object) (*objects.Object, error) {
		if how := eviction.DeleteOptions; how != nil {
			if err := preconditions(how, old); err != nil {
				return nil, err
			}
			q.query["dryRun"] = append(q.query["dryRun"], how.DryRun...)
			if err := wrongOptions("DeleteOptions", validation.ValidateDeleteOptions(how)); err != nil {
				return nil, err
			}
		}
		switch {
		case s.config.Uncontrolled:
			return nil, s.writer.evictStored(q, old, eviction.DeleteOptions)
		case q.dry():
			return nil, refuse.Of(s.cluster.User.MayEvict(q.key()), q.kind, q.name)
		}
		w := &write{key: q.key()}
		d := w.as("evict", "evict "+q.name, q.name)
		d.Effect = timeline.Deleted
		return nil, refuse.Of(s.cluster.Act(d, q.ref(), func(u *sim.User) *model.APIError {
			return u.Evict(q.key())
		}), q.kind, q.name)
	})
	if err != nil {
		return err
	}
	done := success(nil)
	done.Code = http.StatusCreated
	q.send(http.StatusCreated, done)
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

// preconditions says whether an object is the one that a deletion is meant for.
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

// cascades are the ways of deletion but for sim.Background.
var cascades = map[metav1.DeletionPropagation]sim.DeletionPolicy{
	metav1.DeletePropagationForeground: sim.Foreground, metav1.DeletePropagationOrphan: sim.Orphan,
}

// deletion reads how the request wants an object to be deleted.
func (q *request) deletion() (*metav1.DeleteOptions, bridge.Deletion, error) {
	var given metav1.DeleteOptions
	if err := metav1.Convert_url_Values_To_v1_DeleteOptions(&q.query, &given, nil); err != nil {
		return nil, bridge.Deletion{}, apierrors.NewBadRequest(err.Error())
	}
	if err := deleteOptions(q.http, &given); err != nil {
		return nil, bridge.Deletion{}, err
	}
	if kind := given.Kind; kind != "" && kind != "DeleteOptions" {
		return nil, bridge.Deletion{}, apierrors.NewBadRequest(unregistered(given.APIVersion, kind))
	}
	q.query["dryRun"] = append(q.query["dryRun"], given.DryRun...)
	if err := wrongOptions("DeleteOptions", validation.ValidateDeleteOptions(&given)); err != nil {
		return nil, bridge.Deletion{}, err
	}
	how := bridge.Deletion{Cascade: sim.Background}
	if seconds := given.GracePeriodSeconds; seconds != nil {
		grace := model.Seconds(*seconds)
		if *seconds < 0 {
			grace = time.Second // As in a real API server.
		}
		how.Grace = &grace
	}
	if policy := given.PropagationPolicy; policy != nil {
		how.Cascade, how.Cascades = cascades[*policy], true
	}
	//lint:ignore SA1019 Old clients still send it.
	if orphan := given.OrphanDependents; orphan != nil {
		if how.Cascades = true; *orphan {
			how.Cascade = sim.Orphan
		}
	}
	if !how.Cascades && (q.kind == kinds.Job || q.kind.Kind == "ReplicationController") {
		how.Cascade, how.Cascades = sim.Orphan, true
		if q.kind == kinds.Job {
			q.warn("child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove " +
				"them or set propagationPolicy=Orphan to suppress this warning")
		}
	}
	return &given, how, nil
}

// deleted answers a request that deletes an object: with the object while it is still there, else with a success.
func (s *Server) deleted(q *request) error {
	given, how, err := q.deletion()
	if err != nil {
		return err
	}
	var was *objects.Object
	o, err := s.changing(q, func(old *objects.Object) (*objects.Object, error) {
		was = old
		if q.kind == kinds.Namespace && slices.Contains([]string{"default", "kube-public", "kube-system"}, q.name) {
			return nil, apierrors.NewForbidden(refuse.Resource(q.kind), q.name, errors.New("this namespace may not be deleted"))
		}
		if ignore := given.IgnoreStoreReadErrorWithClusterBreakingPotential; ignore != nil && *ignore {
			return nil, apierrors.NewConflict(refuse.Resource(q.kind), q.name, storageError(q.kind, q.namespace, q.name,
				"unsafe deletion is not allowed because the object is decodable from storage"))
		}
		if err := preconditions(given, old); err != nil {
			return nil, err
		}
		shown := s.writer.going(old, how)
		if q.dry() {
			return shown, nil
		}
		left, err := s.cluster.Delete(old, how)
		if left == nil && err == nil {
			left = shown
		}
		return left, err
	})
	if err != nil || o != nil {
		return s.reader.reply(q, http.StatusOK, o, err)
	}
	q.send(http.StatusOK, success(was))
	return nil
}

// going returns an object as a real API server answers its deletion where something has to happen before it goes: what
// is in a namespace, the grace period of a pod, a finalizer of its own, or one that its cascade gives it. That may be
// over at the same instant here. It is nil where it goes at once.
func (g *writer) going(old *objects.Object, how bridge.Deletion) *objects.Object {
	finalizers := old.Fields.Words("metadata", "finalizers")
	held := len(finalizers) > 0 || old.Kind == kinds.Namespace
	add, grace := "", int64(0)
	switch how.Cascade {
	case sim.Foreground:
		add = metav1.FinalizerDeleteDependents
	case sim.Orphan:
		add = metav1.FinalizerOrphanDependents
	}
	unbound := old.Kind == kinds.Pod && old.Fields.Text("spec", "nodeName") == ""
	if old.Kind == kinds.Pod && !unbound {
		if grace = old.Fields.Number("spec", "terminationGracePeriodSeconds"); how.Grace != nil {
			grace = int64(*how.Grace / time.Second)
		}
		held = held || grace > 0
	}
	switch {
	case old.Fields.Text("metadata", "deletionTimestamp") != "":
		return nil
	case !held && add == "" && !unbound && old.Kind.Returned():
		return old
	case !held && add == "" && !unbound:
		return nil
	}
	fields := kinds.Clone(old.Fields)
	meta := fields.Map("metadata")
	meta["deletionTimestamp"] = g.cluster.Instant().Add(time.Duration(grace) * time.Second).Format(time.RFC3339)
	if old.Kind == kinds.Namespace {
		fields["status"] = map[string]any{"phase": "Terminating"}
	} else {
		meta["deletionGracePeriodSeconds"] = grace
	}
	if generation := meta.Number("generation"); generation > 0 {
		meta["generation"] = generation + 1
	}
	if add != "" && !slices.Contains(finalizers, add) {
		list := make([]any, 0, len(finalizers)+1)
		for _, name := range append(slices.Clip(finalizers), add) {
			list = append(list, name)
		}
		meta["finalizers"] = list
	}
	return objects.New(old.Kind, fields, old.Version)
}

// deletedAll answers a request that deletes the objects of a collection.
func (s *Server) deletedAll(q *request) error {
	given, how, err := q.deletion()
	if err != nil {
		return err
	}
	picked, err := q.listOptions(false)
	if err != nil {
		return err
	}
	matches, err := q.matches()
	if err != nil {
		return err
	}
	var all []*objects.Object
	var list any
	_, err = s.locked(q, func() (*objects.Object, error) {
		for _, o := range s.cluster.Objects.List(q.kind, q.namespace) {
			now := s.cluster.Objects.Get(q.kind, o.Key) // One before it may have owned it, and has changed it or taken it along.
			if picked.Limit > 0 && int64(len(all)) >= picked.Limit {
				break
			}
			if now == nil || now.UID() != o.UID() || !matches(now) {
				continue
			}
			if err := preconditions(given, now); err != nil {
				return nil, err
			}
			if all = append(all, now); q.dry() {
				continue
			}
			if _, err := s.cluster.Delete(now, how); err != nil {
				return nil, err
			}
		}
		list = s.reader.listed(q, all, map[string]any{"resourceVersion": strconv.FormatUint(s.cluster.User.Version(), 10)})
		return nil, nil
	})
	if err != nil {
		return err
	}
	q.send(http.StatusOK, list)
	return nil
}
