package builtin

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/robfig/cron/v3"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/validate/content"
	apivalidation "k8s.io/apimachinery/pkg/api/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/scenario/manifest/podspec"
)

// specPath is the path of the desired state.
var specPath = field.NewPath("spec")

// Validate returns what a real API server refuses in an object, apart from its metadata. old is the previous
// object, nil for a new one.
func Validate(typed, old any) field.ErrorList {
	switch o := typed.(type) {
	case *appsv1.Deployment:
		was, _ := old.(*appsv1.Deployment)
		return validateDeployment(o, was)
	case *appsv1.ReplicaSet:
		errs := natural(o.Spec.Replicas, specPath.Child("replicas"))
		errs = append(errs, natural(&o.Spec.MinReadySeconds, specPath.Child("minReadySeconds"))...)
		return append(errs, validateSelected(o.Spec.Selector, &o.Spec.Template, "deployment")...) // These are its words.
	case *appsv1.DaemonSet:
		return validateDaemonSet(o)
	case *batchv1.Job:
		was, _ := old.(*batchv1.Job)
		return validateJob(o, was)
	case *batchv1.CronJob:
		return validateCronJob(&o.Spec)
	case *autoscalingv2.HorizontalPodAutoscaler:
		return validateScaler(&o.Spec)
	case *networkingv1.Ingress:
		return validateIngress(&o.Spec)
	case *coordinationv1.Lease:
		return validateLease(&o.Spec)
	case *storagev1.StorageClass:
		was, _ := old.(*storagev1.StorageClass)
		return validateClass(o, was)
	case *schedulingv1.PriorityClass:
		was, _ := old.(*schedulingv1.PriorityClass)
		return validatePriority(o, was)
	case *appsv1.ControllerRevision:
		was, _ := old.(*appsv1.ControllerRevision)
		return validateRevision(o, was)
	}
	return validateAccess(typed, old)
}

// validateAccess is Validate for the kinds of RBAC.
func validateAccess(typed, old any) field.ErrorList {
	switch o := typed.(type) {
	case *rbacv1.Role:
		return validateRules(o.Rules, true)
	case *rbacv1.ClusterRole:
		return validateRules(o.Rules, false)
	case *rbacv1.RoleBinding:
		var was *rbacv1.RoleRef
		if before, is := old.(*rbacv1.RoleBinding); is {
			was = &before.RoleRef
		}
		return validateBinding(o.RoleRef, was, o.Subjects, []string{"Role", "ClusterRole"}, true)
	case *rbacv1.ClusterRoleBinding:
		var was *rbacv1.RoleRef
		if before, is := old.(*rbacv1.ClusterRoleBinding); is {
			was = &before.RoleRef
		}
		return validateBinding(o.RoleRef, was, o.Subjects, []string{"ClusterRole"}, false)
	}
	return nil
}

func validateDaemonSet(o *appsv1.DaemonSet) field.ErrorList {
	errs := validateSelected(o.Spec.Selector, &o.Spec.Template, "daemonset")
	errs = append(errs, natural(&o.Spec.MinReadySeconds, specPath.Child("minReadySeconds"))...)
	path, update := specPath.Child("updateStrategy"), &o.Spec.UpdateStrategy
	switch update.Type {
	case appsv1.OnDeleteDaemonSetStrategyType:
	case appsv1.RollingUpdateDaemonSetStrategyType:
		if r := update.RollingUpdate; r != nil && number(r.MaxUnavailable) == 0 && number(r.MaxSurge) == 0 {
			errs = append(errs, field.Required(path.Child("rollingUpdate", "maxUnavailable"), "cannot be 0 when maxSurge is 0"))
		}
	default:
		errs = append(errs, field.NotSupported(path, asInGo(*update),
			[]appsv1.DaemonSetUpdateStrategyType{appsv1.RollingUpdateDaemonSetStrategyType,
				appsv1.OnDeleteDaemonSetStrategyType}))
	}
	return errs
}

// natural refuses a number below 0.
func natural[T int32 | int64](n *T, path *field.Path) field.ErrorList {
	if n == nil {
		return nil
	}
	return apivalidation.ValidateNonnegativeField(int64(*n), path)
}

// unchanged refuses a changed value.
func unchanged(is, was any, path *field.Path) field.ErrorList {
	return apivalidation.ValidateImmutableField(is, was, path)
}

