// Package kinds is the table of the kinds that a session serves: their names in the API, their types, and how kubectl
// get prints them. It knows no world and no request.
package kinds

import (
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	eventsv1 "k8s.io/api/events/v1"
	networkingv1 "k8s.io/api/networking/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
)

// Kind is a kind of object that is served.
type Kind struct {
	Group, Version, Kind string
	// Resource is the plural in paths, Singular the word for one. Short are the short names that kubectl takes.
	Resource, Singular string
	Short              []string
	Namespaced         bool
	// All is true if kubectl get all lists it.
	All bool
	// Idle is true if objects of the kind are only stored, and nothing in the simulated cluster acts on them.
	Idle bool
	// Subresources are those that are served.
	Subresources []string
	// Plain is true if the kind has no Go type here: its objects are stored as they are sent.
	Plain bool
	// Schema is the schema of a kind that a client has defined. Scaled says where its replicas are, if it can be
	// scaled.
	Schema Fields
	Scaled *Scaled
	// Selectable are the fields that clients may select objects of such a kind by.
	Selectable []string
	// New returns an empty object of the kind's Go type; nil for a plain kind.
	New func() any
	// columns are the columns of kubectl get between NAME and AGE.
	columns func() []Column
}

// APIVersion is the apiVersion of objects of the kind.
func (k *Kind) APIVersion() string { return JoinGroup(k.Group, k.Version) }

// JoinGroup returns the apiVersion of a group and a version.
func JoinGroup(group, version string) string {
	if group == "" {
		return version
	}
	return group + "/" + version
}

// Plural is the kind's name in messages: statefulsets.apps.
func (k *Kind) Plural() string { return qualified(k.Resource, k.Group) }

// Qualified is the kind's name in a message about an invalid object: StatefulSet.apps.
func (k *Kind) Qualified() string { return qualified(k.Kind, k.Group) }

// Empty returns an empty object of the kind: of its Go type, or a map.
func (k *Kind) Empty() any {
	if k.Plain {
		return &map[string]any{}
	}
	return k.New()
}

func qualified(name, group string) string {
	if group == "" {
		return name
	}
	return name + "." + group
}

// Has reports whether a subresource is served.
func (k *Kind) Has(subresource string) bool {
	for _, s := range k.Subresources {
		if s == subresource {
			return true
		}
	}
	return false
}

// counted are the built-in kinds whose objects count their changes in metadata.generation, but for the namespace.
var counted = strings.Fields("Pod PodTemplate ReplicationController StatefulSet Deployment DaemonSet ReplicaSet Job CronJob " +
	"Ingress IngressClass NetworkPolicy PodDisruptionBudget HorizontalPodAutoscaler PriorityClass EndpointSlice " +
	"CustomResourceDefinition MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration " +
	"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration")

// Counts reports whether objects of the kind count their changes in metadata.generation.
func (k *Kind) Counts() bool { return k.Schema != nil || slices.Contains(counted, k.Kind) }

// versioned are the built-in kinds whose objects are replaced only at a version that the client names. created are
// the kinds whose missing objects are created by a replace.
var (
	versioned = strings.Fields("PodDisruptionBudget Lease CustomResourceDefinition CSIDriver CSINode VolumeAttachment " +
		"RuntimeClass CSIStorageCapacity MutatingAdmissionPolicy MutatingAdmissionPolicyBinding MutatingWebhookConfiguration " +
		"ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ValidatingWebhookConfiguration")
	created = strings.Fields("Lease Endpoints Event LimitRange Service RuntimeClass Role RoleBinding ClusterRole " +
		"ClusterRoleBinding")
)

// Versioned reports whether an object is replaced only at a version that the client names.
func (k *Kind) Versioned() bool { return k.Schema != nil || slices.Contains(versioned, k.Kind) }

// returned are the kinds whose deletion is answered with the deleted object.
var returned = strings.Fields("Pod PersistentVolumeClaim PersistentVolume PodTemplate ResourceQuota ServiceAccount " +
	"Service CSIDriver StorageClass VolumeAttachment CSINode VolumeAttributesClass")

