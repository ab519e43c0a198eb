package writer

import (
	"maps"
	"slices"

	"github.com/statefulsim/statefulsim/scenario/serve/request"

	appsv1 "k8s.io/api/apps/v1"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	batchv1 "k8s.io/api/batch/v1"

	corev1 "k8s.io/api/core/v1"

	storagev1 "k8s.io/api/storage/v1"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	apivalidation "k8s.io/apimachinery/pkg/api/validation"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/builtin"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/project"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// unsimulated handles a write that the world does not simulate: it fills defaults into the fields and returns what
// is wrong. known is true if the world may simulate some of it.
func (g *Writer) unsimulated(w *Write) (known bool, err error) {
	switch {
	case w.q.Kind == kinds.Definition && !w.status:
		return false, g.defines(w)
	case w.q.Kind.Schema != nil:
		return false, g.structural(w)
	case w.q.Kind == kinds.Secret:
		encode(w.fields)
		return false, wrongData(w)
	case w.q.Kind == kinds.ConfigMap:
		return false, wrongData(w)
	case w.q.Kind == kinds.Event && w.old != nil:
		timesOf(w.fields)
		return false, g.complete(w)
	case w.q.Kind == kinds.Event:
		if errs := wrongEvent(w.q, w.fields); len(errs) > 0 {
			return false, refuse.Invalid(kinds.Event, w.Key.Name, append(wrongMeta(w), errs...))
		}
		timesOf(w.fields)
		return false, nil
	case w.q.Kind == kinds.Revision:
		return w.old != nil && !bridge.Apart(w.old), g.complete(w)
	}
	if simulated := bridge.Simulated(w.q.Kind); simulated {
		return true, nil
	}
	return false, g.complete(w)
}

// timesOf shows the times of an event that are not set as null, as a real API server does.
func timesOf(event kinds.Fields) {
	for _, name := range []string{"eventTime", "firstTimestamp", "lastTimestamp"} {
		if _, given := event[name]; !given {
			event[name] = nil
		}
	}
}

// complete fills the defaults into an object of a kind that is only stored, and returns what is wrong with it.
func (g *Writer) complete(w *Write) error {
	does := builtin.Of(w.q.Kind.Kind)
	if w.q.Kind.Plain || does == (builtin.Does{}) && !w.begun() {
		return nil
	}
	typed, err := w.typed()
	if err != nil {
		return apierrors.NewBadRequest(err.Error())
	}
	var errs field.ErrorList
	switch {
	case w.status:
		errs = builtin.ValidateStatus(typed)
		if status := w.fields.Map("status"); w.q.Kind.Kind == "HorizontalPodAutoscaler" && status["currentMetrics"] == nil {
			next := map[string]any{"currentMetrics": nil}
			maps.Copy(next, status)
			w.fields["status"] = next
		}
	case w.old == nil:
		builtin.Default(typed)
		builtin.Begin(typed)
		if finalizer := builtin.Protected(w.q.Kind.Kind); finalizer != "" {
			meta := w.fields.Map("metadata")
			if names := meta.Words("finalizers"); !slices.Contains(names, finalizer) {
				list, _ := meta["finalizers"].([]any)
				meta["finalizers"] = append(slices.Clip(list), finalizer)
			}
		}
		if volume, is := typed.(*corev1.PersistentVolume); is {
			now := metav1.NewTime(g.Cluster.Instant())
			volume.Status = corev1.PersistentVolumeStatus{Phase: corev1.VolumePending, LastPhaseTransitionTime: &now}
		}
		if job, is := typed.(*batchv1.Job); is {
			builtin.Select(job, g.Cluster.NextUID().String())
		}
		errs = builtin.Validate(typed, nil)
	default:
		builtin.Default(typed)
		var old any
		if does.Compares || w.q.Kind == kinds.DaemonSet {
			if old, err = project.Typed(w.q.Kind, w.old.Fields); err != nil {
				return apierrors.NewBadRequest(err.Error())
			}
		}
		if set, is := typed.(*appsv1.DaemonSet); is {
			builtin.CountTemplates(set, old.(*appsv1.DaemonSet))
		}
		errs = builtin.Validate(typed, old)
	}
	if len(errs) > 0 {
		return refuse.Invalid(w.q.Kind, w.Key.Name, append(wrongMeta(w), errs...))
	}
	if does.Defaults && !w.status || w.begun() {
		w.take(typed)
	}
	return nil
}

// begun reports whether a write makes an object that starts with a status.
func (w *Write) begun() bool {
	return w.old == nil && w.q.Kind != kinds.Namespace && w.q.Kind.Has("status")
}

// typed returns the written object as its Go type: as it was decoded, if only its metadata has changed since.
func (w *Write) typed() (any, error) {
	typed := w.q.Sent
	if w.old != nil || typed == nil {
		return project.Typed(w.q.Kind, w.fields)
	}
	if object, is := typed.(metav1.Object); is {
		object.SetName(w.Key.Name)
	}
	return typed, nil
}

// take copies the fields of a typed object into the write; of its metadata, only the labels and the annotations.
func (w *Write) take(typed any) {
	meta := w.fields.Map("metadata")
	w.fields = project.Fields(typed)
	for _, name := range []string{"labels", "annotations"} {
		if meta[name] = w.fields.Map("metadata")[name]; meta[name] == nil {
			delete(meta, name)
		}
	}
	w.fields["metadata"] = map[string]any(meta)
	if node, is := typed.(*storagev1.CSINode); is && node.Spec.Drivers == nil {
		w.fields.Map("spec")["drivers"] = nil
	}
	if scaler, is := typed.(*autoscalingv2.HorizontalPodAutoscaler); is && scaler.Status.CurrentMetrics == nil {
		w.fields.Map("status")["currentMetrics"] = nil
	}
}

// wrongData is the error of a ConfigMap or a Secret whose data cannot be stored.
func wrongData(w *Write) error {
	var errs field.ErrorList
	if w.q.Kind == kinds.Secret {
		errs = builtin.ValidateSecret(w.fields.Text("type"), w.fields.Texts("data"),
			w.fields.Texts("metadata", "annotations"))
		if w.old != nil && w.old.Fields.Text("type") != w.fields.Text("type") {
			errs = append(errs, field.Invalid(field.NewPath("type"), nil, apivalidation.FieldImmutableErrorMsg))
		}
	} else {
		errs = builtin.ValidateConfigMap(w.fields.Texts("data"), w.fields.Texts("binaryData"))
	}
	if errs = append(errs, request.TooLong(w.q.Kind, w.fields)...); len(errs) > 0 {
		return refuse.Invalid(w.q.Kind, w.Key.Name, append(wrongMeta(w), errs...))
	}
	if w.old != nil {
		return frozen(w)
	}
	return nil
}