// unchangedUnshown is unchanged in the words of the validation that is declared with the types: it shows no value.
func unchangedUnshown(is, was any, path *field.Path) field.ErrorList {
	if equality.Semantic.DeepEqual(is, was) {
		return nil
	}
	return field.ErrorList{field.Invalid(path, nil, apivalidation.FieldImmutableErrorMsg)}
}

// validateTemplate returns what is wrong with a template of pods.
func validateTemplate(template *corev1.PodTemplateSpec, path *field.Path) field.ErrorList {
	errs := metavalidation.ValidateLabels(template.Labels, path.Child("metadata", "labels"))
	errs = append(errs, apivalidation.ValidateAnnotations(template.Annotations, path.Child("metadata", "annotations"))...)
	return append(errs, podspec.Validate(&template.Spec, path.Child("spec"))...)
}

// validateSelected returns what is wrong with a selector and the template of the pods that it should select.
func validateSelected(selector *metav1.LabelSelector, template *corev1.PodTemplateSpec, kind string) field.ErrorList {
	path, at := specPath.Child("selector"), specPath.Child("template")
	var errs field.ErrorList
	if selector == nil {
		errs = append(errs, field.Required(path, ""))
	} else {
		errs = metavalidation.ValidateLabelSelector(selector, metavalidation.LabelSelectorValidationOptions{}, path)
		if len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
			errs = append(errs, field.Invalid(path, selector, "empty selector is invalid for "+kind))
		}
	}
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return append(errs, field.Invalid(path, selector, "invalid label selector"))
	}
	if !parsed.Empty() && selector != nil && !parsed.Matches(labelSet(template.Labels)) {
		errs = append(errs, field.Invalid(at.Child("metadata", "labels"), template.Labels,
			"`selector` does not match template `labels`"))
	}
	errs = append(errs, validateTemplate(template, at)...)
	if policy := template.Spec.RestartPolicy; policy != corev1.RestartPolicyAlways {
		errs = append(errs, field.NotSupported(at.Child("spec", "restartPolicy"), policy,
			[]corev1.RestartPolicy{corev1.RestartPolicyAlways}))
	}
	return errs
}

// labelSet are labels that a selector is asked about.
type labelSet map[string]string

// Has, Get and Lookup make it labels.Labels.
func (l labelSet) Has(key string) bool { _, has := l[key]; return has }

// Get returns the value of a label.
func (l labelSet) Get(key string) string { return l[key] }

// Lookup returns the value of a label, and whether it is there.
func (l labelSet) Lookup(key string) (string, bool) { value, has := l[key]; return value, has }

func validateDeployment(o, old *appsv1.Deployment) field.ErrorList {
	spec := &o.Spec
	errs := natural(spec.Replicas, specPath.Child("replicas"))
	errs = append(errs, validateSelected(spec.Selector, &spec.Template, "deployment")...)
	errs = append(errs, validateStrategy(&spec.Strategy, specPath.Child("strategy"))...)
	errs = append(errs, natural(&spec.MinReadySeconds, specPath.Child("minReadySeconds"))...)
	errs = append(errs, natural(spec.RevisionHistoryLimit, specPath.Child("revisionHistoryLimit"))...)
	if deadline, path := spec.ProgressDeadlineSeconds, specPath.Child("progressDeadlineSeconds"); deadline != nil {
		errs = append(errs, natural(deadline, path)...)
		if *deadline <= spec.MinReadySeconds {
			errs = append(errs, field.Invalid(path, *deadline, "must be greater than minReadySeconds"))
		}
	}
	if old != nil {
		errs = append(errs, unchanged(spec.Selector, old.Spec.Selector, specPath.Child("selector"))...)
	}
	return errs
}

