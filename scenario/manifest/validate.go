package manifest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Validate returns what the API server of every version refuses in a defaulted StatefulSet, in its words and its
// order. It refuses a pod template that makes no valid pod from 1.34 on; before, the set is accepted, and each of
// its pods is refused. Rules of only some versions are left to the simulated API server.
func Validate(set *appsv1.StatefulSet) field.ErrorList {
	f := find(set)
	var pods field.ErrorList
	if len(f.selector) == 0 {
		pods = wrongPods(set)
	}
	return f.with(pods)
}

// with returns all mistakes in the order of the API server, with the mistakes of the pods in their place.
func (f *findings) with(pods field.ErrorList) field.ErrorList {
	return slices.Concat(f.meta, f.policy, f.strategy, f.rolling, f.retention, f.numbers, f.selector, f.match, f.labels,
		pods, f.rest)
}

// wrongPods returns what is wrong with the pods of a defaulted StatefulSet.
func wrongPods(set *appsv1.StatefulSet) field.ErrorList {
	return validatePods(&set.Spec, field.NewPath("spec", "template", "spec"), podspec.Validate)
}

// findings are the mistakes in a set, by the parts that the simulated API server puts together in the order of its
// version. It finds those in rolling, numbers and match by itself, from the model.
type findings struct {
	meta, policy, strategy, rolling, retention, numbers, selector, match, labels, rest field.ErrorList
	// metaBefore is meta in the words of the versions before 1.37.
	metaBefore field.ErrorList
}

// find looks for all mistakes. The defaults must be filled in. It does not change the set.
func find(set *appsv1.StatefulSet) *findings {
	spec, path := &set.Spec, field.NewPath("spec")
	f := &findings{meta: validateMeta(&set.ObjectMeta, false), policy: validatePolicy(spec, path)}
	if len(set.OwnerReferences) > 0 {
		f.metaBefore = validateMeta(&set.ObjectMeta, true)
	}
	f.strategy, f.rolling = validateStrategy(&spec.UpdateStrategy, path.Child("updateStrategy"))
	f.retention = validateRetentions(spec.PersistentVolumeClaimRetentionPolicy,
		path.Child("persistentVolumeClaimRetentionPolicy"))
	f.numbers = append(nonNegative(int64(*spec.Replicas), path.Child("replicas")),
		nonNegative(int64(spec.MinReadySeconds), path.Child("minReadySeconds"))...)
	if spec.Ordinals != nil {
		f.numbers = append(f.numbers, nonNegative(int64(spec.Ordinals.Start), path.Child("ordinals", "start"))...)
	}
	f.selector, f.match = validateSelector(spec, path)
	template := path.Child("template")
	if len(f.selector) == 0 {
		// If a selector cannot be read, the template is not checked.
		f.labels = append(metavalidation.ValidateLabels(spec.Template.Labels, template.Child("labels")),
			apivalidation.ValidateAnnotations(spec.Template.Annotations, template.Child("annotations"))...)
	}
	f.rest = validateRest(&spec.Template.Spec, template.Child("spec"))
	return f
}

// wrong returns the mistakes that the simulated API server cannot find by itself, or nil. If the selector is wrong,
// the model's selector says nothing, so whether it matches is decided here too.
func (f *findings) wrong() *model.Wrong {
	w := &model.Wrong{
		Meta: texts(f.meta), Policy: texts(f.policy), Strategy: texts(f.strategy), Retention: texts(f.retention),
		Selector: texts(f.selector), Labels: texts(f.labels), Rest: texts(f.rest),
	}
	if len(f.selector) > 0 {
		w.Selector = append(w.Selector, texts(f.match)...)
	}
	w.MetaBefore = texts(f.metaBefore)
	w.Printed = printed(slices.Concat(f.meta, f.metaBefore, f.strategy, f.selector, f.match))
	if len(slices.Concat(f.meta, f.policy, f.strategy, f.retention, f.selector, f.labels, f.rest)) == 0 {
		return nil
	}
	return w
}

// texts returns the words of errors.
func texts(errs field.ErrorList) []string {
	var list []string
	for _, err := range errs {
		list = append(list, err.Error())
	}
	return list
}

