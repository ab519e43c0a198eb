package serve

import (
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
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
func (g *writer) crowded(w *write, typed any) error {
	set, is := typed.(*appsv1.StatefulSet)
	most := g.config.World.MaxReplicas
	if !is || most == 0 || set.Spec.Replicas == nil || int(*set.Spec.Replicas) <= most {
		return nil
	}
	return apierrors.NewForbidden(refuse.Resource(w.q.kind), w.key.Name, fmt.Errorf(
		"%d replicas are more than the %d that --max-replicas of sim serve allows", *set.Spec.Replicas, most))
}

// wouldStore returns the set that a write would store, or its refusal.
func (g *writer) wouldStore(w *write) (*model.StatefulSet, *model.APIError) {
	typed, err := project.Typed(w.q.kind, w.fields)
	if err != nil {
		return nil, &model.APIError{Reason: model.Invalid, Message: err.Error()}
	}
	wanted := bridge.ModelOf(typed.(*appsv1.StatefulSet))
	if w.old == nil {
		return sim.Create(g.config.World.API, wanted)
	}
	live := g.cluster.User.Set(w.key)
	if live == nil { // The world does not know it.
		was, err := project.Typed(w.q.kind, w.old.Fields)
		if err != nil {
			return nil, &model.APIError{Reason: model.Invalid, Message: err.Error()}
		}
		live = bridge.ModelOf(was.(*appsv1.StatefulSet))
	}
	changed := *live
	changed.Spec, changed.Labels, changed.Annotations = wanted.Spec, wanted.Labels, wanted.Annotations
	return sim.Update(g.config.World.API, live, &changed)
}

// scaleOf returns the subresource scale of a set.
func scaleOf(set *objects.Object) kinds.Fields {
	f := set.Fields
	meta := f.Map("metadata")
	at := scaledOf(set.Kind)
	text := ""
	switch {
	case set.Kind == kinds.StatefulSet || set.Kind.Group == "apps":
		text = selectedBy(f)
	case set.Kind.Kind == "ReplicationController":
		text = labels.Set(f.Texts("spec", "selector")).String()
	case len(at.Selector) > 0:
		text = f.Text(at.Selector...)
	}
	spec, status := map[string]any{}, map[string]any{"replicas": f.Number(at.Status...)}
	if replicas := f.Number(at.Spec...); replicas != 0 {
		spec["replicas"] = replicas
	}
	if text != "" {
		status["selector"] = text
	}
	return kinds.Fields{
		"apiVersion": "autoscaling/v1", "kind": "Scale",
		"metadata": map[string]any{"name": meta["name"], "namespace": meta["namespace"], "uid": meta["uid"],
			"resourceVersion": meta["resourceVersion"], "creationTimestamp": meta["creationTimestamp"]},
		"spec": spec, "status": status,
	}
}

// scaledOf returns where objects of a kind have their replicas.
func scaledOf(kind *kinds.Kind) kinds.Scaled {
	if kind.Scaled != nil {
		return *kind.Scaled
	}
	return kinds.Scaled{Spec: []string{"spec", "replicas"}, Status: []string{"status", "replicas"}}
}

// selectedBy returns the selector of a set as a text.
func selectedBy(f kinds.Fields) string {
	selector, err := metav1.LabelSelectorAsSelector(selectorOf(f))
	if err != nil {
		return ""
	}
	return selector.String()
}

func selectorOf(set kinds.Fields) *metav1.LabelSelector {
	var selector metav1.LabelSelector
	data, err := json.Marshal(set.Map("spec", "selector"))
	if err != nil || json.Unmarshal(data, &selector) != nil {
		return nil
	}
	return &selector
}

// scale gives a set the replicas of a Scale.
func (g *writer) scale(q *request, old *objects.Object, scale *autoscalingv1.Scale) (*objects.Object, error) {
	if scale.Spec.Replicas < 0 {
		return nil, apierrors.NewInvalid(autoscalingv1.SchemeGroupVersion.WithKind("Scale").GroupKind(), q.name,
			field.ErrorList{field.Invalid(field.NewPath("spec", "replicas"), scale.Spec.Replicas,
				"must be greater than or equal to 0")})
	}
	fields := kinds.Fields(runtime.DeepCopyJSON(old.Fields))
	if err := unstructured.SetNestedField(fields, int64(scale.Spec.Replicas), scaledOf(q.kind).Spec...); err != nil {
		return nil, apierrors.NewBadRequest(err.Error())
	}
	if version := scale.ResourceVersion; version != "" {
		fields.Map("metadata")["resourceVersion"] = version
	}
	return g.update(q, old, fields)
}
