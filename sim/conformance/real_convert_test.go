//go:build real

package conformance_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	apps "k8s.io/api/apps/v1"
	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/statefulsim/statefulsim/model"
)

func (c *Controller) convertMeta(m *model.Meta) metav1.ObjectMeta {
	meta := metav1.ObjectMeta{
		Namespace: m.Namespace, Name: m.Name, UID: types.UID(m.UID.String()), Generation: m.Generation,
		ResourceVersion: strconv.FormatUint(m.ResourceVersion, 10),
		Labels:          m.Labels, Annotations: m.Annotations, Finalizers: m.Finalizers,
		CreationTimestamp: metav1.Time{Time: c.timeOf(m.Created)},
	}
	for _, owner := range m.Owners {
		isController := owner.Controller
		meta.OwnerReferences = append(meta.OwnerReferences, metav1.OwnerReference{
			APIVersion: apiVersions[owner.Kind], Kind: kindName(owner.Kind), Name: owner.Name,
			UID: types.UID(owner.UID.String()), Controller: &isController, BlockOwnerDeletion: &isController,
		})
	}
	if m.Deletion != nil {
		meta.DeletionTimestamp = &metav1.Time{Time: c.timeOf(m.Deletion.At)}
	}
	return meta
}

var apiVersions = map[model.Kind]string{
	model.KindStatefulSet: "apps/v1", model.KindPod: "v1", model.KindClaim: "v1", model.KindRevision: "apps/v1",
	model.KindNone: "v1",
}

// kindName returns the name of a kind, and one for all that the model does not know.
func kindName(kind model.Kind) string { return cmp.Or(kind.String(), "Other") }

func (c *Controller) convertPod(pod *model.Pod) *v1.Pod {
	real := &v1.Pod{ObjectMeta: c.convertMeta(&pod.Meta)}
	real.Spec = v1.PodSpec{
		Hostname: pod.Hostname, Subdomain: pod.Subdomain, NodeName: pod.Node,
		Containers: containers(pod.Template), Volumes: volumes(pod.Volumes),
	}
	real.Status.Phase, real.Status.Reason = v1.PodPhase(pod.Phase.String()), pod.Reason
	ready := v1.PodCondition{Type: v1.PodReady, Status: v1.ConditionFalse}
	if pod.Ready {
		ready.Status = v1.ConditionTrue
	}
	ready.LastTransitionTime = metav1.Time{Time: c.timeOf(pod.ReadySince)}
	real.Status.Conditions = []v1.PodCondition{ready}
	return real
}

func containers(t *model.Template) []v1.Container {
	var list []v1.Container
	for _, container := range t.Containers {
		list = append(list, v1.Container{Name: container.Name, Image: container.Image})
	}
	return list
}

func volumes(from []model.Volume) []v1.Volume {
	var list []v1.Volume
	for _, volume := range from {
		real := v1.Volume{Name: volume.Name}
		if volume.Claim != "" {
			real.PersistentVolumeClaim = &v1.PersistentVolumeClaimVolumeSource{ClaimName: volume.Claim}
		}
		list = append(list, real)
	}
	return list
}

func (c *Controller) claimOf(claim *model.Claim) *v1.PersistentVolumeClaim {
	return &v1.PersistentVolumeClaim{ObjectMeta: c.convertMeta(&claim.Meta)}
}

func (c *Controller) revisionOf(revision *model.Revision) *apps.ControllerRevision {
	patch := patchBefore + strings.TrimPrefix(sorted(revision.Template.Data), "{") + patchAfter
	if revision.SetName != "" {
		patch = fmt.Sprintf(`{"metadata":{"name":%q},%s`, revision.SetName, patch[1:])
	}
	return &apps.ControllerRevision{
		ObjectMeta: c.convertMeta(&revision.Meta), Revision: revision.Number,
		Data: runtime.RawExtension{Raw: []byte(patch)},
	}
}

// A revision holds its template as a patch that replaces the set's.
const (
	patchBefore = `{"spec":{"template":{"$patch":"replace",`
	patchAfter  = `}}`
)

