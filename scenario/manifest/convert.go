package manifest

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/kube"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
	"github.com/statefulsim/statefulsim/scenario/placement"
)

// Model converts a StatefulSet into the model's. It works on a copy and fills in the defaults that do not depend on
// a version. It never fails: mistakes are in Spec.Wrong and Template.Wrong, for the simulated API server to refuse,
// which has the words of its version and their order.
func Model(object *appsv1.StatefulSet) *model.StatefulSet {
	object = object.DeepCopy()
	Default(object)
	set := modelSet(object)
	set.Spec.Wrong = find(object).wrong()
	t, path := set.Spec.Template, field.NewPath("spec")
	if t.Wrong = texts(validatePods(&object.Spec, path, podspec.Validate)); len(t.Wrong) > 0 {
		t.WrongBefore = texts(validatePods(&object.Spec, path, podspec.ValidateBefore))
		if older, is := t.Older.(olderTemplates); is {
			older.addMistakes(&object.Spec, path)
		}
	}
	return set
}

// modelSet converts a StatefulSet that has its defaults and is assumed to be valid into the model's. The model
// keeps as fields what a controller reads, and the rest as JSON (Data); Object makes the API's object from that
// again. Maps and slices are shared with the object.
func modelSet(object *appsv1.StatefulSet) *model.StatefulSet {
	set := &model.StatefulSet{Meta: model.Meta{
		Namespace:   object.Namespace,
		Name:        object.Name,
		Labels:      object.Labels,
		Annotations: object.Annotations,
	}}
	spec := &object.Spec
	set.Spec = model.Spec{
		Replicas:             *spec.Replicas,
		Selector:             modelSelector(spec.Selector),
		Template:             modelTemplate(&spec.Template),
		ServiceName:          spec.ServiceName,
		Strategy:             modelStrategy(&spec.UpdateStrategy),
		RevisionHistoryLimit: *spec.RevisionHistoryLimit,
		MinReadySeconds:      spec.MinReadySeconds,
	}
	if spec.PodManagementPolicy == appsv1.ParallelPodManagement {
		set.Spec.PodManagement = model.Parallel
	}
	for i := range spec.VolumeClaimTemplates {
		set.Spec.ClaimTemplates = append(set.Spec.ClaimTemplates, modelClaim(&spec.VolumeClaimTemplates[i]))
	}
	if policy := spec.PersistentVolumeClaimRetentionPolicy; policy != nil {
		set.Spec.Retention = &model.Retention{
			DeleteWithSet:    policy.WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
			DeleteWhenScaled: policy.WhenScaled == appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
		}
	}
	if spec.Ordinals != nil {
		set.Spec.Ordinals = &model.Ordinals{Start: spec.Ordinals.Start}
	}
	return set
}

// modelSelector turns a selector into requirements, sorted by label; Data is the selector as it was given. A nil
// selector is the zero value.
func modelSelector(selector *metav1.LabelSelector) model.Selector {
	if selector == nil {
		return model.Selector{}
	}
	needs := []model.Requirement{}
	for _, label := range slices.Sorted(maps.Keys(selector.MatchLabels)) {
		values := []string{selector.MatchLabels[label]}
		needs = append(needs, model.Requirement{Label: label, Op: model.OpEquals, Values: values})
	}
	for _, e := range selector.MatchExpressions {
		needs = append(needs, model.Requirement{Label: e.Key, Op: selectorOps[e.Operator], Values: e.Values})
	}
	slices.SortStableFunc(needs, func(a, b model.Requirement) int { return cmp.Compare(a.Label, b.Label) })
	return model.Selector{Data: string(mustJSON(selector)), Needs: needs}
}

// selectorOps are the operators of the API. An unknown one is the zero value; validation refuses it.
var selectorOps = map[metav1.LabelSelectorOperator]model.SelectorOp{
	metav1.LabelSelectorOpIn:           model.OpIn,
	metav1.LabelSelectorOpNotIn:        model.OpNotIn,
	metav1.LabelSelectorOpExists:       model.OpExists,
	metav1.LabelSelectorOpDoesNotExist: model.OpDoesNotExist,
}

// modelTemplate turns a pod template with its defaults into the model's, without an ID: the simulator numbers
// templates. Two templates are the same if and only if their Data is.
func modelTemplate(template *corev1.PodTemplateSpec) *model.Template {
	t := plainTemplate(template)
	t.Older = olderOf(template, t)
	return t
}

