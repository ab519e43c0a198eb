package writer

import (
	"fmt"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	appsv1 "k8s.io/api/apps/v1"

	autoscalingv1 "k8s.io/api/autoscaling/v1"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
	"github.com/statefulsim/statefulsim/sim"
)

// crowded refuses a set with more replicas than the limit of the session.
func (g *Writer) crowded(w *Write, typed any) error {
	set, is := typed.(*appsv1.StatefulSet)
	most := g.Config.World.MaxReplicas
	if !is || most == 0 || set.Spec.Replicas == nil || int(*set.Spec.Replicas) <= most {
		return nil
	}
	return apierrors.NewForbidden(refuse.Resource(w.q.Kind), w.Key.Name, fmt.Errorf(
		"%d replicas are more than the %d that --max-replicas of sim serve allows", *set.Spec.Replicas, most))
}

// wouldStore returns the set that a write would store, or its refusal.
func (g *Writer) wouldStore(w *Write) (*model.StatefulSet, *model.APIError) {
	typed, err := project.Typed(w.q.Kind, w.fields)
	if err != nil {
		return nil, &model.APIError{Reason: model.Invalid, Message: err.Error()}
	}
	wanted := bridge.ModelOf(typed.(*appsv1.StatefulSet))
	if w.old == nil {
		return sim.Create(g.Config.World.API, wanted)
	}
	live := g.Cluster.User.Set(w.Key)
	if live == nil { // The world does not know it.
		was, err := project.Typed(w.q.Kind, w.old.Fields)
		if err != nil {
			return nil, &model.APIError{Reason: model.Invalid, Message: err.Error()}
		}
		live = bridge.ModelOf(was.(*appsv1.StatefulSet))
	}
	changed := *live
	changed.Spec, changed.Labels, changed.Annotations = wanted.Spec, wanted.Labels, wanted.Annotations
	return sim.Update(g.Config.World.API, live, &changed)
}

// Scale gives a set the replicas of a Scale.
func (g *Writer) Scale(q *request.Request, old *objects.Object, scale *autoscalingv1.Scale) (*objects.Object, error) {
	if scale.Spec.Replicas < 0 {
		return nil, apierrors.NewInvalid(autoscalingv1.SchemeGroupVersion.WithKind("Scale").GroupKind(), q.Name,
			field.ErrorList{field.Invalid(field.NewPath("spec", "replicas"), scale.Spec.Replicas,
				"must be greater than or equal to 0")})
	}
	fields := kinds.Fields(runtime.DeepCopyJSON(old.Fields))
	if err := unstructured.SetNestedField(fields, int64(scale.Spec.Replicas), objects.ScaledOf(q.Kind).Spec...); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if version := scale.ResourceVersion; version != "" {
		fields.Map("metadata")["resourceVersion"] = version
	}
	return g.Update(q, old, fields)
}