// Returned reports whether the answer to the deletion of an object is the deleted object.
func (k *Kind) Returned() bool { return k.Schema == nil && slices.Contains(returned, k.Kind) }

// Created reports whether an object that is not there is created where it is replaced.
func (k *Kind) Created() bool { return k.Schema == nil && slices.Contains(created, k.Kind) }

// The kinds that something in the cluster acts on.
var (
	StatefulSet = must("apps", "statefulsets")
	Revision    = must("apps", "controllerrevisions")
	DaemonSet   = must("apps", "daemonsets")
	Deployment  = must("apps", "deployments")
	ReplicaSet  = must("apps", "replicasets")

	ReplicationController = must("", "replicationcontrollers")
	CronJob               = must("batch", "cronjobs")
	Job                   = must("batch", "jobs")
	Pod                   = must("", "pods")
	Claim                 = must("", "persistentvolumeclaims")
	Volume                = must("", "persistentvolumes")
	Service               = must("", "services")
	Node                  = must("", "nodes")
	Namespace             = must("", "namespaces")
	Event                 = must("", "events")
	NewEvent              = must("events.k8s.io", "events")
	Priority              = must("scheduling.k8s.io", "priorityclasses")
	Budget                = must("policy", "poddisruptionbudgets")
	Endpoints             = must("", "endpoints")
	EndpointSlice         = must("discovery.k8s.io", "endpointslices")
	StorageClass          = must("storage.k8s.io", "storageclasses")
	ConfigMap             = must("", "configmaps")
	Secret                = must("", "secrets")
	Account               = must("", "serviceaccounts")
	Lease                 = must("coordination.k8s.io", "leases")
	Definition            = must("apiextensions.k8s.io", "customresourcedefinitions")
)

func must(group, resource string) *Kind {
	for i := range Served {
		if k := &Served[i]; k.Resource == resource && k.Group == group {
			return k
		}
	}
	panic("kinds: " + resource + " is not served")
}

var (
	status = []string{"status"}
	scaled = []string{"scale", "status"}
)