// sorted returns a template's data with its keys in order, as Kubernetes writes them into a revision.
func sorted(data string) string {
	var tree any
	if err := json.Unmarshal([]byte(data), &tree); err != nil {
		panic(fmt.Sprintf("template %s: %v", data, err))
	}
	text, err := json.Marshal(tree)
	if err != nil {
		panic(err)
	}
	return string(text)
}

func templateData(raw []byte) string {
	data, isPatch := strings.CutPrefix(string(raw), patchBefore)
	if !isPatch {
		panic("a revision that holds no template: " + string(raw))
	}
	return "{" + strings.TrimSuffix(data, patchAfter)
}

func (c *Controller) setOf(set *model.StatefulSet) *apps.StatefulSet {
	spec := &set.Spec
	replicas, limit, collisions := spec.Replicas, spec.RevisionHistoryLimit, set.Status.CollisionCount
	real := &apps.StatefulSet{ObjectMeta: c.convertMeta(&set.Meta)}
	real.Spec = apps.StatefulSetSpec{
		Replicas: &replicas, RevisionHistoryLimit: &limit, ServiceName: spec.ServiceName,
		Selector:            selectorOf(&spec.Selector),
		PodManagementPolicy: apps.PodManagementPolicyType(spec.PodManagement.String()),
		Template:            podTemplate(spec.Template),
		UpdateStrategy:      strategyOf(&spec.Strategy),
	}
	for _, template := range spec.ClaimTemplates {
		real.Spec.VolumeClaimTemplates = append(real.Spec.VolumeClaimTemplates, v1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Name: template.Name, Labels: template.Labels, Annotations: template.Annotations},
		})
	}
	if spec.MinReadySeconds != 0 {
		setField(&real.Spec, "MinReadySeconds", spec.MinReadySeconds)
	}
	if spec.Ordinals != nil {
		setField(newField(&real.Spec, "Ordinals"), "Start", spec.Ordinals.Start)
	}
	if spec.Retention != nil {
		policy := newField(&real.Spec, "PersistentVolumeClaimRetentionPolicy")
		setText(policy, "WhenDeleted", retained(spec.Retention.DeleteWithSet))
		setText(policy, "WhenScaled", retained(spec.Retention.DeleteWhenScaled))
	}
	real.Status = statusOf(&set.Status)
	real.Status.CollisionCount = &collisions
	return real
}

// podTemplate reads a template from its data, which has more than the model knows of.
func podTemplate(t *model.Template) v1.PodTemplateSpec {
	var real v1.PodTemplateSpec
	if err := json.Unmarshal([]byte(t.Data), &real); err != nil {
		panic(fmt.Sprintf("template %s: %v", t.Data, err))
	}
	return real
}

func selectorOf(s *model.Selector) *metav1.LabelSelector {
	real := &metav1.LabelSelector{}
	if err := json.Unmarshal([]byte(s.Data), real); err != nil {
		panic(fmt.Sprintf("selector %s: %v", s.Data, err))
	}
	return real
}

func strategyOf(strategy *model.Strategy) apps.StatefulSetUpdateStrategy {
	real := apps.StatefulSetUpdateStrategy{Type: apps.StatefulSetUpdateStrategyType(strategy.Type.String())}
	if block := strategy.RollingUpdate; block != nil {
		partition := block.Partition
		real.RollingUpdate = &apps.RollingUpdateStatefulSetStrategy{Partition: &partition}
		if block.MaxUnavailable != nil {
			value := intstr.Parse(block.MaxUnavailable.String())
			setField(real.RollingUpdate, "MaxUnavailable", &value)
		}
	}
	return real
}