// validateMeta checks the metadata. Whether a name may have dots depends on the version and is left out. before has the
// words of the versions before 1.37.
func validateMeta(meta *metav1.ObjectMeta, before bool) field.ErrorList {
	path := field.NewPath("metadata")
	errs := field.ErrorList{}
	if meta.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), "name or generateName is required"))
	}
	// Old versions let a name have dots. A name that even they refuse gets the words of new ones.
	if meta.Name != "" && len(apivalidation.NameIsDNSSubdomain(meta.Name, false)) > 0 {
		errs = append(errs, invalidBecause(path.Child("name"), meta.Name, apivalidation.NameIsDNSLabel(meta.Name, false))...)
	}
	if meta.Namespace != "" {
		reasons := apivalidation.ValidateNamespaceName(meta.Namespace, false)
		errs = append(errs, invalidBecause(path.Child("namespace"), meta.Namespace, reasons)...)
	}
	errs = append(errs, validateMarks(meta)...)
	errs = append(errs, validateOwners(meta.OwnerReferences, path.Child("ownerReferences"), before)...)
	return append(errs, validateFinalizers(meta.Finalizers, path.Child("finalizers"))...)
}

// invalidBecause makes an error of each reason.
func invalidBecause(path *field.Path, value string, reasons []string) field.ErrorList {
	var errs field.ErrorList
	for _, reason := range reasons {
		errs = append(errs, field.Invalid(path, value, reason))
	}
	return errs
}

// nonNegative refuses a number below 0.
func nonNegative(value int64, path *field.Path) field.ErrorList {
	return apivalidation.ValidateNonnegativeField(value, path)
}

// validatePolicy checks podManagementPolicy, which has its default by now.
func validatePolicy(spec *appsv1.StatefulSetSpec, path *field.Path) field.ErrorList {
	policies := []appsv1.PodManagementPolicyType{appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement}
	if slices.Contains(policies, spec.PodManagementPolicy) {
		return nil
	}
	return field.ErrorList{field.Invalid(path.Child("podManagementPolicy"), spec.PodManagementPolicy,
		fmt.Sprintf("must be '%s' or '%s'", policies[0], policies[1]))}
}

// claimPolicy is a short name for the type of the API.
type claimPolicy = appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy

// validateRetentions checks both halves of the retention policy; "" is a half that is not given.
func validateRetentions(policy *claimPolicy, path *field.Path) field.ErrorList {
	if policy == nil {
		return nil
	}
	errs := validateRetention(policy.WhenDeleted, path.Child("whenDeleted"))
	return append(errs, validateRetention(policy.WhenScaled, path.Child("whenScaled"))...)
}

// validateRetention checks a half of the retention policy.
func validateRetention(policy appsv1.PersistentVolumeClaimRetentionPolicyType, path *field.Path) field.ErrorList {
	allowed := []appsv1.PersistentVolumeClaimRetentionPolicyType{
		appsv1.RetainPersistentVolumeClaimRetentionPolicyType, appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
	}
	if policy == "" || slices.Contains(allowed, policy) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, policy, allowed)}
}

// validateStrategy returns what is wrong with the type, and what is wrong with the block. Types that only new versions
// have are not wrong here, and nor is any maxUnavailable: a version whose feature gate is off drops it unseen.
func validateStrategy(strategy *appsv1.StatefulSetUpdateStrategy, path *field.Path) (kind, rolling field.ErrorList) {
	if _, known := strategyTypes[strategy.Type]; !known {
		return field.ErrorList{field.Invalid(path, printStrategy(strategy), fmt.Sprintf("must be '%s' or '%s'",
			appsv1.RollingUpdateStatefulSetStrategyType, appsv1.OnDeleteStatefulSetStrategyType))}, nil
	}
	block := strategy.RollingUpdate
	if block == nil {
		return nil, nil
	}
	path = path.Child("rollingUpdate")
	if strategy.Type != appsv1.RollingUpdateStatefulSetStrategyType {
		return nil, field.ErrorList{field.Invalid(path, printBlock(block),
			fmt.Sprintf("only allowed for updateStrategy '%s'", appsv1.RollingUpdateStatefulSetStrategyType))}
	}
	if block.Partition != nil {
		rolling = nonNegative(int64(*block.Partition), path.Child("partition"))
	}
	return nil, rolling
}

