package manifest

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Validate returns what the API server of every version refuses in a defaulted StatefulSet, in its words. What only
// some versions refuse is left to the simulated API server.
func Validate(set *appsv1.StatefulSet) field.ErrorList {
	errs := validateMeta(&set.ObjectMeta)
	spec, path := &set.Spec, field.NewPath("spec")
	errs = append(errs, validatePolicies(spec, path)...)
	errs = append(errs, nonNegative(int64(*spec.Replicas), path.Child("replicas"))...)
	errs = append(errs, nonNegative(int64(spec.MinReadySeconds), path.Child("minReadySeconds"))...)
	if spec.Ordinals != nil {
		errs = append(errs, nonNegative(int64(spec.Ordinals.Start), path.Child("ordinals", "start"))...)
	}
	errs = append(errs, validateSelector(spec, path)...)
	for i := range spec.VolumeClaimTemplates {
		errs = append(errs, validateClaim(&spec.VolumeClaimTemplates[i], path.Child("volumeClaimTemplates").Index(i))...)
	}
	return append(errs, validateTemplate(spec, path.Child("template"))...)
}

// seen are the fields that the simulated API server looks at by itself, in the words of its version.
var seen = []string{"spec.replicas", "spec.minReadySeconds", "spec.ordinals.start", "spec.selector",
	"spec.updateStrategy.rollingUpdate", "spec.updateStrategy.rollingUpdate.partition", "spec.template.metadata.labels"}

func allSeen(errs field.ErrorList) bool {
	return !slices.ContainsFunc(errs, func(err *field.Error) bool { return !slices.Contains(seen, err.Field) })
}

func validateMeta(meta *metav1.ObjectMeta) field.ErrorList {
	path := field.NewPath("metadata")
	errs := field.ErrorList{}
	if meta.Name == "" {
		errs = append(errs, field.Required(path.Child("name"), "name or generateName is required"))
	}
	// Old versions let a name have dots. What even they refuse is said as new ones say it.
	if meta.Name != "" && len(apivalidation.NameIsDNSSubdomain(meta.Name, false)) > 0 {
		errs = append(errs, invalidBecause(path.Child("name"), meta.Name, apivalidation.NameIsDNSLabel(meta.Name, false))...)
	}
	if meta.Namespace != "" {
		reasons := apivalidation.ValidateNamespaceName(meta.Namespace, false)
		errs = append(errs, invalidBecause(path.Child("namespace"), meta.Namespace, reasons)...)
	}
	errs = append(errs, metavalidation.ValidateLabels(meta.Labels, path.Child("labels"))...)
	return append(errs, apivalidation.ValidateAnnotations(meta.Annotations, path.Child("annotations"))...)
}

// invalidBecause makes an error of each reason.
func invalidBecause(path *field.Path, value string, reasons []string) field.ErrorList {
	var errs field.ErrorList
	for _, reason := range reasons {
		errs = append(errs, field.Invalid(path, value, reason))
	}
	return errs
}

func nonNegative(value int64, path *field.Path) field.ErrorList {
	return apivalidation.ValidateNonnegativeField(value, path)
}

func validatePolicies(spec *appsv1.StatefulSetSpec, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	policies := []appsv1.PodManagementPolicyType{appsv1.OrderedReadyPodManagement, appsv1.ParallelPodManagement}
	if !slices.Contains(policies, spec.PodManagementPolicy) {
		errs = append(errs, field.Invalid(path.Child("podManagementPolicy"), spec.PodManagementPolicy,
			fmt.Sprintf("must be '%s' or '%s'", policies[0], policies[1])))
	}
	errs = append(errs, validateStrategy(&spec.UpdateStrategy, path.Child("updateStrategy"))...)
	if policy := spec.PersistentVolumeClaimRetentionPolicy; policy != nil {
		path := path.Child("persistentVolumeClaimRetentionPolicy")
		errs = append(errs, validateRetention(policy.WhenDeleted, path.Child("whenDeleted"))...)
		errs = append(errs, validateRetention(policy.WhenScaled, path.Child("whenScaled"))...)
	}
	return errs
}

