// Package builtin is what a real API server does with the objects of built-in kinds that the simulated cluster only
// stores: the defaults that it fills in, the first status, and what it refuses. It knows nothing about worlds and
// requests.
package builtin

import (
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/statefulsim/statefulsim/scenario/manifest"
)

// Does is what the package does for objects of a kind: fill in defaults, refuse what is wrong, or compare an object
// with its previous version.
type Does struct{ Defaults, Validates, Compares bool }

// does are the kinds that are not only stored, each with what is done with its objects.
var does = map[string]Does{
	"Deployment": {true, true, true}, "Job": {true, true, true}, "StorageClass": {true, true, true},
	"PriorityClass": {true, true, true}, "ReplicaSet": {true, true, false}, "DaemonSet": {true, true, false},
	"CronJob": {true, true, false}, "HorizontalPodAutoscaler": {true, true, false},
	"Ingress": {false, true, false}, "Lease": {false, true, false}, "ControllerRevision": {false, true, true},
	"LimitRange": {true, false, false}, "EndpointSlice": {true, false, false}, "Endpoints": {true, false, false},
	"PersistentVolume": {true, false, false}, "VolumeAttributesClass": {true, false, false}, "CSINode": {true, false, false},
	"ReplicationController": {true, false, false}, "PodTemplate": {true, false, false},
	"NetworkPolicy": {true, false, false}, "IngressClass": {true, false, false}, "CSIDriver": {true, false, false},
	"RoleBinding": {true, true, true}, "ClusterRoleBinding": {true, true, true},
	"Role": {false, true, false}, "ClusterRole": {false, true, false},
	"ValidatingWebhookConfiguration": {true, false, false}, "MutatingWebhookConfiguration": {true, false, false},
	"ValidatingAdmissionPolicy": {true, false, false}, "MutatingAdmissionPolicy": {true, false, false},
	"ValidatingAdmissionPolicyBinding": {true, false, false},
	"MutatingAdmissionPolicyBinding":   {true, false, false},
}

// Of returns what is done with objects of a kind.
func Of(kind string) Does { return does[kind] }

// Begin gives a new object its first status, whatever its client sent.
func Begin(typed any) {
	if status := reflect.ValueOf(typed).Elem().FieldByName("Status"); status.IsValid() {
		status.SetZero()
	}
	if set, is := typed.(*appsv1.DaemonSet); is {
		SetTemplateGeneration(set, "1")
	}
}

// SetTemplateGeneration notes in a DaemonSet how often its template was changed.
func SetTemplateGeneration(set *appsv1.DaemonSet, generation string) {
	if set.Annotations == nil {
		set.Annotations = map[string]string{}
	}
	set.Annotations[appsv1.DeprecatedTemplateGeneration] = generation
}

// absent sets a field that is not given.
func absent[T any](field **T, value T) {
	if *field == nil {
		*field = &value
	}
}

// empty sets a text that is not given.
func empty[T ~string](field *T, value T) {
	if *field == "" {
		*field = value
	}
}

// Default fills in a real API server's defaults.
func Default(typed any) {
	switch o := typed.(type) {
	case *appsv1.Deployment:
		defaultDeployment(&o.Spec)
	case *appsv1.DaemonSet:
		defaultDaemonSet(&o.Spec)
	case *appsv1.ReplicaSet:
		absent(&o.Spec.Replicas, 1)
		manifest.DefaultTemplate(&o.Spec.Template)
	case *corev1.ReplicationController:
		defaultReplicationController(o)
	case *corev1.PodTemplate:
		manifest.DefaultTemplate(&o.Template)
	case *batchv1.Job:
		defaultJob(o)
	case *batchv1.CronJob:
		defaultCronJob(&o.Spec)
	case *autoscalingv2.HorizontalPodAutoscaler:
		defaultScaler(&o.Spec)
	case *networkingv1.NetworkPolicy:
		defaultPolicy(&o.Spec)
	case *networkingv1.IngressClass:
		if o.Spec.Parameters != nil {
			absent(&o.Spec.Parameters.Scope, networkingv1.IngressClassParametersReferenceScopeCluster)
		}
	case *schedulingv1.PriorityClass:
		absent(&o.PreemptionPolicy, corev1.PreemptLowerPriority)
	case *storagev1.StorageClass:
		absent(&o.ReclaimPolicy, corev1.PersistentVolumeReclaimDelete)
		absent(&o.VolumeBindingMode, storagev1.VolumeBindingImmediate)
	case *storagev1.CSIDriver:
		defaultDriver(&o.Spec)
	default:
		defaultPlaces(typed)
		defaultAccess(typed)
	}
}