// plainTemplate is modelTemplate without what older versions make of the template.
func plainTemplate(template *corev1.PodTemplateSpec) *model.Template {
	t := &model.Template{
		Data:   string(sortedJSON(template)),
		Labels: template.Labels,
		Grace:  grace(*template.Spec.TerminationGracePeriodSeconds),

		Unreachable: tolerated(template.Spec.Tolerations, corev1.TaintNodeUnreachable),
		NotReady:    tolerated(template.Spec.Tolerations, corev1.TaintNodeNotReady),
		Lifecycle:   modelLifecycle(&template.Spec),
		Constraints: placement.Of(template),
	}
	for _, c := range template.Spec.Containers {
		t.Containers = append(t.Containers, model.Container{Name: c.Name, Image: c.Image})
	}
	for _, v := range template.Spec.Volumes {
		volume := model.Volume{Name: v.Name}
		if v.PersistentVolumeClaim != nil {
			volume.Claim = v.PersistentVolumeClaim.ClaimName
		}
		t.Volumes = append(t.Volumes, volume)
	}
	return t
}

// grace returns a grace period. A negative one, which the API server of every version accepts, means one second.
func grace(seconds int64) time.Duration {
	if seconds < 0 {
		seconds = 1
	}
	return model.Seconds(seconds)
}

// modelStrategy turns the update strategy into the model's. A nil block stays nil, because the controller tells a
// missing block from an empty one. An unknown type is the zero value; validation refuses it.
func modelStrategy(strategy *appsv1.StatefulSetUpdateStrategy) model.Strategy {
	s := model.Strategy{Type: strategyTypes[strategy.Type]}
	if block := strategy.RollingUpdate; block != nil {
		s.RollingUpdate = &model.RollingUpdate{}
		if block.Partition != nil {
			s.RollingUpdate.Partition = *block.Partition
		}
		s.RollingUpdate.MaxUnavailable = modelMaxUnavailable(block.MaxUnavailable)
	}
	return s
}

// strategyTypes are the strategies of all versions; the API server refuses strategies that only other versions
// have.
var strategyTypes = map[appsv1.StatefulSetUpdateStrategyType]model.StrategyType{
	appsv1.RollingUpdateStatefulSetStrategyType: model.RollingUpdateStrategy,
	appsv1.OnDeleteStatefulSetStrategyType:      model.OnDeleteStrategy,
	// The types of the versions before 1.37 have no name for it.
	"Recreate": model.RecreateStrategy,
}

// modelMaxUnavailable converts a number or a percentage into the model's; nil stays nil. A text that is not a
// percentage is kept in Text, for the refusal.
func modelMaxUnavailable(value *intstr.IntOrString) *model.IntOrPercent {
	if value == nil {
		return nil
	}
	if value.Type == intstr.Int {
		return &model.IntOrPercent{Value: value.IntVal}
	}
	if len(validation.IsValidPercent(value.StrVal)) > 0 {
		return &model.IntOrPercent{Text: value.StrVal}
	}
	// A percentage too big for a number is as wrong as any other above 100.
	n, err := strconv.ParseInt(strings.TrimSuffix(value.StrVal, "%"), 10, 32)
	if err != nil {
		n = math.MaxInt32
	}
	return &model.IntOrPercent{Value: int32(n), Percent: true}
}

// modelClaim turns a claim template into the model's.
func modelClaim(claim *corev1.PersistentVolumeClaim) model.ClaimTemplate {
	return model.ClaimTemplate{
		Name:        claim.Name,
		Labels:      orNone(claim.Labels),
		Annotations: orNone(claim.Annotations),
		Data:        string(mustJSON(&claim.Spec)),
		Facts:       modelClaimFacts(claim),
	}
}

// orNone makes an empty map none: the API server does not keep it.
func orNone(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}

// modelClaimFacts returns the facts about a claim that the simulated API server and the reports need, read once.
func modelClaimFacts(claim *corev1.PersistentVolumeClaim) *model.ClaimFacts {
	spec := &claim.Spec
	facts := &model.ClaimFacts{Volume: spec.VolumeName, Shown: showClaim(claim), Wrong: wrongClaim(claim)}
	for _, mode := range spec.AccessModes {
		facts.AccessModes = append(facts.AccessModes, string(mode))
	}
	if size, given := spec.Resources.Requests[corev1.ResourceStorage]; given {
		facts.Storage = size.String()
	}
	if spec.VolumeAttributesClassName != nil {
		classless := *spec
		classless.VolumeAttributesClassName = nil
		facts.Classless = string(mustJSON(&classless))
	}
	return facts
}