func statusOf(s *model.Status) apps.StatefulSetStatus {
	real := apps.StatefulSetStatus{
		ObservedGeneration: s.ObservedGeneration,
		Replicas:           s.Replicas, ReadyReplicas: s.Ready, CurrentReplicas: s.Current, UpdatedReplicas: s.Updated,
		CurrentRevision: s.CurrentRevision, UpdateRevision: s.UpdateRevision,
	}
	if s.Available != 0 {
		setField(&real, "AvailableReplicas", s.Available)
	}
	for _, condition := range s.Conditions {
		status := v1.ConditionFalse
		if condition.True {
			status = v1.ConditionTrue
		}
		real.Conditions = append(real.Conditions, apps.StatefulSetCondition{
			Type: apps.StatefulSetConditionType(condition.Type), Status: status,
			Reason: condition.Reason, Message: condition.Message,
		})
	}
	return real
}

// setField sets a field that not every version has. Where the version does not have it, nothing is set: its API
// server would drop it.
func setField(object any, name string, value any) {
	if field := reflect.ValueOf(object).Elem().FieldByName(name); field.IsValid() {
		field.Set(reflect.ValueOf(value))
	}
}

// newField sets a field that not every version has to a new object, and returns that.
func newField(object any, name string) any {
	field := reflect.ValueOf(object).Elem().FieldByName(name)
	field.Set(reflect.New(field.Type().Elem()))
	return field.Interface()
}

// setText sets a field whose type is a string of some name.
func setText(object any, name, value string) {
	reflect.ValueOf(object).Elem().FieldByName(name).SetString(value)
}

func retained(deleted bool) string {
	if deleted {
		return "Delete"
	}
	return "Retain"
}

// modelStatus reads a status back.
func modelStatus(real *apps.StatefulSetStatus) model.Status {
	s := model.Status{
		ObservedGeneration: real.ObservedGeneration,
		Replicas:           real.Replicas, Ready: real.ReadyReplicas,
		Current: real.CurrentReplicas, Updated: real.UpdatedReplicas,
		CurrentRevision: real.CurrentRevision, UpdateRevision: real.UpdateRevision,
	}
	if real.CollisionCount != nil {
		s.CollisionCount = *real.CollisionCount
	}
	if field := reflect.ValueOf(real).Elem().FieldByName("AvailableReplicas"); field.IsValid() {
		s.Available = int32(field.Int())
	}
	for _, condition := range real.Conditions {
		s.Conditions = append(s.Conditions, model.Condition{
			Type: string(condition.Type), True: condition.Status == v1.ConditionTrue,
			Reason: condition.Reason, Message: condition.Message,
		})
	}
	return s
}

// modelMeta reads back what a controller decides of an object's metadata.
func modelMeta(real *metav1.ObjectMeta) model.Meta {
	meta := model.Meta{
		Namespace: real.Namespace, Name: real.Name, UID: uidOf(real.UID), Labels: real.Labels, Annotations: real.Annotations,
	}
	if real.ResourceVersion != "" {
		version, err := strconv.ParseUint(real.ResourceVersion, 10, 64)
		if err != nil {
			panic(err)
		}
		meta.ResourceVersion = version
	}
	for i := range real.OwnerReferences {
		meta.Owners = append(meta.Owners, modelOwner(&real.OwnerReferences[i]))
	}
	return meta
}

func modelOwner(owner *metav1.OwnerReference) model.Owner {
	return model.Owner{
		Kind: kindOf(owner.Kind), Name: owner.Name, UID: uidOf(owner.UID),
		Controller: owner.Controller != nil && *owner.Controller,
	}
}

func uidOf(uid types.UID) model.UID {
	if uid == "" {
		return 0
	}
	number, err := strconv.ParseUint(strings.TrimPrefix(string(uid), "uid-"), 10, 64)
	if err != nil {
		panic(fmt.Sprintf("uid %q: %v", uid, err))
	}
	return model.UID(number)
}

func kindOf(name string) model.Kind {
	for kind := range apiVersions {
		if kindName(kind) == name {
			return kind
		}
	}
	panic("unknown kind " + name)
}

func modelVolumes(real []v1.Volume) []model.Volume {
	var list []model.Volume
	for i := range real {
		volume := model.Volume{Name: real[i].Name}
		if claim := real[i].PersistentVolumeClaim; claim != nil {
			volume.Claim = claim.ClaimName
		}
		list = append(list, volume)
	}
	return list
}