// defaultPlaces fills in where things are and how large: addresses, volumes, limits.
func defaultPlaces(typed any) {
	switch o := typed.(type) {
	case *corev1.LimitRange:
		for i := range o.Spec.Limits {
			if o.Spec.Limits[i].Type == corev1.LimitTypeContainer {
				defaultLimit(&o.Spec.Limits[i])
			}
		}
	case *discoveryv1.EndpointSlice:
		for i := range o.Ports {
			absent(&o.Ports[i].Name, "")
			absent(&o.Ports[i].Protocol, corev1.ProtocolTCP)
		}
	//lint:ignore SA1019 Clients that still ask for Endpoints get them.
	case *corev1.Endpoints:
		for i := range o.Subsets {
			for k := range o.Subsets[i].Ports {
				empty(&o.Subsets[i].Ports[k].Protocol, corev1.ProtocolTCP)
			}
		}
	case *corev1.PersistentVolume:
		empty(&o.Spec.PersistentVolumeReclaimPolicy, corev1.PersistentVolumeReclaimRetain)
		absent(&o.Spec.VolumeMode, corev1.PersistentVolumeFilesystem)
		if o.Spec.HostPath != nil {
			absent(&o.Spec.HostPath.Type, corev1.HostPathUnset)
		}
	case *storagev1.CSINode:
		if len(o.Spec.Drivers) == 0 {
			o.Spec.Drivers = nil
		}
	}
}

// defaultLimit fills in the limits of containers that ask for nothing: at most the maximum, and at least the
// minimum.
func defaultLimit(limit *corev1.LimitRangeItem) {
	fill := func(into *corev1.ResourceList, from corev1.ResourceList) {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			if *into == nil {
				*into = corev1.ResourceList{}
			}
			if _, given := (*into)[name]; !given {
				(*into)[name] = from[name].DeepCopy()
			}
		}
	}
	fill(&limit.Default, limit.Max)
	fill(&limit.DefaultRequest, limit.Default)
	fill(&limit.DefaultRequest, limit.Min)
	for _, list := range []*corev1.ResourceList{&limit.Default, &limit.DefaultRequest} {
		if *list == nil {
			*list = corev1.ResourceList{}
		}
	}
}

// Protected returns the finalizer that new objects of a kind get, "" for none.
func Protected(kind string) string {
	switch kind {
	case "PersistentVolume":
		return "kubernetes.io/pv-protection"
	case "VolumeAttributesClass":
		return "kubernetes.io/vac-protection"
	}
	return ""
}

// CountTemplates notes in a DaemonSet that its template has changed, if it has.
func CountTemplates(set, old *appsv1.DaemonSet) {
	n, err := strconv.Atoi(old.Annotations[appsv1.DeprecatedTemplateGeneration])
	if err != nil {
		n = 1
	}
	if !equality.Semantic.DeepEqual(set.Spec.Template, old.Spec.Template) {
		n++
	}
	SetTemplateGeneration(set, strconv.Itoa(n))
}

// defaultAccess fills in the kinds of admission and of RBAC.
func defaultAccess(typed any) {
	switch o := typed.(type) {
	case *rbacv1.RoleBinding:
		empty(&o.RoleRef.APIGroup, rbacv1.GroupName)
		defaultSubjects(o.Subjects)
	case *rbacv1.ClusterRoleBinding:
		empty(&o.RoleRef.APIGroup, rbacv1.GroupName)
		defaultSubjects(o.Subjects)
	case *admissionv1.ValidatingWebhookConfiguration:
		for i := range o.Webhooks {
			w := &o.Webhooks[i]
			defaultWebhook(&w.FailurePolicy, &w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector, &w.TimeoutSeconds)
			defaultRules(w.Rules, w.ClientConfig.Service)
		}
	case *admissionv1.MutatingWebhookConfiguration:
		for i := range o.Webhooks {
			w := &o.Webhooks[i]
			defaultWebhook(&w.FailurePolicy, &w.MatchPolicy, &w.NamespaceSelector, &w.ObjectSelector, &w.TimeoutSeconds)
			defaultRules(w.Rules, w.ClientConfig.Service)
			absent(&w.ReinvocationPolicy, admissionv1.NeverReinvocationPolicy)
		}
	case *admissionv1.ValidatingAdmissionPolicy:
		absent(&o.Spec.FailurePolicy, admissionv1.Fail)
		defaultMatches(o.Spec.MatchConstraints)
	case *admissionv1.MutatingAdmissionPolicy:
		absent(&o.Spec.FailurePolicy, admissionv1.Fail)
		defaultMatches(o.Spec.MatchConstraints)
	case *admissionv1.ValidatingAdmissionPolicyBinding:
		defaultMatches(o.Spec.MatchResources)
	case *admissionv1.MutatingAdmissionPolicyBinding:
		defaultMatches(o.Spec.MatchResources)
	}
}