// strategyValue and blockValue are printed as the API server prints its own types in a refusal.
type strategyValue struct {
	Type          appsv1.StatefulSetUpdateStrategyType
	RollingUpdate *blockValue
}

type blockValue struct {
	Partition      int32
	MaxUnavailable *intstr.IntOrString
}

// printStrategy and printBlock return the values to print; nil is a block that is not given.
func printStrategy(strategy *appsv1.StatefulSetUpdateStrategy) strategyValue {
	return strategyValue{strategy.Type, printBlock(strategy.RollingUpdate)}
}

// printBlock is nil for nil. A partition that is not given is 0, as in the API server's own type.
func printBlock(block *appsv1.RollingUpdateStatefulSetStrategy) *blockValue {
	if block == nil {
		return nil
	}
	value := &blockValue{MaxUnavailable: block.MaxUnavailable}
	if block.Partition != nil {
		value.Partition = *block.Partition
	}
	return value
}

// validateSelector returns what is wrong with a selector: it is missing, empty, wrong, or does not match the template.
func validateSelector(spec *appsv1.StatefulSetSpec, path *field.Path) (bad, match field.ErrorList) {
	at := path.Child("selector")
	if spec.Selector == nil {
		match = append(match, field.Required(at, ""))
	} else {
		bad = metavalidation.ValidateLabelSelector(spec.Selector, metavalidation.LabelSelectorValidationOptions{}, at)
		if len(spec.Selector.MatchLabels)+len(spec.Selector.MatchExpressions) == 0 {
			match = append(match, field.Invalid(at, spec.Selector, "empty selector is invalid for statefulset"))
		}
	}
	selector, err := metav1.LabelSelectorAsSelector(spec.Selector)
	switch {
	case err != nil:
		bad = append(bad, field.Invalid(at, spec.Selector, ""))
	case !selector.Empty() && !selector.Matches(labels.Set(spec.Template.Labels)):
		match = append(match, field.Invalid(path.Child("template", "metadata", "labels"), spec.Template.Labels,
			"`selector` does not match template `labels`"))
	}
	return bad, match
}

// podRules validate the spec of a pod.
type podRules func(*corev1.PodSpec, *field.Path) field.ErrorList

// validatePods returns what is wrong with the pods that a set would create. The claims of its templates come before
// the volumes of the pod template, and replace the ones with the same names, as in the controller. Two templates
// with one name make one volume.
func validatePods(spec *appsv1.StatefulSetSpec, path *field.Path, rules podRules) field.ErrorList {
	pod := spec.Template.Spec.DeepCopy()
	if len(spec.VolumeClaimTemplates) > 0 {
		var volumes []corev1.Volume
		for i := range spec.VolumeClaimTemplates {
			name := spec.VolumeClaimTemplates[i].Name
			if slices.ContainsFunc(volumes, func(v corev1.Volume) bool { return v.Name == name }) {
				continue
			}
			claim := &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}
			volumes = append(volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: claim}})
		}
		for _, volume := range pod.Volumes {
			if !ofTemplate(spec, volume.Name) {
				volumes = append(volumes, volume)
			}
		}
		pod.Volumes = volumes
	}
	return rules(pod, path)
}

// ofTemplate reports whether a volume is replaced by the volume of a claim template.
func ofTemplate(spec *appsv1.StatefulSetSpec, volume string) bool {
	same := func(claim corev1.PersistentVolumeClaim) bool { return claim.Name == volume }
	return slices.ContainsFunc(spec.VolumeClaimTemplates, same)
}

