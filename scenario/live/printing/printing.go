// Package printing prints a state as kubectl get prints the objects of a cluster: the other way round than package dump.
package printing

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest"
	"github.com/statefulsim/statefulsim/sim"
)

// Print prints a state as kubectl get -o yaml does: as a List of its objects. at is the instant 0 of the state's
// times. What kubectl does not print is lost: how long a process will still run, the back-offs of kubelets, that a
// node has just become silent. Read reads it again, to the second: the API has no shorter times.
func Print(w io.Writer, state *sim.State, at time.Time) error {
	data, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": Objects(state, at)})
	if err != nil {
		return fmt.Errorf("the state cannot be encoded: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var list any
	if err := decoder.Decode(&list); err != nil {
		return fmt.Errorf("the state cannot be decoded: %w", err)
	}
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(whole(list)); err != nil {
		return err
	}
	return encoder.Close()
}

// Objects returns the objects of a state as the API has them, each a pointer to a type of k8s.io/api. They are new, and
// the caller may change them, but not what their specs share with the state.
func Objects(state *sim.State, at time.Time) []any {
	p := printer{at: at}
	var items []any
	for _, set := range state.Sets {
		items = append(items, p.set(set))
	}
	for i := range state.Pods {
		items = append(items, p.pod(&state.Pods[i]))
	}
	for _, claim := range state.Claims {
		items = append(items, p.claim(claim))
		if claim.Reach != "" {
			items = append(items, volumeOf(claim))
		}
	}
	for _, revision := range state.Revisions {
		items = append(items, p.revision(revision))
	}
	for _, budget := range state.Budgets {
		items = append(items, p.budget(budget))
	}
	for i := range state.Nodes {
		items = append(items, p.node(&state.Nodes[i]))
	}
	return items
}

// whole converts the numbers of JSON into integers, since all numbers of a state are whole.
func whole(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			v[key] = whole(v[key])
		}
	case []any:
		for i := range v {
			v[i] = whole(v[i])
		}
	case json.Number:
		n, err := v.Int64()
		if err != nil {
			panic("printing: a number of a state is not whole: " + v.String())
		}
		return n
	}
	return v
}

// printer turns the model's objects into the API's.
type printer struct{ at time.Time }

// time returns an instant as the API has it.
func (p *printer) time(t model.Time) metav1.Time {
	return metav1.NewTime(p.at.Add(time.Duration(t)).UTC())
}

// meta prints metadata. A reference that makes the owner the controller blocks the owner's deletion, as those do that
// the controllers of Kubernetes write. An owner of any kind but Pod is one of apps/v1.
func (p *printer) meta(m *model.Meta) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{
		Namespace: m.Namespace, Name: m.Name, UID: types.UID(m.UID.String()), Generation: m.Generation,
		Labels: m.Labels, Annotations: m.Annotations, Finalizers: m.Finalizers, CreationTimestamp: p.time(m.Created),
		ResourceVersion: fmt.Sprint(m.ResourceVersion),
	}
	for _, owner := range m.Owners {
		version := "apps/v1"
		if owner.Kind == model.KindPod {
			version = "v1"
		}
		reference := metav1.OwnerReference{
			APIVersion: version, Kind: owner.Kind.String(), Name: owner.Name, UID: types.UID(owner.UID.String()),
		}
		if owner.Controller {
			yes := true
			reference.Controller, reference.BlockOwnerDeletion = &yes, &yes
		}
		meta.OwnerReferences = append(meta.OwnerReferences, reference)
	}
	if d := m.Deletion; d != nil {
		ends, seconds := p.time(d.At.Add(d.Grace)), int64(d.Grace/time.Second)
		meta.DeletionTimestamp, meta.DeletionGracePeriodSeconds = &ends, &seconds
	}
	return meta
}

// set prints a StatefulSet with its status. Conditions of the status are left out.
func (p *printer) set(set *model.StatefulSet) *appsv1.StatefulSet {
	object := manifest.Object(set)
	object.ObjectMeta = p.meta(&set.Meta)
	s := &set.Status
	object.Status = appsv1.StatefulSetStatus{
		ObservedGeneration: s.ObservedGeneration, Replicas: s.Replicas, ReadyReplicas: s.Ready,
		AvailableReplicas: s.Available, CurrentReplicas: s.Current, UpdatedReplicas: s.Updated,
		CurrentRevision: s.CurrentRevision, UpdateRevision: s.UpdateRevision, CollisionCount: &s.CollisionCount,
	}
	return object
}

// claim prints a claim. The name of its volume is in the spec, as far as the state has it.
func (p *printer) claim(claim *model.Claim) *corev1.PersistentVolumeClaim {
	object := &corev1.PersistentVolumeClaim{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}, ObjectMeta: p.meta(&claim.Meta),
		Status: corev1.PersistentVolumeClaimStatus{Phase: corev1.PersistentVolumeClaimPhase(claim.Phase.String())},
	}
	decode(claim.Data, &object.Spec)
	class, bound := object.Spec.VolumeAttributesClassName, claim.Phase == model.ClaimBound
	if bound && !claim.Unclassed && class != nil && *class != "" {
		object.Status.CurrentVolumeAttributesClassName = class
	}
	return object
}