func defaultDeployment(spec *appsv1.DeploymentSpec) {
	absent(&spec.Replicas, 1)
	empty(&spec.Strategy.Type, appsv1.RollingUpdateDeploymentStrategyType)
	if spec.Strategy.Type == appsv1.RollingUpdateDeploymentStrategyType {
		absent(&spec.Strategy.RollingUpdate, appsv1.RollingUpdateDeployment{})
		absent(&spec.Strategy.RollingUpdate.MaxUnavailable, intstr.FromString("25%"))
		absent(&spec.Strategy.RollingUpdate.MaxSurge, intstr.FromString("25%"))
	}
	absent(&spec.RevisionHistoryLimit, 10)
	absent(&spec.ProgressDeadlineSeconds, 600)
	manifest.DefaultTemplate(&spec.Template)
}

func defaultDaemonSet(spec *appsv1.DaemonSetSpec) {
	strategy := &spec.UpdateStrategy
	empty(&strategy.Type, appsv1.RollingUpdateDaemonSetStrategyType)
	if strategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
		absent(&strategy.RollingUpdate, appsv1.RollingUpdateDaemonSet{})
		absent(&strategy.RollingUpdate.MaxUnavailable, intstr.FromInt32(1))
		absent(&strategy.RollingUpdate.MaxSurge, intstr.FromInt32(0))
	}
	absent(&spec.RevisionHistoryLimit, 10)
	manifest.DefaultTemplate(&spec.Template)
}

func defaultReplicationController(o *corev1.ReplicationController) {
	if o.Spec.Template != nil {
		if len(o.Spec.Selector) == 0 {
			o.Spec.Selector = o.Spec.Template.Labels
		}
		if len(o.Labels) == 0 {
			o.Labels = o.Spec.Template.Labels
		}
		manifest.DefaultTemplate(o.Spec.Template)
	}
	absent(&o.Spec.Replicas, 1)
}

func defaultJob(o *batchv1.Job) {
	spec := &o.Spec
	if spec.Completions == nil && spec.Parallelism == nil {
		absent(&spec.Completions, 1)
	}
	absent(&spec.Parallelism, 1)
	if spec.BackoffLimitPerIndex != nil {
		absent(&spec.BackoffLimit, math.MaxInt32)
	}
	absent(&spec.BackoffLimit, 6)
	if len(o.Labels) == 0 && spec.Template.Labels != nil {
		o.Labels = spec.Template.Labels
	}
	absent(&spec.CompletionMode, batchv1.NonIndexedCompletion)
	absent(&spec.Suspend, false)
	if spec.PodFailurePolicy != nil {
		absent(&spec.PodReplacementPolicy, batchv1.Failed)
	}
	absent(&spec.PodReplacementPolicy, batchv1.TerminatingOrFailed)
	absent(&spec.ManualSelector, false)
	manifest.DefaultTemplate(&spec.Template)
}

// Select gives a new Job the selector and the labels that it finds its pods by, unless its client gave them.
func Select(o *batchv1.Job, uid string) {
	if o.Spec.ManualSelector != nil && *o.Spec.ManualSelector {
		return
	}
	template := &o.Spec.Template
	shared := len(o.Labels) == 0
	if template.Labels == nil {
		template.Labels = map[string]string{}
	}
	template.Labels[batchv1.ControllerUidLabel], template.Labels["controller-uid"] = uid, uid
	template.Labels[batchv1.JobNameLabel], template.Labels["job-name"] = o.Name, o.Name
	absent(&o.Spec.Selector, metav1.LabelSelector{})
	if o.Spec.Selector.MatchLabels == nil {
		o.Spec.Selector.MatchLabels = map[string]string{}
	}
	o.Spec.Selector.MatchLabels[batchv1.ControllerUidLabel] = uid
	if shared {
		o.Labels = template.Labels
	}
}

func defaultCronJob(spec *batchv1.CronJobSpec) {
	empty(&spec.ConcurrencyPolicy, batchv1.AllowConcurrent)
	absent(&spec.Suspend, false)
	absent(&spec.SuccessfulJobsHistoryLimit, 3)
	absent(&spec.FailedJobsHistoryLimit, 1)
	manifest.DefaultTemplate(&spec.JobTemplate.Spec.Template)
}