func validateStrategy(s *appsv1.DeploymentStrategy, path *field.Path) (errs field.ErrorList) {
	rolling := path.Child("rollingUpdate")
	switch update := s.RollingUpdate; s.Type {
	case appsv1.RecreateDeploymentStrategyType:
		if update != nil {
			errs = append(errs, field.Forbidden(rolling, "may not be specified when strategy `type` is 'Recreate'"))
		}
	case appsv1.RollingUpdateDeploymentStrategyType:
		errs = append(errs, amount(update.MaxUnavailable, rolling.Child("maxUnavailable"))...)
		errs = append(errs, amount(update.MaxSurge, rolling.Child("maxSurge"))...)
		if number(update.MaxUnavailable) == 0 && number(update.MaxSurge) == 0 {
			errs = append(errs, field.Invalid(rolling.Child("maxUnavailable"), update.MaxUnavailable,
				"may not be 0 when `maxSurge` is 0"))
		}
		if update.MaxUnavailable.Type == intstr.String && number(update.MaxUnavailable) > 100 {
			errs = append(errs, field.Invalid(rolling.Child("maxUnavailable"), update.MaxUnavailable,
				"must not be greater than 100%"))
		}
	default:
		errs = append(errs, field.NotSupported(path, asInGo(*s), []string{"Recreate", "RollingUpdate"}))
	}
	return errs
}

// number returns a number, or the number of a percentage.
func number(v *intstr.IntOrString) int {
	if v.Type == intstr.Int {
		return v.IntValue()
	}
	n := 0
	_, _ = fmt.Sscanf(v.StrVal, "%d%%", &n)
	return n
}

// amount refuses a value that is neither a percentage nor a number from 0 on.
func amount(v *intstr.IntOrString, path *field.Path) field.ErrorList {
	if v.Type == intstr.Int {
		return apivalidation.ValidateNonnegativeField(int64(v.IntVal), path)
	}
	if digits := strings.TrimSuffix(v.StrVal, "%"); digits == v.StrVal || strings.Trim(digits, "0123456789") != "" ||
		digits == "" {
		return field.ErrorList{field.Invalid(path, v, "a valid percent string must be a numeric string followed by an ending "+
			"'%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')")}
	}
	return nil
}

// ValidateStatus returns what is wrong with a status that a client has written.
func ValidateStatus(typed any) (errs field.ErrorList) {
	path := field.NewPath("status")
	less := func(is, most int32, name, words string) {
		if is > most {
			errs = append(errs, field.Invalid(path.Child(name), is, words))
		}
	}
	sign := func(n int32, name string) { errs = append(errs, natural(&n, path.Child(name))...) }
	const all = "cannot be greater than status.replicas"
	switch o := typed.(type) {
	case *appsv1.Deployment:
		s := &o.Status
		sign(s.Replicas, "replicas")
		sign(s.UpdatedReplicas, "updatedReplicas")
		sign(s.ReadyReplicas, "readyReplicas")
		sign(s.AvailableReplicas, "availableReplicas")
		sign(s.UnavailableReplicas, "unavailableReplicas")
		less(s.UpdatedReplicas, s.Replicas, "updatedReplicas", all)
		less(s.ReadyReplicas, s.Replicas, "readyReplicas", all)
		less(s.AvailableReplicas, s.Replicas, "availableReplicas", all)
		less(s.AvailableReplicas, s.ReadyReplicas, "availableReplicas", "cannot be greater than readyReplicas")
	case *appsv1.StatefulSet:
		s := &o.Status
		sign(s.Replicas, "replicas")
		sign(s.ReadyReplicas, "readyReplicas")
		sign(s.CurrentReplicas, "currentReplicas")
		sign(s.UpdatedReplicas, "updatedReplicas")
		sign(s.AvailableReplicas, "availableReplicas")
		less(s.ReadyReplicas, s.Replicas, "readyReplicas", all)
		less(s.CurrentReplicas, s.Replicas, "currentReplicas", all)
		less(s.UpdatedReplicas, s.Replicas, "updatedReplicas", all)
		less(s.AvailableReplicas, s.Replicas, "availableReplicas", all)
		less(s.AvailableReplicas, s.ReadyReplicas, "availableReplicas", "cannot be greater than status.readyReplicas")
	case *appsv1.ReplicaSet:
		s := &o.Status
		sign(s.Replicas, "replicas")
		sign(s.ReadyReplicas, "readyReplicas")
		sign(s.AvailableReplicas, "availableReplicas")
		less(s.FullyLabeledReplicas, s.Replicas, "fullyLabeledReplicas", all)
		less(s.ReadyReplicas, s.Replicas, "readyReplicas", all)
		less(s.AvailableReplicas, s.Replicas, "availableReplicas", all)
		less(s.AvailableReplicas, s.ReadyReplicas, "availableReplicas", "cannot be greater than readyReplicas")
	}
	return errs
}

