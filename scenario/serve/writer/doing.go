package writer

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	"k8s.io/apimachinery/pkg/types"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// stepOf returns the step for a write.
func stepOf(w *Write) bridge.Doing {
	name, d := w.Key.Name, bridge.Other(w.verb, w.q.Kind, w.Key)
	switch {
	case w.status:
		return w.statusStep(d)
	case w.q.Subresource == "resize":
		return d
	}
	switch kind := w.q.Kind; {
	case kind == kinds.StatefulSet && w.verb == "scale":
		n := kinds.Fields(w.fields).Number("spec", "replicas")
		return w.As("scale", fmt.Sprintf("scale %s to %d", name, n), map[string]any{"statefulset": name, "replicas": n})
	case kind == kinds.StatefulSet && w.old != nil:
		if patch := w.patch(); patch != nil {
			given := &manifest.Patch{Given: maps.Clone(patch)}
			patch["statefulset"], patch["type"] = name, "merge"
			if w.q.PatchForm() == types.StrategicMergePatchType {
				patch["type"] = "strategic"
			}
			return w.As("patch", "patch "+name+given.Summary(), patch)
		}
		return w.whole("replace", name)
	case kind == kinds.StatefulSet:
		return w.whole("create", name)
	case kind == kinds.Service && len(kinds.Fields(w.fields).Map("spec", "selector")) == 0:
	case kind == kinds.Service && w.begins:
		return w.whole("create", "the Service "+name)
	case kind == kinds.Service:
		return w.whole("replace", "the Service "+name)
	case kind == kinds.Budget && w.old == nil:
		return w.whole("create", "the PodDisruptionBudget "+name)
	case kind == kinds.Budget:
		return w.whole("replace", "the PodDisruptionBudget "+name)
	case kind == kinds.Claim && w.old == nil:
		return w.whole("create", "the claim "+name)
	case kind == kinds.Node:
		return w.cordon(d)
	case kind == kinds.Claim:
		return w.patchStep(d, "pvc", "the claim ")
	case kind == kinds.Pod && w.old == nil:
		d := w.As("createPod", "create the pod "+name, map[string]any(w.sendable()))
		d.Effect = timeline.Created
		return d
	case kind == kinds.Pod && w.keeps("annotations", "ownerReferences", "finalizers"):
		return w.label()
	case kind == kinds.Pod:
		return w.patchStep(d, "pod", "the pod ")
	}
	return d
}

// patchStep returns the step that patches an object's metadata, and of a claim its spec. No step gives an object an owner.
func (w *Write) patchStep(d bridge.Doing, kind, what string) bridge.Doing {
	parts := func(object kinds.Fields) map[string]any {
		of := map[string]any{"metadata": chosen(object.Map("metadata"), "labels", "annotations", "finalizers", "ownerReferences")}
		if kind == "pvc" {
			of["spec"] = object["spec"]
		}
		return of
	}
	patch := mergePatch(parts(w.old.Fields), parts(w.fields))
	if len(kinds.Fields(patch).List("metadata", "ownerReferences")) > 0 {
		return d
	}
	if len(patch) == 0 {
		patch["metadata"] = map[string]any{}
	}
	patch[kind] = w.Key.Name
	return w.As("patch", "patch "+what+w.Key.Name, patch)
}

// chosen returns the named fields that an object has.
func chosen(object kinds.Fields, names ...string) map[string]any {
	some := map[string]any{}
	for _, name := range names {
		if value, has := object[name]; has {
			some[name] = value
		}
	}
	return some
}

// mergePatch returns the merge patch that turns an object into another.
func mergePatch(was, is map[string]any) map[string]any {
	before, err := json.Marshal(was)
	after, wrong := json.Marshal(is)
	patch := map[string]any{}
	if data, differs := jsonpatch.CreateMergePatch(before, after); err != nil || wrong != nil || differs != nil ||
		json.Unmarshal(data, &patch) != nil {
		panic("serve: an object that is stored has no JSON")
	}
	return patch
}

// statusStep returns the step that writes the status of a set.
func (w *Write) statusStep(d bridge.Doing) bridge.Doing {
	if w.q.Kind != kinds.StatefulSet {
		return d
	}
	patch := map[string]any{"statefulset": w.Key.Name, "subresource": "status", "status": w.fields["status"]}
	if w.fields["status"] == nil {
		patch["status"] = map[string]any{}
	}
	meta := mergePatch(chosen(w.old.Fields.Map("metadata"), "labels", "annotations"),
		chosen(kinds.Fields(w.fields).Map("metadata"), "labels", "annotations"))
	if len(meta) > 0 {
		patch["metadata"] = meta
	}
	return w.As("patch", "write the status of "+w.Key.Name, patch)
}