func defaultScaler(spec *autoscalingv2.HorizontalPodAutoscalerSpec) {
	absent(&spec.MinReplicas, 1)
	if len(spec.Metrics) == 0 {
		usual := int32(80)
		spec.Metrics = []autoscalingv2.MetricSpec{{Type: autoscalingv2.ResourceMetricSourceType,
			Resource: &autoscalingv2.ResourceMetricSource{Name: corev1.ResourceCPU, Target: autoscalingv2.MetricTarget{
				Type: autoscalingv2.UtilizationMetricType, AverageUtilization: &usual}}}}
	}
	if spec.Behavior == nil {
		return
	}
	up := autoscalingv2.HPAScalingRules{Policies: []autoscalingv2.HPAScalingPolicy{
		{Type: autoscalingv2.PodsScalingPolicy, Value: 4, PeriodSeconds: 15},
		{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}}}
	absent(&up.StabilizationWindowSeconds, 0)
	down := autoscalingv2.HPAScalingRules{Policies: []autoscalingv2.HPAScalingPolicy{
		{Type: autoscalingv2.PercentScalingPolicy, Value: 100, PeriodSeconds: 15}}}
	spec.Behavior.ScaleUp = rules(spec.Behavior.ScaleUp, up)
	spec.Behavior.ScaleDown = rules(spec.Behavior.ScaleDown, down)
}

// rules returns the scaling rules that were given, completed from usual.
func rules(given *autoscalingv2.HPAScalingRules, usual autoscalingv2.HPAScalingRules) *autoscalingv2.HPAScalingRules {
	absent(&usual.SelectPolicy, autoscalingv2.MaxChangePolicySelect)
	if given == nil {
		return &usual
	}
	absent(&given.SelectPolicy, *usual.SelectPolicy)
	if given.StabilizationWindowSeconds == nil {
		given.StabilizationWindowSeconds = usual.StabilizationWindowSeconds
	}
	if given.Policies == nil {
		given.Policies = usual.Policies
	}
	return given
}

func defaultPolicy(spec *networkingv1.NetworkPolicySpec) {
	for i := range spec.Ingress {
		defaultPorts(spec.Ingress[i].Ports)
	}
	for i := range spec.Egress {
		defaultPorts(spec.Egress[i].Ports)
	}
	if len(spec.PolicyTypes) > 0 {
		return
	}
	spec.PolicyTypes = []networkingv1.PolicyType{networkingv1.PolicyTypeIngress}
	if len(spec.Egress) > 0 {
		spec.PolicyTypes = append(spec.PolicyTypes, networkingv1.PolicyTypeEgress)
	}
}

func defaultPorts(ports []networkingv1.NetworkPolicyPort) {
	for i := range ports {
		absent(&ports[i].Protocol, corev1.ProtocolTCP)
	}
}

func defaultDriver(spec *storagev1.CSIDriverSpec) {
	absent(&spec.AttachRequired, true)
	absent(&spec.PodInfoOnMount, false)
	absent(&spec.StorageCapacity, false)
	absent(&spec.FSGroupPolicy, storagev1.ReadWriteOnceWithFSTypeFSGroupPolicy)
	if len(spec.VolumeLifecycleModes) == 0 {
		spec.VolumeLifecycleModes = []storagev1.VolumeLifecycleMode{storagev1.VolumeLifecyclePersistent}
	}
	absent(&spec.RequiresRepublish, false)
	absent(&spec.SELinuxMount, false)
	absent(&spec.PreventPodSchedulingIfMissing, false)
}

func defaultSubjects(subjects []rbacv1.Subject) {
	for i := range subjects {
		if kind := subjects[i].Kind; kind == rbacv1.UserKind || kind == rbacv1.GroupKind {
			empty(&subjects[i].APIGroup, rbacv1.GroupName)
		}
	}
}

func defaultWebhook(failure **admissionv1.FailurePolicyType, match **admissionv1.MatchPolicyType,
	namespaces, objects **metav1.LabelSelector, seconds **int32,
) {
	absent(failure, admissionv1.Fail)
	absent(match, admissionv1.Equivalent)
	absent(namespaces, metav1.LabelSelector{})
	absent(objects, metav1.LabelSelector{})
	absent(seconds, 10)
}

func defaultRules(rules []admissionv1.RuleWithOperations, service *admissionv1.ServiceReference) {
	for i := range rules {
		absent(&rules[i].Scope, admissionv1.AllScopes)
	}
	if service != nil {
		absent(&service.Port, 443)
	}
}

func defaultMatches(m *admissionv1.MatchResources) {
	if m == nil {
		return
	}
	absent(&m.MatchPolicy, admissionv1.Equivalent)
	absent(&m.NamespaceSelector, metav1.LabelSelector{})
	absent(&m.ObjectSelector, metav1.LabelSelector{})
	for i := range m.ResourceRules {
		absent(&m.ResourceRules[i].Scope, admissionv1.AllScopes)
	}
	for i := range m.ExcludeResourceRules {
		absent(&m.ExcludeResourceRules[i].Scope, admissionv1.AllScopes)
	}
}
