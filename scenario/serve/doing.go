package serve

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/objects"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/timeline"
)

// doing is what a request does to the world, as a step of a scenario that does the same: its key and its words, and the
// step itself. It is nil for what no step does.
type doing struct {
	verb, does string
	step       map[string]any
	// effect is that of success, "" if it follows from what has changed.
	effect timeline.Effect
}

// did is what a request did to the world, and when. Line is the line of the session that has the request; a manifest
// with which the session begins has none.
type did struct {
	doing
	at      time.Duration
	refused string
	line    int
}

// other returns what no step does.
func other(verb string, kind *kinds.Kind, key model.Key) doing {
	return doing{verb: "request", does: does(verb, kind, key)}
}

// stepOf returns what a write does.
func stepOf(w *write) doing {
	name, d := w.key.Name, other(w.verb, w.q.kind, w.key)
	if w.status {
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
	case kind == kinds.Pod && w.old != nil:
		return w.label(d)
	}
	return d
}

// as returns a step in the namespace of the object.
func (w *write) as(verb, does string, value any) doing {
	return doing{verb: verb, does: does, step: within(w.key, map[string]any{verb: value})}
}

// within adds the namespace of an object to a step, unless it is the one that a step has by itself.
func within(key model.Key, step map[string]any) map[string]any {
	if key.Namespace != "" && key.Namespace != "default" {
		step["namespace"] = key.Namespace
	}
	return step
}

// whole returns a step that has the object as it is written.
func (w *write) whole(verb, what string) doing {
	object := kinds.Clone(w.fields)
	delete(object, "status")
	meta := object.Map("metadata")
	for _, field := range []string{"uid", "resourceVersion", "creationTimestamp", "generation", "managedFields",
		"deletionTimestamp", "deletionGracePeriodSeconds"} {
		delete(meta, field)
	}
	d := doing{verb: verb, does: verb + " " + what, step: map[string]any{verb: map[string]any(object)}}
	if verb == "create" {
		d.effect = timeline.Created
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
func (w *write) cordon(d doing) doing {
	was, is := outOfService(w.old.Fields), outOfService(w.fields)
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
	d.effect = timeline.Done
	return d
}

// outOfService says whether a node has the taint out-of-service.
func outOfService(node kinds.Fields) bool {
	return slices.ContainsFunc(node.List("spec", "taints"), func(t kinds.Fields) bool { return t.Text("key") == taintOut })
}

// keeps says whether a write leaves fields of the metadata as they were.
func (w *write) keeps(fields ...string) bool {
	was, is := w.old.Fields.Map("metadata"), w.fields.Map("metadata")
	return !slices.ContainsFunc(fields, func(field string) bool { return !reflect.DeepEqual(was[field], is[field]) })
}

// label returns the step for a change of a pod's labels alone.
func (w *write) label(d doing) doing {
	was, is := w.old.Fields.Texts("metadata", "labels"), w.fields.Texts("metadata", "labels")
	if !w.keeps("annotations", "ownerReferences", "finalizers") {
		return d
	}
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
	d = w.as("label", "label "+w.key.Name+" "+strings.Join(words, ", "),
		map[string]any{"pod": w.key.Name, "labels": labels})
	d.effect = timeline.Done
	return d
}

// idle says whether a write changes nothing in the world, but only what the API has beside it.
func (w *write) idle() bool {
	switch w.q.kind {
	case kinds.Revision:
		return true
	case kinds.Node:
		return w.cordon(doing{}).step == nil && outOfService(w.old.Fields) == outOfService(w.fields)
	case kinds.Pod:
		return !w.status && w.keeps("labels", "annotations", "ownerReferences", "finalizers")
	}
	return false
}

// deletes returns what a deletion does.
func deletes(o *objects.Object, how deletion) doing {
	name := o.Key.Name
	d := other("delete", o.Kind, o.Key)
	d.effect = timeline.Deleted
	step := func(kind, words string) {
		d.verb, d.does, d.step = "delete", words, within(o.Key, map[string]any{"delete": kind + "/" + name})
	}
	switch o.Kind {
	case kinds.StatefulSet:
		step("statefulset", "delete the StatefulSet "+name)
		switch how.cascade {
		case sim.Foreground:
			d.does, d.step["cascade"] = d.does+" after its pods", "foreground"
		case sim.Orphan:
			d.does, d.step["cascade"] = d.does+" and leave its pods", "orphan"
		}
	case kinds.Pod:
		switch {
		case how.grace == nil:
			step("pod", "delete "+name)
		case *how.grace == 0:
			step("pod", "force the deletion of "+name)
			d.step["force"] = true
		}
	case kinds.Claim:
		step("pvc", "delete the claim "+name)
	case kinds.Service:
		step("service", "delete the Service "+name)
	case kinds.Budget:
		step("poddisruptionbudget", "delete the PodDisruptionBudget "+name)
	case kinds.Node:
		step("node", "delete the node "+name)
		d.effect = timeline.Done
	}
	return d
}
