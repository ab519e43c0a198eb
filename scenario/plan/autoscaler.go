package plan

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/dump"
	"github.com/statefulsim/statefulsim/scenario/manifest"
)

// TrapAutoscaler is the alarm about a number of replicas that an autoscaler writes too.
const TrapAutoscaler = "autoscaler"

// scaler is an autoscaler that writes the number of replicas of a set.
type scaler struct {
	kind, name string
	set        model.Key
}

// scalerOf reads an autoscaler that targets a StatefulSet; false for every other object.
func scalerOf(o *manifest.Other, namespace string) (s scaler, is bool) {
	group, _, _ := strings.Cut(o.APIVersion, "/")
	known := o.Kind == "HorizontalPodAutoscaler" && group == "autoscaling" ||
		o.Kind == "ScaledObject" && group == "keda.sh"
	target := field(field(o.Node, "spec"), "scaleTargetRef")
	kind, name := field(target, "kind"), field(target, "name")
	if !known || kind == nil || kind.Value != "StatefulSet" || name == nil {
		return s, false
	}
	return scaler{o.Kind, o.Name, model.Key{Namespace: cmp.Or(o.Namespace, namespace), Name: name.Value}}, true
}

// scaled notes the autoscalers of a stream.
func (in *Input) scaled(others []manifest.Other, namespace string) {
	for i := range others {
		if s, is := scalerOf(&others[i], namespace); is && !slices.Contains(in.scalers, s) {
			in.scalers = append(in.scalers, s)
		}
	}
}

// warnOfScalers adds the alarm about the autoscalers of a set whose manifest sets the number of replicas too: it is
// written by both, and each undoes what the other does.
func (in *Input) warnOfScalers(e *edit) {
	if e.live == nil || e.wanted == nil || e.set == nil || e.live.Spec.Replicas == e.wanted.Spec.Replicas {
		return
	}
	for _, s := range in.scalers {
		if s.set == e.pair.Key {
			e.set.alarm(TrapAutoscaler, "the %s %s sets the number of replicas too, and most likely brings it back from %d to "+
				"%d: leave spec.replicas out of the manifest", s.kind, s.name, e.wanted.Spec.Replicas, e.live.Spec.Replicas)
		}
	}
}

// heeded says whether a kind of another object has an effect on one of the sets: what its pods read, or what writes its
// replicas.
func (in *Input) heeded(kind string) bool {
	if slices.ContainsFunc(in.scalers, func(s scaler) bool { return s.kind == kind }) {
		return true
	}
	cures := slices.Concat(slices.Collect(maps.Values(in.cures))...)
	return slices.ContainsFunc(cures, func(c dump.Cure) bool { return c.Kind == kind }) ||
		slices.ContainsFunc(in.read, func(t thing) bool { return t.kind == kind })
}