// Object converts the model's StatefulSet into the API's, without its status. Nothing is shared with the model.
func Object(set *model.StatefulSet) *appsv1.StatefulSet {
	spec := &set.Spec
	object := &appsv1.StatefulSet{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "StatefulSet"},
		ObjectMeta: metav1.ObjectMeta{
			Namespace: set.Namespace, Name: set.Name, Labels: set.Labels, Annotations: set.Annotations,
		},
		Spec: appsv1.StatefulSetSpec{
			Replicas:             &spec.Replicas,
			ServiceName:          spec.ServiceName,
			PodManagementPolicy:  appsv1.PodManagementPolicyType(spec.PodManagement.String()),
			UpdateStrategy:       objectStrategy(&spec.Strategy),
			RevisionHistoryLimit: &spec.RevisionHistoryLimit,
			MinReadySeconds:      spec.MinReadySeconds,
		},
	}
	mustDecode(spec.Selector.Data, &object.Spec.Selector)
	for i := range spec.ClaimTemplates {
		object.Spec.VolumeClaimTemplates = append(object.Spec.VolumeClaimTemplates, objectClaim(&spec.ClaimTemplates[i]))
	}
	if r := spec.Retention; r != nil {
		object.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{
			WhenDeleted: retention(r.DeleteWithSet), WhenScaled: retention(r.DeleteWhenScaled),
		}
	}
	if spec.Ordinals != nil {
		object.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: spec.Ordinals.Start}
	}
	// Decoded values belong to the object; everything else is copied.
	object = object.DeepCopy()
	mustDecode(spec.Template.Data, &object.Spec.Template)
	return object
}

// retention returns a half of the retention policy in the API's words.
func retention(deletes bool) appsv1.PersistentVolumeClaimRetentionPolicyType {
	if deletes {
		return appsv1.DeletePersistentVolumeClaimRetentionPolicyType
	}
	return appsv1.RetainPersistentVolumeClaimRetentionPolicyType
}

// objectStrategy is the opposite of modelStrategy. A maxUnavailable of Text alone is lost: no accepted set has one.
func objectStrategy(strategy *model.Strategy) appsv1.StatefulSetUpdateStrategy {
	s := appsv1.StatefulSetUpdateStrategy{Type: appsv1.StatefulSetUpdateStrategyType(strategy.Type.String())}
	if block := strategy.RollingUpdate; block != nil {
		s.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: &block.Partition}
		if v := block.MaxUnavailable; v != nil {
			value := intstr.FromInt32(v.Value)
			if v.Percent {
				value = intstr.FromString(v.String())
			}
			s.RollingUpdate.MaxUnavailable = &value
		}
	}
	return s
}

// objectClaim is the opposite of modelClaim. The phase is the API server's default.
func objectClaim(claim *model.ClaimTemplate) corev1.PersistentVolumeClaim {
	c := corev1.PersistentVolumeClaim{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"},
		ObjectMeta: metav1.ObjectMeta{Name: claim.Name, Labels: claim.Labels, Annotations: claim.Annotations},
		Status:     corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending},
	}
	mustDecode(claim.Data, &c.Spec)
	return c
}

// mustJSON encodes a value of the API's types: fields are in the order of the types, and maps are sorted, so equal
// values give equal bytes. The model compares templates by these. It panics if it cannot encode the value.
func mustJSON(value any) []byte {
	data, err := kube.Marshal(value)
	if err != nil {
		panic("manifest: a decoded object cannot be encoded: " + err.Error())
	}
	return data
}

// sortedJSON is mustJSON with the fields in the order of their names, as the controller writes a template into a
// revision, whose name is a hash of that text.
func sortedJSON(value any) []byte {
	data, err := kube.MarshalSorted(value)
	if err != nil {
		panic("manifest: a decoded object cannot be encoded: " + err.Error())
	}
	return data
}

// mustDecode decodes what mustJSON has encoded, and panics if it cannot.
func mustDecode(data string, into any) {
	if err := kube.Unmarshal([]byte(data), into); err != nil {
		panic("manifest: the model's JSON cannot be decoded: " + err.Error() + ": " + data)
	}
}
