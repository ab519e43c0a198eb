// Package project turns the contents of a world into the objects that the API shows. An object of the API has more
// fields than the model knows: the fields that a client has written in addition stay, and the model's fields win.
package project

import (
	"encoding/json"
	"maps"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/printing"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/sim"
)

// Fields returns a typed object as JSON has it. The fields are the caller's.
func Fields(object any) kinds.Fields {
	if plain, is := object.(*map[string]any); is {
		return withMetadata(*plain)
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		panic("project: an object cannot be converted: " + err.Error())
	}
	tidy(fields)
	return withMetadata(fields)
}

// Typed returns fields as an object of a kind's Go type.
func Typed(kind *kinds.Kind, fields kinds.Fields) (any, error) {
	typed := kind.Empty()
	data, err := json.Marshal(fields)
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(data, typed)
	}
	return typed, err
}

// withMetadata returns fields that were sent as they are, with metadata in any case.
func withMetadata(fields kinds.Fields) kinds.Fields {
	if fields == nil {
		fields = kinds.Fields{}
	}
	if fields.Map("metadata") == nil {
		fields["metadata"] = map[string]any{}
	}
	return fields
}

// tidy removes the times that are null, which no server sends.
func tidy(fields map[string]any) {
	maps.DeleteFunc(fields, func(name string, value any) bool {
		switch v := value.(type) {
		case map[string]any:
			tidy(v)
		case []any:
			for _, item := range v {
				if inner, is := item.(map[string]any); is {
					tidy(inner)
				}
			}
		}
		return value == nil && !unset[name]
	})
}

// unset are the times that a server does send where they are not set.
var unset = map[string]bool{"lastProbeTime": true, "lastTransitionTime": true, "lastUpdateTime": true,
	"lastHeartbeatTime": true}

// printed returns the first object that a dump prints of a state.
func printed(state *sim.State, at time.Time) kinds.Fields {
	return Fields(printing.Objects(state, at)[0])
}

// Set returns a StatefulSet.
func Set(set *model.StatefulSet, epoch time.Time) kinds.Fields {
	fields := printed(&sim.State{Sets: []*model.StatefulSet{set}}, epoch)
	if set.Status.ObservedGeneration == 0 && set.Status.CollisionCount == 0 {
		delete(fields.Map("status"), "collisionCount") // The controller writes it with its first status.
	}
	var conditions []any
	for _, c := range set.Status.Conditions {
		condition := map[string]any{"type": c.Type, "status": truth(c.True), "lastTransitionTime": Time(c.Since, epoch)}
		if c.Reason != "" {
			condition["reason"] = c.Reason
		}
		if c.Message != "" {
			condition["message"] = c.Message
		}
		conditions = append(conditions, condition)
	}
	if conditions != nil {
		fields.Map("status")["conditions"] = conditions
	}
	return fields
}

func truth(is bool) string {
	if is {
		return "True"
	}
	return "False"
}

// Time returns an instant of the world as the API has it.
func Time(t model.Time, epoch time.Time) string {
	return epoch.Add(time.Duration(t)).UTC().Format(time.RFC3339)
}

// Pod returns a pod as its kubelet has reported it; its times are counted from now.
func Pod(state sim.PodState, address string, now time.Time) kinds.Fields {
	fields := printed(&sim.State{Pods: []sim.PodState{state}}, now)
	status := fields.Map("status")
	if state.Containers != nil && state.Containers.Message != "" && status["message"] == nil {
		status["message"] = state.Containers.Message
	}
	status["qosClass"] = "BestEffort"
	if meta := fields.Map("metadata"); meta["deletionTimestamp"] != nil {
		meta["generation"] = meta.Number("generation") + 1 // Its deletion changes the desired state.
	}
	if state.Unscheduled != "" {
		for _, c := range fields.List("status", "conditions") {
			c["reason"], c["message"] = "Unschedulable", state.Unscheduled
		}
	}
	if state.Node == "" {
		if state.Unscheduled == "" {
			delete(status, "conditions") // Nothing has looked at it so far.
		}
		return fields
	}
	conditions, _ := status["conditions"].([]any)
	status["conditions"] = append(conditions, whole(fields, state)...)
	status["hostIP"] = HostIP(state.Node)
	if address != "" && state.Phase != model.Pending {
		status["podIP"], status["podIPs"] = address, []any{map[string]any{"ip": address}}
	}
	name(fields)
	return fields
}

