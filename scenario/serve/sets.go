package serve

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
)

// writeStatus returns the call that replaces the status of a set.
func writeStatus(typed any, old *objects.Object) call {
	sent := typed.(*appsv1.StatefulSet).Status
	return func(u *sim.User) *model.APIError {
		set := *u.Set(old.Key)
		set.ResourceVersion = 0
		set.Status = model.Status{
			ObservedGeneration: sent.ObservedGeneration, Replicas: sent.Replicas, Ready: sent.ReadyReplicas,
			Available: sent.AvailableReplicas, Current: sent.CurrentReplicas, Updated: sent.UpdatedReplicas,
			CurrentRevision: sent.CurrentRevision, UpdateRevision: sent.UpdateRevision,
		}
		if sent.CollisionCount != nil {
			set.Status.CollisionCount = *sent.CollisionCount
		}
		for _, c := range sent.Conditions {
			set.Status.Conditions = append(set.Status.Conditions, model.Condition{
				Type: string(c.Type), Reason: c.Reason, Message: c.Message, True: c.Status == "True", Since: u.Now(),
			})
		}
		_, err := u.UpdateStatus(&set)
		return err
	}
}

// crowded refuses a set with more replicas than the limit of the session.
func (s *Server) crowded(w *write, typed any) error {
	set, is := typed.(*appsv1.StatefulSet)
	most := s.config.World.MaxReplicas
	if !is || most == 0 || set.Spec.Replicas == nil || int(*set.Spec.Replicas) <= most {
		return nil
	}
	return apierrors.NewForbidden(resource(w.q.kind), w.key.Name, fmt.Errorf(
		"%d replicas are more than the %d that --max-replicas of sim serve allows", *set.Spec.Replicas, most))
}

// wouldStore returns the set that a write would store, or its refusal.
func (s *Server) wouldStore(w *write) (*model.StatefulSet, *model.APIError) {
	typed, err := typedOf(w.q.kind, w.fields)
	if err != nil {
		return nil, &model.APIError{Reason: model.Invalid, Message: err.Error()}
	}
	wanted := manifest.Model(typed.(*appsv1.StatefulSet))
	if w.old == nil {
		return sim.Create(s.config.World.API, wanted)
	}
	live := s.user.Set(w.key)
	changed := *live
	changed.Spec, changed.Labels, changed.Annotations = wanted.Spec, wanted.Labels, wanted.Annotations
	return sim.Update(s.config.World.API, live, &changed)
}

// Scale is as much of a subresource scale as a client may change.
type Scale struct {
	Metadata struct{ ResourceVersion string }
	Spec     struct{ Replicas int32 }
}

// scaleOf returns the subresource scale of a set.
func scaleOf(set *objects.Object) kinds.Fields {
	f := set.Fields
	meta := f.Map("metadata")
	selector, err := metav1.LabelSelectorAsSelector(selectorOf(f))
	text := ""
	if err == nil {
		text = selector.String()
	}
	return kinds.Fields{
		"apiVersion": "autoscaling/v1", "kind": "Scale",
		"metadata": map[string]any{"name": meta["name"], "namespace": meta["namespace"], "uid": meta["uid"],
			"resourceVersion": meta["resourceVersion"], "creationTimestamp": meta["creationTimestamp"]},
		"spec":   map[string]any{"replicas": f.Number("spec", "replicas")},
		"status": map[string]any{"replicas": f.Number("status", "replicas"), "selector": text},
	}
}

func selectorOf(set kinds.Fields) *metav1.LabelSelector {
	typed, err := typedOf(kinds.StatefulSet, set)
	if err != nil {
		return nil
	}
	return typed.(*appsv1.StatefulSet).Spec.Selector
}

// scale gives a set the replicas of a Scale.
func (s *Server) scale(q *request, old *objects.Object, scale *Scale) (*objects.Object, error) {
	if scale.Spec.Replicas < 0 {
		return nil,
			apierrors.NewBadRequest(fmt.Sprintf("spec.replicas: Invalid value: %d: must be greater than or equal to 0",
				scale.Spec.Replicas))
	}
	fields := clone(old.Fields)
	spec := kinds.Fields{}
	for _, field := range sorted(old.Fields.Map("spec")) {
		spec[field] = old.Fields.Map("spec")[field]
	}
	spec["replicas"] = int64(scale.Spec.Replicas)
	fields["spec"] = map[string]any(spec)
	if version := scale.Metadata.ResourceVersion; version != "" {
		fields.Map("metadata")["resourceVersion"] = version
	}
	return s.update(q, old, fields)
}