// As returns a step in the namespace of the object.
func (w *Write) As(verb, does string, value any) bridge.Doing {
	return bridge.Doing{Verb: verb, Does: does, Step: bridge.Within(w.Key, map[string]any{verb: value})}
}

// whole returns a step that has the object as it is written.
func (w *Write) whole(verb, what string) bridge.Doing {
	d := bridge.Doing{Verb: verb, Does: verb + " " + what, Step: map[string]any{verb: map[string]any(w.sendable())}}
	if verb == "create" {
		d.Effect = timeline.Created
	}
	return d
}

// sendable returns the object without what only the server writes.
func (w *Write) sendable() kinds.Fields {
	object := kinds.Clone(w.fields)
	delete(object, "status")
	meta := object.Map("metadata")
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields",
		"deletionTimestamp", "deletionGracePeriodSeconds"} {
		delete(meta, field)
	}
	return object
}

// patch returns the patch of a request that a step has as it is, nil for another one.
func (w *Write) patch() map[string]any {
	form := w.q.PatchForm()
	if form != types.MergePatchType && form != types.StrategicMergePatchType || w.sent == nil || w.q.Unknown {
		return nil
	}
	var patch map[string]any
	if json.Unmarshal(w.sent, &patch) != nil {
		return nil
	}
	meta := kinds.Fields(patch).Map("metadata")
	for _, field := range slices.Sorted(maps.Keys(patch)) {
		if field != "spec" && field != "metadata" {
			return nil
		}
	}
	if len(patch) == 0 || meta["resourceVersion"] != nil || meta["uid"] != nil {
		return nil
	}
	return patch
}

// cordon returns the step for a change of a node: of its being cordoned, or of its taint out-of-service.
func (w *Write) cordon(d bridge.Doing) bridge.Doing {
	was, is := bridge.OutOfService(w.old.Fields), bridge.OutOfService(w.fields)
	cordoned := kinds.Fields(w.fields).Map("spec")["unschedulable"] == true
	switch changes := cordoned != (w.old.Fields.Map("spec")["unschedulable"] == true); {
	case changes && was == is && cordoned:
		d = w.As("cordon", "cordon "+w.Key.Name, w.Key.Name)
	case changes && was == is:
		d = w.As("uncordon", "uncordon "+w.Key.Name, w.Key.Name)
	case !changes && was != is && is:
		d = w.As("outOfService", "taint "+w.Key.Name+" as out of service", w.Key.Name)
	case !changes && was != is:
		d = w.As("outOfService", "take the taint out-of-service off "+w.Key.Name,
			map[string]any{"node": w.Key.Name, "remove": true})
	}
	d.Effect = timeline.Done
	return d
}

// keeps reports whether a write leaves metadata fields unchanged.
func (w *Write) keeps(fields ...string) bool {
	was, is := w.old.Fields.Map("metadata"), w.fields.Map("metadata")
	return !slices.ContainsFunc(fields, func(field string) bool { return !reflect.DeepEqual(was[field], is[field]) })
}

// label returns the step for a change of a pod's labels alone.
func (w *Write) label() bridge.Doing {
	was, is := w.old.Fields.Texts("metadata", "labels"), w.fields.Texts("metadata", "labels")
	labels, words := map[string]any{}, []string(nil)
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if value, there := was[name]; !there || value != is[name] {
			labels[name], words = is[name], append(words, name+"="+is[name])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, there := is[name]; !there {
			labels[name], words = nil, append(words, name+"-")
		}
	}
	d := w.As("label", "label "+w.Key.Name+" "+strings.Join(words, ", "),
		map[string]any{"pod": w.Key.Name, "labels": labels})
	d.Effect = timeline.Done
	return d
}

// idle reports whether a write changes nothing in the world, only fields that the API keeps in addition.
func (w *Write) idle() bool {
	switch w.q.Kind {
	case kinds.Revision:
		return true
	case kinds.Node:
		return w.cordon(bridge.Doing{}).Step == nil && bridge.OutOfService(w.old.Fields) == bridge.OutOfService(w.fields)
	case kinds.Service:
		return len(kinds.Fields(w.fields).Map("spec", "selector")) == 0 // As upstream, its endpoints stay as they are.
	case kinds.Pod:
		return !w.status && w.q.Subresource != "resize" && w.keeps("labels", "annotations", "ownerReferences", "finalizers")
	}
	return false
}
