package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/types"

	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/bridge"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// stepOf returns what a write does.
func stepOf(w *write) bridge.Doing {
	name, d := w.key.Name, bridge.Other(w.verb, w.q.kind, w.key)
	switch {
	case w.status:
		return w.statusStep(d)
	case w.q.sub == "resize":
		return d
	}
	switch kind := w.q.kind; {
	case kind == kinds.StatefulSet && w.verb == "scale":
		n := kinds.Fields(w.fields).Number("spec", "replicas")
		return w.as("scale", fmt.Sprintf("scale %s to %d", name, n), map[string]any{"statefulset": name, "replicas": n})
	case kind == kinds.StatefulSet && w.old != nil:
		if patch := w.patch(); patch != nil {
			given := &manifest.Patch{Given: maps.Clone(patch)}
			patch["statefulset"], patch["type"] = name, "merge"
			if w.q.patchForm() == types.StrategicMergePatchType {
				patch["type"] = "strategic"
			}
			return w.as("patch", "patch "+name+given.Summary(), patch)
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
		return w.whole("createPod", "")
	case kind == kinds.Pod && w.keeps("annotations", "ownerReferences", "finalizers"):
		return w.label()
	case kind == kinds.Pod:
		return w.patchStep(d, "pod", "the pod ")
	}
	return d
}

// patchStep returns the step that patches an object's metadata, and of a claim its spec. No step gives an object an owner.
func (w *write) patchStep(d bridge.Doing, kind, what string) bridge.Doing {
	patch := map[string]any{kind: w.key.Name}
	meta := map[string]any{}
	was, is := w.old.Fields.Map("metadata"), w.fields.Map("metadata")
	for _, field := range []string{"labels", "annotations", "finalizers", "ownerReferences"} {
		if change, changes := mergePatch(was[field], is[field]); changes {
			meta[field] = change
		}
	}
	if len(is.List("ownerReferences")) > 0 && meta["ownerReferences"] != nil {
		return d
	}
	if len(meta) > 0 {
		patch["metadata"] = meta
	}
	if change, changes := mergePatch(w.old.Fields["spec"], w.fields["spec"]); changes && kind == "pvc" {
		patch["spec"] = change
	}
	if len(patch) == 1 {
		patch["metadata"] = map[string]any{}
	}
	return w.as("patch", "patch "+what+w.key.Name, patch)
}

// mergePatch returns the merge patch that turns a value into another, and whether there is any difference.
func mergePatch(was, is any) (any, bool) {
	before, _ := was.(map[string]any)
	after, both := is.(map[string]any)
	if was == nil {
		before = map[string]any{}
	}
	if before == nil || !both {
		return is, !reflect.DeepEqual(was, is)
	}
	patch := map[string]any{}
	for _, key := range sorted(before) {
		if _, stays := after[key]; !stays {
			patch[key] = nil
		}
	}
	for _, key := range sorted(after) {
		if change, changes := mergePatch(before[key], after[key]); changes {
			patch[key] = change
		}
	}
	return patch, len(patch) > 0
}

// statusStep returns the step that writes the status of a set.
func (w *write) statusStep(d bridge.Doing) bridge.Doing {
	if w.q.kind != kinds.StatefulSet {
		return d
	}
	patch := map[string]any{"statefulset": w.key.Name, "subresource": "status", "status": w.fields["status"]}
	if w.fields["status"] == nil {
		patch["status"] = map[string]any{}
	}
	meta := map[string]any{}
	for _, field := range []string{"labels", "annotations"} {
		was, is := w.old.Fields.Map("metadata")[field], w.fields.Map("metadata")[field]
		if change, changes := mergePatch(was, is); changes {
			meta[field] = change
		}
	}
	if len(meta) > 0 {
		patch["metadata"] = meta
	}
	return w.as("patch", "write the status of "+w.key.Name, patch)
}

// as returns a step in the namespace of the object.
func (w *write) as(verb, does string, value any) bridge.Doing {
	return bridge.Doing{Verb: verb, Does: does, Step: bridge.Within(w.key, map[string]any{verb: value})}
}

// whole returns a step that has the object as it is written.
func (w *write) whole(verb, what string) bridge.Doing {
	object := kinds.Clone(w.fields)
	delete(object, "status")
	meta := object.Map("metadata")
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields",
		"deletionTimestamp", "deletionGracePeriodSeconds"} {
		delete(meta, field)
	}
	if verb == "createPod" {
		what = "the pod " + w.key.Name
	}
	d := bridge.Doing{Verb: verb, Does: strings.TrimSuffix(verb, "Pod") + " " + what,
		Step: map[string]any{verb: map[string]any(object)}}
	if verb == "create" || verb == "createPod" {
		d.Effect = timeline.Created
	}
	return d
}

// patch returns the patch of a request that a step has as it is, nil for another one.
func (w *write) patch() map[string]any {
	form := w.q.patchForm()
	if form != types.MergePatchType && form != types.StrategicMergePatchType || w.sent == nil || w.q.unknown {
		return nil
	}
	var patch map[string]any
	if json.Unmarshal(w.sent, &patch) != nil {
		return nil
	}
	meta := kinds.Fields(patch).Map("metadata")
	for _, field := range sorted(patch) {
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
func (w *write) cordon(d bridge.Doing) bridge.Doing {
	was, is := bridge.OutOfService(w.old.Fields), bridge.OutOfService(w.fields)
	cordoned := kinds.Fields(w.fields).Map("spec")["unschedulable"] == true
	switch changes := cordoned != (w.old.Fields.Map("spec")["unschedulable"] == true); {
	case changes && was == is && cordoned:
		d = w.as("cordon", "cordon "+w.key.Name, w.key.Name)
	case changes && was == is:
		d = w.as("uncordon", "uncordon "+w.key.Name, w.key.Name)
	case !changes && was != is && is:
		d = w.as("outOfService", "taint "+w.key.Name+" as out of service", w.key.Name)
	case !changes && was != is:
		d = w.as("outOfService", "take the taint out-of-service off "+w.key.Name,
			map[string]any{"node": w.key.Name, "remove": true})
	}
	d.Effect = timeline.Done
	return d
}

// keeps says whether a write leaves fields of the metadata as they were.
func (w *write) keeps(fields ...string) bool {
	was, is := w.old.Fields.Map("metadata"), w.fields.Map("metadata")
	return !slices.ContainsFunc(fields, func(field string) bool { return !reflect.DeepEqual(was[field], is[field]) })
}

// label returns the step for a change of a pod's labels alone.
func (w *write) label() bridge.Doing {
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
	d := w.as("label", "label "+w.key.Name+" "+strings.Join(words, ", "),
		map[string]any{"pod": w.key.Name, "labels": labels})
	d.Effect = timeline.Done
	return d
}

// idle says whether a write changes nothing in the world, but only what the API has beside it.
func (w *write) idle() bool {
	switch w.q.kind {
	case kinds.Revision:
		return true
	case kinds.Node:
		return w.cordon(bridge.Doing{}).Step == nil && bridge.OutOfService(w.old.Fields) == bridge.OutOfService(w.fields)
	case kinds.Service:
		return len(kinds.Fields(w.fields).Map("spec", "selector")) == 0 // As upstream, its endpoints stay as they are.
	case kinds.Pod:
		return !w.status && w.q.sub != "resize" && w.keeps("labels", "annotations", "ownerReferences", "finalizers")
	}
	return false
}