func validateRetention(policy appsv1.PersistentVolumeClaimRetentionPolicyType, path *field.Path) field.ErrorList {
	allowed := []appsv1.PersistentVolumeClaimRetentionPolicyType{
		appsv1.RetainPersistentVolumeClaimRetentionPolicyType, appsv1.DeletePersistentVolumeClaimRetentionPolicyType,
	}
	if policy == "" || slices.Contains(allowed, policy) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, policy, allowed)}
}

func validateStrategy(strategy *appsv1.StatefulSetUpdateStrategy, path *field.Path) field.ErrorList {
	if _, known := strategyTypes[strategy.Type]; !known {
		return field.ErrorList{field.Invalid(path, printStrategy(strategy), fmt.Sprintf("must be '%s' or '%s'",
			appsv1.RollingUpdateStatefulSetStrategyType, appsv1.OnDeleteStatefulSetStrategyType))}
	}
	block := strategy.RollingUpdate
	if block == nil {
		return nil
	}
	path = path.Child("rollingUpdate")
	if strategy.Type != appsv1.RollingUpdateStatefulSetStrategyType {
		return field.ErrorList{field.Invalid(path, printBlock(block),
			fmt.Sprintf("only allowed for updateStrategy '%s'", appsv1.RollingUpdateStatefulSetStrategyType))}
	}
	var errs field.ErrorList
	if block.Partition != nil {
		errs = nonNegative(int64(*block.Partition), path.Child("partition"))
	}
	if v := block.MaxUnavailable; v != nil && v.Type == intstr.String {
		errs = append(errs, invalidBecause(path.Child("maxUnavailable"), v.StrVal, validation.IsValidPercent(v.StrVal))...)
	}
	return errs
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

func printStrategy(strategy *appsv1.StatefulSetUpdateStrategy) strategyValue {
	return strategyValue{strategy.Type, printBlock(strategy.RollingUpdate)}
}

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

func validateSelector(spec *appsv1.StatefulSetSpec, path *field.Path) field.ErrorList {
	at := path.Child("selector")
	var errs field.ErrorList
	if spec.Selector == nil {
		errs = append(errs, field.Required(at, ""))
	} else {
		errs = metavalidation.ValidateLabelSelector(spec.Selector, metavalidation.LabelSelectorValidationOptions{}, at)
		if len(spec.Selector.MatchLabels)+len(spec.Selector.MatchExpressions) == 0 {
			errs = append(errs, field.Invalid(at, spec.Selector, "empty selector is invalid for statefulset"))
		}
	}
	selector, err := metav1.LabelSelectorAsSelector(spec.Selector)
	switch {
	case err != nil:
		errs = append(errs, field.Invalid(at, spec.Selector, ""))
	case !selector.Empty() && !selector.Matches(labels.Set(spec.Template.Labels)):
		errs = append(errs, field.Invalid(path.Child("template", "metadata", "labels"), spec.Template.Labels,
			"`selector` does not match template `labels`"))
	}
	return errs
}

func validateClaim(claim *corev1.PersistentVolumeClaim, path *field.Path) field.ErrorList {
	if claim.Name == "" {
		return field.ErrorList{field.Required(path.Child("metadata", "name"), "")}
	}
	return nil
}

// invalid words a refusal as the API server does.
func invalid(name string, errs field.ErrorList) *model.APIError {
	status := apierrors.NewInvalid(appsv1.SchemeGroupVersion.WithKind("StatefulSet").GroupKind(), name, errs)
	return &model.APIError{Reason: model.Invalid, Message: status.Error()}
}

// Check notes as problems what every version refuses in the manifest.
func (s *Set) Check(r *strict.Reader) {
	object := s.Object.DeepCopy()
	Default(object)
	inFile := strict.Reader{File: s.File}
	for _, err := range Validate(object) {
		inFile.Problem(s.at(err.Field), err.Error(), "no version of Kubernetes accepts this")
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

// checkValues notes as problems the values that every version refuses whatever stands beside them.
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