// validateRest returns a StatefulSet's objections to a pod spec that is valid for a pod.
func validateRest(pod *corev1.PodSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if pod.RestartPolicy != corev1.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(path.Child("restartPolicy"), pod.RestartPolicy,
			[]corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	if pod.ActiveDeadlineSeconds != nil {
		errs = append(errs, field.Forbidden(path.Child("activeDeadlineSeconds"),
			"activeDeadlineSeconds in StatefulSet is not Supported"))
	}
	return errs
}

// Check notes as problems what every version refuses in the manifest, each at its place in the manifest's file.
func (s *Set) Check(r *strict.Reader) {
	object := s.Object.DeepCopy()
	Default(object)
	s.note(r, find(object).with(nil), "no version of Kubernetes accepts this")
}

// CheckPods notes as problems what is wrong with the pods of the manifest. Versions before 1.34 create the set, and
// then refuse each of its pods.
func (s *Set) CheckPods(r *strict.Reader) {
	object := s.Object.DeepCopy()
	Default(object)
	if f := find(object); len(f.selector) == 0 {
		s.note(r, wrongPods(object), "Kubernetes refuses such a set from 1.34 on; before, it refuses each of its pods")
	}
}

// note notes mistakes at their places in the file of the manifest.
func (s *Set) note(r *strict.Reader, errs field.ErrorList, want string) {
	inFile := strict.Reader{File: s.File}
	for _, err := range errs {
		inFile.Problem(s.at(err.Field), err.Error(), want)
	}
	r.Problems = append(r.Problems, inFile.Problems...)
}

// CheckLimits notes as a problem that the manifest asks for more replicas than the limit.
func (s *Set) CheckLimits(r *strict.Reader) {
	if s.Object.Spec.Replicas != nil {
		inFile := strict.Reader{File: s.File, Limits: r.Limits}
		checkReplicas(&inFile, s.at("spec.replicas"), *s.Object.Spec.Replicas)
		r.Problems = append(r.Problems, inFile.Problems...)
	}
}

// checkValues notes as problems the values that every version refuses, whatever the other fields are. It is for an
// object that was read in part: errors that follow from a missing field are left out.
func (s *Set) checkValues(r *strict.Reader) {
	Default(s.Object)
	for _, err := range Validate(s.Object) {
		n := s.nodes[strings.TrimPrefix(err.Field, s.prefix)]
		alone := err.Type == field.ErrorTypeInvalid || err.Type == field.ErrorTypeNotSupported
		if n != nil && alone && !strings.HasSuffix(err.Field, "labels") {
			r.Problem(n, err.Error(), "no version of Kubernetes accepts this")
		}
	}
}

// LabelZone is the label of a node that names its zone.
const LabelZone = corev1.LabelTopologyZone

// WrongLabel says what is wrong with a label, "" if nothing is. The words are the API server's.
func WrongLabel(key, value string) string {
	return strings.Join(append(validation.IsQualifiedName(key), validation.IsValidLabelValue(value)...), "; ")
}

// WrongQuantity says what is wrong with the quantity of a resource, "" if nothing is.
func WrongQuantity(text string) string {
	quantity, err := resource.ParseQuantity(text)
	if err != nil || quantity.Sign() < 0 {
		return "write a quantity like 4, 500m or 16Gi"
	}
	return ""
}

// WrongTaint says what is wrong with a taint, "" if nothing is; it has a label's syntax and one of three effects.
func WrongTaint(key, value, effect string) string {
	switch corev1.TaintEffect(effect) {
	case corev1.TaintEffectNoSchedule, corev1.TaintEffectPreferNoSchedule, corev1.TaintEffectNoExecute:
		return WrongLabel(key, value)
	}
	return "write it like key=value:NoSchedule; the effects are NoSchedule, PreferNoSchedule and NoExecute"
}

// tolerated returns how long pods with these tolerations stay on a node with a taint of this key and the effect
// NoExecute: the shortest time of those that match, or model.Forever. nil means that none matches; then the admission
// plugin DefaultTolerationSeconds adds one.
func tolerated(tolerations []corev1.Toleration, key string) *time.Duration {
	var stays *time.Duration
	for i := range tolerations {
		t := &tolerations[i]
		keyFits := t.Key == key || t.Key == "" && t.Operator == corev1.TolerationOpExists
		valueFits := t.Operator == corev1.TolerationOpExists || t.Value == ""
		if !keyFits || !valueFits || t.Effect != "" && t.Effect != corev1.TaintEffectNoExecute {
			continue
		}
		d := model.Forever
		if t.TolerationSeconds != nil {
			d = model.Seconds(*t.TolerationSeconds)
		}
		if stays == nil || *stays == model.Forever || d != model.Forever && d < *stays {
			stays = &d
		}
	}
	return stays
}
