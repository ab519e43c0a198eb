package project

import (
	"maps"
	"slices"
	"strconv"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

func itoa(n int) string { return strconv.Itoa(n) }

// beside are the parts of the metadata that the model does not know.
var beside = []string{"managedFields", "generateName"}

// Onto puts what the model has of an object onto what the API had of it: base, which may be nil and is not changed. The
// projected fields are the result's.
func Onto(kind *kinds.Kind, base, projected kinds.Fields) kinds.Fields {
	if base == nil {
		return projected
	}
	meta, before := projected.Map("metadata"), base.Map("metadata")
	for _, field := range beside {
		if v, found := before[field]; found {
			meta[field] = v
		}
	}
	foreign(meta, before)
	switch kind {
	case kinds.Pod:
		ontoPod(base, projected)
	case kinds.Node:
		for _, field := range []string{"labels", "annotations", "uid", "creationTimestamp"} {
			if v, found := before[field]; found {
				meta[field] = v
			}
		}
	}
	return projected
}

// foreign keeps the owners of an object that are no object of the model.
func foreign(meta, before kinds.Fields) {
	owners, _ := meta["ownerReferences"].([]any)
	for _, owner := range before.List("ownerReferences") {
		if _, ours := UID(owner.Text("uid")); !ours || owner.Text("kind") != model.KindStatefulSet.String() &&
			owner.Text("kind") != model.KindPod.String() {
			owners = append(slices.Clip(owners), map[string]any(owner))
		}
	}
	if owners != nil {
		meta["ownerReferences"] = owners
	}
}

// ontoPod keeps the spec of a pod that the API has, apart from what the cluster decides, and the conditions that a
// client has written.
func ontoPod(base, projected kinds.Fields) {
	spec := maps.Clone(map[string]any(base.Map("spec")))
	decided := projected.Map("spec")
	for _, field := range []string{"nodeName", "hostname", "subdomain", "volumes"} {
		if v, found := decided[field]; found {
			spec[field] = v
		}
	}
	projected["spec"] = spec
	status := projected.Map("status")
	conditions, _ := status["conditions"].([]any)
	known := map[string]bool{}
	for _, c := range projected.List("status", "conditions") {
		known[c.Text("type")] = true
	}
	for _, c := range base.List("status", "conditions") {
		if kind := c.Text("type"); !known[kind] && !decides[kind] {
			conditions = append(conditions, map[string]any(c))
		}
	}
	status["conditions"] = conditions
}

// decides are the conditions of a pod that only the cluster writes.
var decides = map[string]bool{"PodScheduled": true, "Ready": true, "ContainersReady": true, "Initialized": true,
	"PodReadyToStartContainers": true}

// UID returns the model's uid of a text, and false if it is none.
func UID(text string) (model.UID, bool) {
	const prefix = "uid-"
	if len(text) <= len(prefix) || text[:len(prefix)] != prefix {
		return 0, false
	}
	n, err := strconv.ParseUint(text[len(prefix):], 10, 64)
	return model.UID(n), err == nil
}

// Owners returns the owners in metadata that are objects of the model.
func Owners(meta kinds.Fields) []model.Owner {
	ours := map[string]model.Kind{
		model.KindStatefulSet.String(): model.KindStatefulSet, model.KindPod.String(): model.KindPod,
	}
	var owners []model.Owner
	for _, owner := range meta.List("ownerReferences") {
		uid, known := UID(owner.Text("uid"))
		if kind := ours[owner.Text("kind")]; known && kind != model.KindNone {
			owners = append(owners, model.Owner{Kind: kind, Name: owner.Text("name"), UID: uid,
				Controller: owner.Is("controller")})
		}
	}
	return owners
}
