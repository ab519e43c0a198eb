package project

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
)

func itoa(n int) string { return strconv.Itoa(n) }

// beside are the metadata fields that the model does not know.
var beside = []string{"managedFields", "generateName"}

// Onto merges the model's fields of an object onto the API's: base, which may be nil and is not changed. The result
// owns the projected fields.
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
	owned(kind, meta, before)
	switch kind {
	case kinds.StatefulSet:
		ontoFinalizers(meta, before)
		// Templates of claims cannot be changed, and of their metadata the model has not all.
		sent := base.List("spec", "volumeClaimTemplates")
		for i, template := range projected.List("spec", "volumeClaimTemplates") {
			if i < len(sent) && sent[i].Map("metadata") != nil {
				template["metadata"] = map[string]any(sent[i].Map("metadata"))
			}
		}
		ontoConditions(base, projected)
	case kinds.Pod:
		if generation := before.Number("generation"); generation > meta.Number("generation") {
			meta["generation"] = generation // The model does not count fields that it does not know.
		}
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

// ontoFinalizers keeps the finalizers of a set that the model does not know, and that they hold its deletion up.
func ontoFinalizers(meta, before kinds.Fields) {
	list, _ := meta["finalizers"].([]any)
	for _, name := range before.Words("finalizers") {
		if name != metav1.FinalizerDeleteDependents && name != metav1.FinalizerOrphanDependents &&
			!slices.Contains(list, any(name)) {
			list = append(list, name)
		}
	}
	if list == nil {
		return
	}
	meta["finalizers"] = list
	for _, field := range []string{"deletionTimestamp", "deletionGracePeriodSeconds"} {
		if value, is := before[field]; is && meta[field] == nil {
			meta[field] = value
		}
	}
}

// ontoConditions keeps the conditions of a set as a client has written them, as long as they say the same.
func ontoConditions(base, projected kinds.Fields) {
	list, _ := projected.Map("status")["conditions"].([]any)
	for i, one := range projected.List("status", "conditions") {
		for _, sent := range base.List("status", "conditions") {
			if sent.Text("type") == one.Text("type") && sent.Text("status") == one.Text("status") &&
				sent.Text("reason") == one.Text("reason") && sent.Text("message") == one.Text("message") {
				list[i] = map[string]any(sent)
			}
		}
	}
}

// owned keeps the owner references that the model also has, as they were sent. For objects other than pods and claims
// it also keeps the references to owners outside the model.
func owned(kind *kinds.Kind, meta, before kinds.Fields) {
	sent := before.List("ownerReferences")
	var owners []any
	for _, owner := range meta.List("ownerReferences") {
		at := slices.IndexFunc(sent, func(s kinds.Fields) bool {
			return uid(s).String() == owner.Text("uid") && s.Is("controller") == owner.Is("controller")
		})
		switch {
		case at >= 0:
			owners = append(owners, map[string]any(sent[at]))
		case owner.Text("kind") != "":
			owners = append(owners, map[string]any(owner))
		}
	}
	for _, owner := range sent {
		if kind != kinds.Pod && kind != kinds.Claim && ours[owner.Text("kind")] == model.KindNone {
			owners = append(owners, map[string]any(owner))
		}
	}
	delete(meta, "ownerReferences")
	if owners != nil {
		meta["ownerReferences"] = owners
	}
}

// ontoPod keeps the spec of a pod that the API has, apart from the fields that the cluster decides, and the
// conditions that a client has written.
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
	if status["conditions"] = conditions; conditions == nil {
		delete(status, "conditions")
	}
	EndEphemeral(projected)
}

// EndEphemeral shows the ephemeral containers of a pod on a node as terminated: no process can inspect a simulated
// container.
func EndEphemeral(pod kinds.Fields) {
	spec, status := pod.Map("spec"), pod.Map("status")
	var ended []any
	for _, container := range spec.List("ephemeralContainers") {
		started := status.Text("startTime")
		ended = append(ended, map[string]any{"name": container.Text("name"), "image": container.Text("image"), "imageID": "",
			"ready": false, "restartCount": int64(0), "state": map[string]any{"terminated": map[string]any{"exitCode": int64(1),
				"reason": "Error", "startedAt": started, "finishedAt": started,
				"message": "no process runs in a simulated container; kubectl exec runs commands in the others"}}})
	}
	if ended != nil && spec.Text("nodeName") != "" {
		status["ephemeralContainerStatuses"] = ended
	}
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

// ours are the kinds of owners that the model knows.
var ours = map[string]model.Kind{
	model.KindStatefulSet.String(): model.KindStatefulSet, model.KindPod.String(): model.KindPod,
}

// The uids of owners that are not objects of the session: strangers have uids above foreign, and owners of a kind
// that is not served have uids above Unserved.
const (
	foreign  model.UID = 1 << 62
	Unserved model.UID = 1 << 63
)

// uid returns the uid that an owner reference has in the model.
func uid(owner kinds.Fields) model.UID {
	if known, is := UID(owner.Text("uid")); is {
		return known
	}
	hash := fnv.New64a()
	hash.Write([]byte(owner.Text("uid")))
	id := model.UID(hash.Sum64()) % foreign
	if served := kinds.Catalog(nil); served.Of(owner.Text("apiVersion"), owner.Text("kind")) != nil {
		return foreign + id
	}
	return Unserved + id
}

// Owners returns the owners in metadata. Owners that are not objects of the model have no kind.
func Owners(meta kinds.Fields) []model.Owner {
	var owners []model.Owner
	for _, owner := range meta.List("ownerReferences") {
		owners = append(owners, model.Owner{Kind: ours[owner.Text("kind")], Name: owner.Text("name"), UID: uid(owner),
			Controller: owner.Is("controller")})
	}
	return owners
}