// whole returns the conditions of a pod on a node that follow from the others.
func whole(fields kinds.Fields, state sim.PodState) []any {
	list := fields.List("status", "conditions")
	bound, ready := list[0], list[len(list)-1]
	condition := func(kind string, is bool, since kinds.Fields) any {
		return map[string]any{"type": kind, "status": truth(is), "lastTransitionTime": since["lastTransitionTime"]}
	}
	initialized := state.Phase != model.Pending || len(fields.List("spec", "initContainers")) == 0
	return []any{
		condition("ContainersReady", ready["status"] == "True", ready), condition("Initialized", initialized, bound),
		condition("PodReadyToStartContainers", state.Phase != model.Pending, bound),
	}
}

// name gives containers that run what only a container runtime knows.
func name(fields kinds.Fields) {
	for _, c := range fields.List("status", "containerStatuses") {
		if running := c.Map("state", "running"); running != nil {
			c["started"], c["containerID"] = true, "sim://"+fields.Text("metadata", "uid")+"/"+c.Text("name")
			c["imageID"] = c["image"]
		}
	}
}

// HostIP returns the address of a node, by the number in its name.
func HostIP(node string) string {
	_, number := model.SplitPodName(node)
	return "172.18.0." + itoa(2+max(0, number)%250)
}

// DefaultClass is the storage class of a claim that does not name one.
const DefaultClass = "standard"

// Claim returns a claim. One that is bound has the volume of its uid.
func Claim(claim *model.Claim, epoch time.Time) kinds.Fields {
	fields := printed(&sim.State{Claims: []*model.Claim{claim}}, epoch)
	spec, status := fields.Map("spec"), fields.Map("status")
	if claim.Phase == model.ClaimBound {
		if fields.Text("spec", "volumeName") == "" {
			spec["volumeName"] = VolumeName(claim)
		}
		status["accessModes"] = spec["accessModes"]
		status["capacity"] = map[string]any(fields.Map("spec", "resources", "requests"))
	}
	delete(fields.Map("metadata"), "generation")
	if _, named := spec["storageClassName"]; !named {
		spec["storageClassName"] = DefaultClass
	}
	return fields
}

// VolumeName is the name of the volume that a claim is provisioned with.
func VolumeName(claim *model.Claim) string { return "pvc-" + claim.UID.String() }

// Volume returns the volume of a claim that is bound.
func Volume(claim kinds.Fields) kinds.Fields {
	meta := claim.Map("metadata")
	return kinds.Fields{
		"metadata": map[string]any{"name": claim.Text("spec", "volumeName"), "creationTimestamp": meta["creationTimestamp"]},
		"spec": map[string]any{
			"accessModes": claim.Map("spec")["accessModes"], "capacity": claim.Map("status")["capacity"],
			"claimRef": map[string]any{"apiVersion": "v1", "kind": "PersistentVolumeClaim", "namespace": meta["namespace"],
				"name": meta["name"], "uid": meta["uid"]},
			"persistentVolumeReclaimPolicy": "Delete", "storageClassName": claim.Text("spec", "storageClassName"),
			"volumeMode": "Filesystem",
		},
		"status": map[string]any{"phase": "Bound"},
	}
}

// Revision returns a ControllerRevision. Its data is a patch that replaces the template, as kubectl rollout undo needs.
func Revision(revision *model.Revision, epoch time.Time) kinds.Fields {
	fields := printed(&sim.State{Revisions: []*model.Revision{revision}}, epoch)
	if template := fields.Map("data", "spec", "template"); template != nil {
		template["$patch"] = "replace"
	}
	return fields
}

// Node returns a node.
func Node(state sim.NodeState, version string, epoch time.Time) kinds.Fields {
	fields := printed(&sim.State{Nodes: []sim.NodeState{state}}, epoch)
	meta, status := fields.Map("metadata"), fields.Map("status")
	labels, _ := meta["labels"].(map[string]any)
	if labels == nil {
		labels = map[string]any{}
	}
	labels[corev1.LabelHostname], labels[corev1.LabelOSStable], labels[corev1.LabelArchStable] = state.Name, "linux",
		"amd64"
	meta["labels"], meta["creationTimestamp"] = labels, epoch.UTC().Format(time.RFC3339)
	status["addresses"] = []any{map[string]any{"type": "InternalIP", "address": HostIP(state.Name)},
		map[string]any{"type": "Hostname", "address": state.Name}}
	status["nodeInfo"] = map[string]any{"kubeletVersion": version, "operatingSystem": "linux", "architecture": "amd64",
		"osImage": "simulated", "kernelVersion": "simulated",
		"containerRuntimeVersion": "sim://" + strings.TrimPrefix(version, "v"),
		"machineID":               state.Name, "systemUUID": state.Name, "bootID": state.Name, "kubeProxyVersion": version}
	if status["allocatable"] == nil {
		status["allocatable"] = map[string]any{"cpu": "16", "memory": "64Gi", "pods": "110"}
	}
	status["capacity"] = status["allocatable"]
	return fields
}