func validateJob(o, old *batchv1.Job) field.ErrorList {
	spec := &o.Spec
	errs := validateJobSpec(spec, specPath)
	if old == nil {
		return errs
	}
	errs = append(errs, unchanged(spec.Selector, old.Spec.Selector, specPath.Child("selector"))...)
	if suspended := old.Spec.Suspend != nil && *old.Spec.Suspend && old.Status.StartTime == nil; !suspended {
		errs = append(errs, unchanged(spec.Template, old.Spec.Template, specPath.Child("template"))...)
	}
	errs = append(errs, unchanged(spec.CompletionMode, old.Spec.CompletionMode, specPath.Child("completionMode"))...)
	if *spec.CompletionMode != batchv1.IndexedCompletion {
		errs = append(errs, unchanged(spec.Completions, old.Spec.Completions, specPath.Child("completions"))...)
	}
	return errs
}

func validateJobSpec(spec *batchv1.JobSpec, path *field.Path) field.ErrorList {
	errs := natural(spec.Parallelism, path.Child("parallelism"))
	errs = append(errs, natural(spec.Completions, path.Child("completions"))...)
	errs = append(errs, natural(spec.ActiveDeadlineSeconds, path.Child("activeDeadlineSeconds"))...)
	errs = append(errs, natural(spec.BackoffLimit, path.Child("backoffLimit"))...)
	errs = append(errs, natural(spec.TTLSecondsAfterFinished, path.Child("ttlSecondsAfterFinished"))...)
	modes := []batchv1.CompletionMode{batchv1.NonIndexedCompletion, batchv1.IndexedCompletion}
	switch mode := spec.CompletionMode; {
	case mode == nil:
	case !slices.Contains(modes, *mode):
		err := field.NotSupported(path.Child("completionMode"), *mode, []string{})
		err.Detail = `supported values: "NonIndexed", "Indexed"`
		errs = append(errs, err)
	case *mode == batchv1.IndexedCompletion && spec.Completions == nil:
		errs = append(errs, field.Required(path.Child("completions"),
			fmt.Sprintf("when completion mode is %s", batchv1.IndexedCompletion)))
	}
	at := path.Child("template")
	errs = append(errs, validateTemplate(&spec.Template, at)...)
	switch policy, here := spec.Template.Spec.RestartPolicy, at.Child("spec", "restartPolicy"); policy {
	case "", corev1.RestartPolicyAlways:
		errs = append(errs, field.Required(here, `valid values: "OnFailure", "Never"`))
	case corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever:
	default:
		errs = append(errs, field.NotSupported(here, policy,
			[]corev1.RestartPolicy{corev1.RestartPolicyOnFailure, corev1.RestartPolicyNever}))
	}
	return errs
}