// volumeOf returns the volume of a claim, if it says which nodes can use it.
func volumeOf(claim *model.Claim) *corev1.PersistentVolume {
	object := &corev1.PersistentVolume{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolume"},
		ObjectMeta: metav1.ObjectMeta{Name: "pv-" + claim.Namespace + "-" + claim.Name},
	}
	object.Spec.ClaimRef = &corev1.ObjectReference{Kind: "PersistentVolumeClaim", Namespace: claim.Namespace, Name: claim.Name}
	object.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{}}
	decode(claim.Reach, object.Spec.NodeAffinity.Required)
	return object
}

// revision prints a ControllerRevision with the patch that the controller would have stored.
func (p *printer) revision(revision *model.Revision) *appsv1.ControllerRevision {
	data := strings.Replace(`{"spec":{"template":`+revision.Template.Data+`}}`, `{"metadata"`, `{"$patch":"replace","metadata"`, 1)
	if revision.SetName != "" {
		data = fmt.Sprintf(`{"metadata":{"name":%q},%s`, revision.SetName, data[1:])
	}
	return &appsv1.ControllerRevision{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "ControllerRevision"},
		ObjectMeta: p.meta(&revision.Meta), Revision: revision.Number, Data: runtime.RawExtension{Raw: []byte(data)},
	}
}

// budget prints a PodDisruptionBudget without a status: a world counts it anew.
func (p *printer) budget(b *model.Budget) *policyv1.PodDisruptionBudget {
	object := &policyv1.PodDisruptionBudget{
		TypeMeta:   metav1.TypeMeta{APIVersion: "policy/v1", Kind: "PodDisruptionBudget"},
		ObjectMeta: metav1.ObjectMeta{Namespace: b.Namespace, Name: b.Name},
	}
	object.Spec.MinAvailable, object.Spec.MaxUnavailable = amount(b.MinAvailable), amount(b.MaxUnavailable)
	if b.Selects != nil {
		decode(b.Selects.Data, &object.Spec.Selector)
	}
	if b.AlwaysAllow {
		always := policyv1.AlwaysAllow
		object.Spec.UnhealthyPodEvictionPolicy = &always
	}
	return object
}

// amount prints a number or a percentage, nil for none.
func amount(v *model.IntOrPercent) *intstr.IntOrString {
	if v == nil {
		return nil
	}
	n := intstr.FromInt32(v.Value)
	if v.Percent {
		n = intstr.FromString(v.String())
	}
	return &n
}

// node prints a node. Its state is in the condition Ready and the taints, from which converter.node reads it.
func (p *printer) node(n *sim.NodeState) *corev1.Node {
	object := &corev1.Node{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Node"},
		ObjectMeta: metav1.ObjectMeta{Name: n.Name}, Spec: corev1.NodeSpec{Unschedulable: n.Cordoned},
	}
	object.Labels = map[string]string{}
	if n.Zone != "" {
		object.Labels[corev1.LabelTopologyZone] = n.Zone
	}
	if n.Labels != nil {
		object.Labels[corev1.LabelHostname] = n.Name
	}
	maps.Copy(object.Labels, n.Labels)
	for _, taint := range n.Taints {
		object.Spec.Taints = append(object.Spec.Taints, corev1.Taint{
			Key: taint.Key, Value: taint.Value, Effect: corev1.TaintEffect(taint.Effect),
		})
	}
	for _, name := range slices.Sorted(maps.Keys(n.Allocatable)) {
		if object.Status.Allocatable == nil {
			object.Status.Allocatable = corev1.ResourceList{}
		}
		object.Status.Allocatable[corev1.ResourceName(name)] = resource.MustParse(n.Allocatable[name])
	}
	ready := corev1.NodeCondition{Type: corev1.NodeReady, Status: corev1.ConditionTrue}
	switch {
	case n.Down && n.NotReady:
		ready.Status = corev1.ConditionUnknown
	case n.NotReady:
		ready.Status = corev1.ConditionFalse
	}
	object.Status.Conditions = []corev1.NodeCondition{ready}
	if n.Unreachable {
		key, added := corev1.TaintNodeNotReady, p.time(n.Tainted)
		if n.Down {
			key = corev1.TaintNodeUnreachable
		}
		object.Spec.Taints = append(object.Spec.Taints, corev1.Taint{
			Key: key, Effect: corev1.TaintEffectNoExecute, TimeAdded: &added,
		})
	}
	if n.OutOfService {
		object.Spec.Taints = append(object.Spec.Taints, corev1.Taint{
			Key: corev1.TaintNodeOutOfService, Value: "nodeshutdown", Effect: corev1.TaintEffectNoExecute,
		})
	}
	return object
}

// decode fills an object of the API from the model's JSON; "" leaves it empty.
func decode(data string, into any) {
	if data == "" {
		return
	}
	if err := json.Unmarshal([]byte(data), into); err != nil {
		panic("printing: the model's JSON cannot be decoded: " + err.Error() + ": " + data)
	}
}