// Served are the kinds, group by group in discovery order.
var Served = []Kind{
	{Version: "v1", Kind: "ConfigMap", Resource: "configmaps", Singular: "configmap", Short: []string{"cm"},
		Namespaced: true,
		New:        func() any { return new(corev1.ConfigMap) }, columns: configMapColumns},
	{Version: "v1", Kind: "Endpoints", Resource: "endpoints", Singular: "endpoints", Short: []string{"ep"},
		Namespaced: true,
		//lint:ignore SA1019 Clients that still ask for Endpoints get them.
		New:     func() any { return new(corev1.Endpoints) },
		columns: endpointsColumns},
	{Version: "v1", Kind: "Event", Resource: "events", Singular: "event", Short: []string{"ev"}, Namespaced: true,
		New: func() any { return new(corev1.Event) }, columns: eventColumns},
	{Version: "v1", Kind: "LimitRange", Resource: "limitranges", Singular: "limitrange", Short: []string{"limits"},
		Namespaced: true, Idle: true, New: func() any { return new(corev1.LimitRange) }},
	{Version: "v1", Kind: "Namespace", Resource: "namespaces", Singular: "namespace", Short: []string{"ns"},
		Subresources: []string{"finalize", "status"}, New: func() any { return new(corev1.Namespace) }, columns: phaseColumns},
	{Version: "v1", Kind: "Node", Resource: "nodes", Singular: "node", Short: []string{"no"},
		Subresources: []string{"proxy", "status"}, New: func() any { return new(corev1.Node) }, columns: nodeColumns},
	{Version: "v1", Kind: "PersistentVolumeClaim", Resource: "persistentvolumeclaims", Singular: "persistentvolumeclaim",
		Short: []string{"pvc"}, Namespaced: true, Subresources: status,
		New: func() any { return new(corev1.PersistentVolumeClaim) }, columns: claimColumns},
	{Version: "v1", Kind: "PersistentVolume", Resource: "persistentvolumes", Singular: "persistentvolume",
		Short: []string{"pv"}, Subresources: status, New: func() any { return new(corev1.PersistentVolume) },
		columns: volumeColumns},
	{Version: "v1", Kind: "Pod", Resource: "pods", Singular: "pod", Short: []string{"po"}, Namespaced: true, All: true,
		Subresources: []string{"attach", "binding", "ephemeralcontainers", "eviction", "exec", "log", "portforward", "proxy",
			"resize", "status"}, New: func() any { return new(corev1.Pod) }, columns: podColumns},
	{Version: "v1", Kind: "PodTemplate", Resource: "podtemplates", Singular: "podtemplate", Namespaced: true, Idle: true,
		New: func() any { return new(corev1.PodTemplate) }, columns: templateColumns},
	{Version: "v1", Kind: "ReplicationController", Resource: "replicationcontrollers", Singular: "replicationcontroller",
		Short: []string{"rc"}, Namespaced: true, All: true, Idle: true, Subresources: scaled,
		New:     func() any { return new(corev1.ReplicationController) },
		columns: controllerColumns},
	{Version: "v1", Kind: "ResourceQuota", Resource: "resourcequotas", Singular: "resourcequota", Short: []string{"quota"},
		Namespaced: true, Idle: true, Subresources: status, New: func() any { return new(corev1.ResourceQuota) },
		columns: quotaColumns},
	{Version: "v1", Kind: "Secret", Resource: "secrets", Singular: "secret", Namespaced: true,
		New: func() any { return new(corev1.Secret) }, columns: secretColumns},
	{Version: "v1", Kind: "ServiceAccount", Resource: "serviceaccounts", Singular: "serviceaccount", Short: []string{"sa"},
		Namespaced: true, Subresources: []string{"token"}, New: func() any { return new(corev1.ServiceAccount) },
		columns: noColumns},
	{Version: "v1", Kind: "Service", Resource: "services", Singular: "service", Short: []string{"svc"}, Namespaced: true,
		All: true, Subresources: []string{"proxy", "status"}, New: func() any { return new(corev1.Service) }, columns: serviceColumns},

	{Group: "apps", Version: "v1", Kind: "ControllerRevision", Resource: "controllerrevisions",
		Singular: "controllerrevision", Namespaced: true, New: func() any { return new(appsv1.ControllerRevision) },
		columns: revisionColumns},
	{Group: "apps", Version: "v1", Kind: "DaemonSet", Resource: "daemonsets", Singular: "daemonset", Short: []string{"ds"},
		Namespaced: true, All: true, Subresources: status,
		New:     func() any { return new(appsv1.DaemonSet) },
		columns: daemonSetColumns},
	{Group: "apps", Version: "v1", Kind: "Deployment", Resource: "deployments", Singular: "deployment",
		Short: []string{"deploy"}, Namespaced: true, All: true, Subresources: scaled,
		New:     func() any { return new(appsv1.Deployment) },
		columns: deploymentColumns},
	{Group: "apps", Version: "v1", Kind: "ReplicaSet", Resource: "replicasets", Singular: "replicaset",
		Short: []string{"rs"}, Namespaced: true, All: true, Subresources: scaled,
		New:     func() any { return new(appsv1.ReplicaSet) },
		columns: controllerColumns},
	{Group: "apps", Version: "v1", Kind: "StatefulSet", Resource: "statefulsets", Singular: "statefulset",
		Short: []string{"sts"}, Namespaced: true, All: true, Subresources: []string{"scale", "status"},
		New: func() any { return new(appsv1.StatefulSet) }, columns: setColumns},

	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingAdmissionPolicy",
		Resource: "mutatingadmissionpolicies",
		Singular: "mutatingadmissionpolicy", Idle: true,
		New:     func() any { return new(admissionv1.MutatingAdmissionPolicy) },
		columns: mutationColumns},
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingAdmissionPolicyBinding",
		Resource: "mutatingadmissionpolicybindings",
		Singular: "mutatingadmissionpolicybinding", Idle: true,
		New:     func() any { return new(admissionv1.MutatingAdmissionPolicyBinding) },
		columns: policyBindingColumns},
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "MutatingWebhookConfiguration",
		Resource: "mutatingwebhookconfigurations",
		Singular: "mutatingwebhookconfiguration", Idle: true,
		New:     func() any { return new(admissionv1.MutatingWebhookConfiguration) },
		columns: webhookColumns},
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingAdmissionPolicy",
		Resource: "validatingadmissionpolicies",
		Singular: "validatingadmissionpolicy", Idle: true, Subresources: status,
		New:     func() any { return new(admissionv1.ValidatingAdmissionPolicy) },
		columns: validationColumns},
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingAdmissionPolicyBinding",
		Resource: "validatingadmissionpolicybindings",
		Singular: "validatingadmissionpolicybinding", Idle: true,
		New:     func() any { return new(admissionv1.ValidatingAdmissionPolicyBinding) },
		columns: policyBindingColumns},
	{Group: "admissionregistration.k8s.io", Version: "v1", Kind: "ValidatingWebhookConfiguration",
		Resource: "validatingwebhookconfigurations",
		Singular: "validatingwebhookconfiguration", Idle: true,
		New:     func() any { return new(admissionv1.ValidatingWebhookConfiguration) },
		columns: webhookColumns},
	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Resource: "customresourcedefinitions",
		Singular: "customresourcedefinition", Short: []string{"crd", "crds"}, Subresources: status, Plain: true,
		columns: definitionColumns},
	{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler", Resource: "horizontalpodautoscalers",
		Singular: "horizontalpodautoscaler", Short: []string{"hpa"}, Namespaced: true, All: true, Idle: true,
		Subresources: status, New: func() any { return new(autoscalingv2.HorizontalPodAutoscaler) },
		columns: scalerColumns},
	{Group: "batch", Version: "v1", Kind: "CronJob", Resource: "cronjobs", Singular: "cronjob", Short: []string{"cj"},
		Namespaced: true, All: true, Subresources: status,
		New:     func() any { return new(batchv1.CronJob) },
		columns: cronJobColumns},
	{Group: "batch", Version: "v1", Kind: "Job", Resource: "jobs", Singular: "job", Namespaced: true, All: true,
		Subresources: status, New: func() any { return new(batchv1.Job) },
		columns: jobColumns},
	{Group: "coordination.k8s.io", Version: "v1", Kind: "Lease", Resource: "leases", Singular: "lease", Namespaced: true,
		New: func() any { return new(coordinationv1.Lease) }, columns: leaseColumns},
	{Group: "discovery.k8s.io", Version: "v1", Kind: "EndpointSlice", Resource: "endpointslices",
		Singular: "endpointslice", Namespaced: true, New: func() any { return new(discoveryv1.EndpointSlice) },
		columns: sliceColumns},
	{Group: "events.k8s.io", Version: "v1", Kind: "Event", Resource: "events", Singular: "event", Short: []string{"ev"},
		Namespaced: true, New: func() any { return new(eventsv1.Event) },
		columns: eventColumns},
	{Group: "networking.k8s.io", Version: "v1", Kind: "Ingress", Resource: "ingresses", Singular: "ingress",
		Short: []string{"ing"}, Namespaced: true, Idle: true, Subresources: status,
		New:     func() any { return new(networkingv1.Ingress) },
		columns: ingressColumns},
	{Group: "networking.k8s.io", Version: "v1", Kind: "IngressClass", Resource: "ingressclasses",
		Singular: "ingressclass", Idle: true, New: func() any { return new(networkingv1.IngressClass) },
		columns: ingressClassColumns},
	{Group: "networking.k8s.io", Version: "v1", Kind: "NetworkPolicy", Resource: "networkpolicies",
		Singular: "networkpolicy", Short: []string{"netpol"}, Namespaced: true, Idle: true,
		New:     func() any { return new(networkingv1.NetworkPolicy) },
		columns: policyColumns},
	{Group: "networking.k8s.io", Version: "v1", Kind: "IPAddress", Resource: "ipaddresses", Singular: "ipaddress",
		Short: []string{"ip"}, Idle: true, New: func() any { return new(networkingv1.IPAddress) }},
	{Group: "networking.k8s.io", Version: "v1", Kind: "ServiceCIDR", Resource: "servicecidrs", Singular: "servicecidr",
		Idle: true, Subresources: status, New: func() any { return new(networkingv1.ServiceCIDR) }},
	{Group: "node.k8s.io", Version: "v1", Kind: "RuntimeClass", Resource: "runtimeclasses",
		Singular: "runtimeclass", Idle: true, New: func() any { return new(nodev1.RuntimeClass) },
		columns: runtimeColumns},
	{Group: "policy", Version: "v1", Kind: "PodDisruptionBudget", Resource: "poddisruptionbudgets",
		Singular: "poddisruptionbudget", Short: []string{"pdb"}, Namespaced: true, Subresources: status,
		New: func() any { return new(policyv1.PodDisruptionBudget) }, columns: budgetColumns},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRoleBinding", Resource: "clusterrolebindings",
		Singular: "clusterrolebinding", Idle: true, New: func() any { return new(rbacv1.ClusterRoleBinding) },
		columns: bindingColumns},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole", Resource: "clusterroles",
		Singular: "clusterrole", Idle: true, New: func() any { return new(rbacv1.ClusterRole) }},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "RoleBinding", Resource: "rolebindings",
		Singular: "rolebinding", Namespaced: true, Idle: true, New: func() any { return new(rbacv1.RoleBinding) },
		columns: bindingColumns},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "Role", Resource: "roles", Singular: "role",
		Namespaced: true, Idle: true, New: func() any { return new(rbacv1.Role) }},
	{Group: "scheduling.k8s.io", Version: "v1", Kind: "PriorityClass", Resource: "priorityclasses",
		Singular: "priorityclass", Short: []string{"pc"}, Idle: true,
		New:     func() any { return new(schedulingv1.PriorityClass) },
		columns: priorityColumns},
	{Group: "storage.k8s.io", Version: "v1", Kind: "CSIDriver", Resource: "csidrivers",
		Singular: "csidriver", Idle: true, New: func() any { return new(storagev1.CSIDriver) },
		columns: driverColumns},
	{Group: "storage.k8s.io", Version: "v1", Kind: "CSINode", Resource: "csinodes",
		Singular: "csinode", Idle: true, Subresources: status, New: func() any { return new(storagev1.CSINode) },
		columns: csiNodeColumns},
	{Group: "storage.k8s.io", Version: "v1", Kind: "CSIStorageCapacity", Resource: "csistoragecapacities",
		Singular: "csistoragecapacity", Namespaced: true, Idle: true,
		New: func() any { return new(storagev1.CSIStorageCapacity) }},
	{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass", Resource: "storageclasses", Singular: "storageclass",
		Short: []string{"sc"}, New: func() any { return new(storagev1.StorageClass) }, columns: classColumns},
	{Group: "storage.k8s.io", Version: "v1", Kind: "VolumeAttachment", Resource: "volumeattachments",
		Singular: "volumeattachment", Idle: true, Subresources: status,
		New:     func() any { return new(storagev1.VolumeAttachment) },
		columns: attachmentColumns},
	{Group: "storage.k8s.io", Version: "v1", Kind: "VolumeAttributesClass", Resource: "volumeattributesclasses",
		Singular: "volumeattributesclass", Short: []string{"vac"}, Idle: true,
		New: func() any { return new(storagev1.VolumeAttributesClass) }, columns: attributesColumns},
}