func validateCronJob(spec *batchv1.CronJobSpec) (errs field.ErrorList) {
	path := specPath.Child("schedule")
	switch _, wrong := cron.ParseStandard(spec.Schedule); {
	case spec.Schedule == "":
		errs = append(errs, field.Required(path, ""))
	case wrong != nil:
		errs = append(errs, field.Invalid(path, spec.Schedule, wrong.Error()))
	case strings.Contains(spec.Schedule, "TZ"):
		errs = append(errs, field.Invalid(path, spec.Schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead"))
	}
	errs = append(errs, natural(spec.StartingDeadlineSeconds, specPath.Child("startingDeadlineSeconds"))...)
	policies := []batchv1.ConcurrencyPolicy{batchv1.AllowConcurrent, batchv1.ForbidConcurrent, batchv1.ReplaceConcurrent}
	if !slices.Contains(policies, spec.ConcurrencyPolicy) {
		errs = append(errs, field.NotSupported(specPath.Child("concurrencyPolicy"), spec.ConcurrencyPolicy, policies))
	}
	errs = append(errs, natural(spec.SuccessfulJobsHistoryLimit, specPath.Child("successfulJobsHistoryLimit"))...)
	errs = append(errs, natural(spec.FailedJobsHistoryLimit, specPath.Child("failedJobsHistoryLimit"))...)
	return append(errs, validateJobSpec(&spec.JobTemplate.Spec, specPath.Child("jobTemplate", "spec"))...)
}

func validateScaler(spec *autoscalingv2.HorizontalPodAutoscalerSpec) (errs field.ErrorList) {
	least, most := spec.MinReplicas, specPath.Child("maxReplicas")
	if least != nil && *least < 1 {
		errs = append(errs, field.Invalid(specPath.Child("minReplicas"), *least, "must be greater than or equal to 1"))
	}
	switch {
	case spec.MaxReplicas == 0:
		errs = append(errs, field.Required(most, ""))
	case spec.MaxReplicas < 0:
		errs = append(errs, field.Invalid(most, spec.MaxReplicas, "must be greater than or equal to 1"))
	}
	if least != nil && spec.MaxReplicas < *least {
		errs = append(errs, field.Invalid(most, spec.MaxReplicas, "must be greater than or equal to `minReplicas`"))
	}
	target, path := &spec.ScaleTargetRef, specPath.Child("scaleTargetRef")
	for _, part := range []struct{ name, value string }{{"kind", target.Kind}, {"name", target.Name}} {
		if part.value == "" {
			errs = append(errs, field.Required(path.Child(part.name), ""))
			continue
		}
		for _, wrong := range content.IsPathSegmentName(part.value) {
			errs = append(errs, field.Invalid(path.Child(part.name), part.value, wrong))
		}
	}
	of, err := schema.ParseGroupVersion(target.APIVersion)
	switch {
	case err != nil:
		errs = append(errs, field.Invalid(path.Child("apiVersion"), target.APIVersion, err.Error()))
	case of.Group == "" && (of.Version != "v1" || target.Kind != "ReplicationController"):
		errs = append(errs, field.Invalid(path.Child("apiVersion"), target.APIVersion, "apiVersion must specify API group"))
	}
	return errs
}

func validateIngress(spec *networkingv1.IngressSpec) (errs field.ErrorList) {
	if len(spec.Rules) == 0 && spec.DefaultBackend == nil {
		errs = append(errs, field.Invalid(specPath, spec.Rules, "either `defaultBackend` or `rules` must be specified"))
	}
	for i := range spec.Rules {
		rule, at := &spec.Rules[i], specPath.Child("rules").Index(i)
		if host := rule.Host; host != "" {
			errs = append(errs, hostErrors(host, at.Child("host"))...)
		}
		if rule.HTTP == nil {
			continue
		}
		paths := at.Child("http", "paths")
		if len(rule.HTTP.Paths) == 0 {
			errs = append(errs, field.Required(paths, ""))
		}
		for j := range rule.HTTP.Paths {
			errs = append(errs, validatePath(&rule.HTTP.Paths[j], paths.Index(j))...)
		}
	}
	return errs
}

func hostErrors(host string, path *field.Path) (errs field.ErrorList) {
	check := content.IsDNS1123Subdomain
	if strings.Contains(host, "*") {
		check = validation.IsWildcardDNS1123Subdomain
	}
	for _, wrong := range check(host) {
		errs = append(errs, field.Invalid(path, host, wrong))
	}
	return errs
}

func validatePath(p *networkingv1.HTTPIngressPath, path *field.Path) (errs field.ErrorList) {
	if p.PathType == nil {
		return field.ErrorList{field.Required(path.Child("pathType"), "pathType must be specified")}
	}
	kinds := []networkingv1.PathType{networkingv1.PathTypeExact, networkingv1.PathTypePrefix,
		networkingv1.PathTypeImplementationSpecific}
	switch *p.PathType {
	case networkingv1.PathTypeExact, networkingv1.PathTypePrefix:
		if !strings.HasPrefix(p.Path, "/") {
			errs = append(errs, field.Invalid(path.Child("path"), p.Path, "must be an absolute path"))
		}
	case networkingv1.PathTypeImplementationSpecific:
		if p.Path != "" && !strings.HasPrefix(p.Path, "/") {
			errs = append(errs, field.Invalid(path.Child("path"), p.Path, "must be an absolute path"))
		}
	default:
		errs = append(errs, field.NotSupported(path.Child("pathType"), *p.PathType, kinds))
	}
	backend := path.Child("backend")
	switch s := p.Backend.Service; {
	case s == nil && p.Backend.Resource == nil:
		errs = append(errs, field.Invalid(backend, "", "resource or service backend is required"))
	case s != nil && p.Backend.Resource != nil:
		errs = append(errs, field.Invalid(backend, "", "cannot set both resource and service backends"))
	case s != nil && s.Name == "":
		errs = append(errs, field.Required(backend.Child("service", "name"), ""))
	case s != nil && s.Port.Name == "" && s.Port.Number == 0:
		errs = append(errs, field.Required(backend.Child("service"), "port name or number is required"))
	}
	return errs
}

func validateLease(spec *coordinationv1.LeaseSpec) (errs field.ErrorList) {
	if n := spec.LeaseDurationSeconds; n != nil && *n <= 0 {
		errs = append(errs, field.Invalid(specPath.Child("leaseDurationSeconds"), *n, "must be greater than 0"))
	}
	if n := spec.LeaseTransitions; n != nil && *n < 0 {
		errs = append(errs, field.Invalid(specPath.Child("leaseTransitions"), *n, "must be greater than or equal to 0"))
	}
	if holder := spec.PreferredHolder; holder != nil && *holder != "" && (spec.Strategy == nil || *spec.Strategy == "") {
		errs = append(errs, field.Forbidden(specPath.Child("preferredHolder"),
			"may only be specified if `strategy` is defined"))
	}
	return errs
}

func validateClass(o, old *storagev1.StorageClass) (errs field.ErrorList) {
	path := field.NewPath("provisioner")
	if o.Provisioner == "" {
		errs = append(errs, field.Required(path, ""))
	}
	reclaims := []corev1.PersistentVolumeReclaimPolicy{corev1.PersistentVolumeReclaimDelete,
		corev1.PersistentVolumeReclaimRetain}
	if !slices.Contains(reclaims, *o.ReclaimPolicy) {
		errs = append(errs, field.NotSupported(field.NewPath("reclaimPolicy"), *o.ReclaimPolicy, reclaims))
	}
	modes := []storagev1.VolumeBindingMode{storagev1.VolumeBindingImmediate, storagev1.VolumeBindingWaitForFirstConsumer}
	if !slices.Contains(modes, *o.VolumeBindingMode) {
		errs = append(errs, field.NotSupported(field.NewPath("volumeBindingMode"), *o.VolumeBindingMode, modes))
	}
	if old == nil {
		return errs
	}
	errs = append(errs, unchangedUnshown(o.Parameters, old.Parameters, field.NewPath("parameters"))...)
	errs = append(errs, unchangedUnshown(o.Provisioner, old.Provisioner, path)...)
	errs = append(errs, unchangedUnshown(o.ReclaimPolicy, old.ReclaimPolicy, field.NewPath("reclaimPolicy"))...)
	return append(errs, unchangedUnshown(o.VolumeBindingMode, old.VolumeBindingMode, field.NewPath("volumeBindingMode"))...)
}

func validatePriority(o, old *schedulingv1.PriorityClass) (errs field.ErrorList) {
	const highest = 1_000_000_000
	if o.Value > highest && !strings.HasPrefix(o.Name, "system-") {
		errs = append(errs, field.Forbidden(field.NewPath("value"), fmt.Sprintf("maximum allowed value of a user defined "+
			"priority is %d", highest)))
	}
	policies := []corev1.PreemptionPolicy{corev1.PreemptLowerPriority, corev1.PreemptNever}
	if !slices.Contains(policies, *o.PreemptionPolicy) {
		errs = append(errs, field.NotSupported(field.NewPath("preemptionPolicy"), *o.PreemptionPolicy, policies))
	}
	if old == nil {
		return errs
	}
	if o.Value != old.Value {
		errs = append(errs, field.Forbidden(field.NewPath("value"), "may not be changed in an update."))
	}
	return append(errs, unchangedUnshown(o.PreemptionPolicy, old.PreemptionPolicy, field.NewPath("preemptionPolicy"))...)
}

func validateRevision(o, old *appsv1.ControllerRevision) field.ErrorList {
	path := field.NewPath("data")
	errs := natural(&o.Revision, field.NewPath("revision"))
	if len(o.Data.Raw) == 0 && o.Data.Object == nil {
		errs = append(errs, field.Required(path, "data is mandatory"))
	}
	if old == nil {
		return errs
	}
	var is, was any
	_ = json.Unmarshal(o.Data.Raw, &is)
	_ = json.Unmarshal(old.Data.Raw, &was)
	if !equality.Semantic.DeepEqual(is, was) {
		errs = append(errs, field.Invalid(path, is, apivalidation.FieldImmutableErrorMsg))
	}
	return errs
}
