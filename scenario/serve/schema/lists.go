package schema

import (
	"strings"
	"sync"
)

// keysOf are the lists whose items have other keys in server-side apply than in strategic merge patches; a list
// without keys is a set.
var keysOf = sync.OnceValue(func() map[string][]any {
	return map[string][]any{
		"core.v1.Container.ports":                                 {"containerPort", "protocol"},
		"core.v1.EphemeralContainerCommon.ports":                  {"containerPort", "protocol"},
		"core.v1.ContainerRestartRuleOnExitCodes.values":          {},
		"core.v1.NodeAllocatableResourceClaimStatus.containers":   {},
		"core.v1.NodePodPreemptionPolicy.disableResizePreemption": {},
		"core.v1.PodSpec.topologySpreadConstraints":               {"topologyKey", "whenUnsatisfiable"},
		"core.v1.PodStatus.volumeHealth":                          {"name"},
		"core.v1.PodVolumeHealth.healthConditions":                {"status", "reason"},
		"core.v1.VolumeHealthStatus.healthConditions":             {"status", "reason"},
		"core.v1.ResourceRequirements.claims":                     {"name"},
		"core.v1.ResourceStatus.resources":                        {"resourceID"},
		"core.v1.ServiceSpec.ports":                               {"port", "protocol"},
		"core.v1.VolumeMount.bindMountOptions":                    {},
		"discovery.v1.Endpoint.addresses":                         {},
	}
})

// atomic are the types, and the lists and maps in fields, that are applied as one whole, although a patch merges them.
var atomic = sync.OnceValue(func() map[string]bool {
	return map[string]bool{
		"core.v1.ConfigMapKeySelector": true, "core.v1.EndpointAddress": true, "core.v1.EndpointPort": true,
		"core.v1.EvictionResponder": true, "core.v1.FileKeySelector": true, "core.v1.LocalObjectReference": true,
		"core.v1.NodeSelector": true, "core.v1.NodeSelectorTerm": true, "core.v1.ObjectFieldSelector": true,
		"core.v1.ObjectReference": true, "core.v1.PodSpec.nodeSelector": true, "core.v1.PodStatus.hostIPs": true,
		"core.v1.ResourceFieldSelector": true, "core.v1.ScopeSelector": true, "core.v1.SecretKeySelector": true,
		"core.v1.SecretReference": true, "core.v1.ServiceSpec.selector": true, "core.v1.TopologySelectorTerm": true,
		"core.v1.TypedLocalObjectReference": true, "discovery.v1.EndpointPort": true, "rbac.v1.RoleRef": true,
		"rbac.v1.Subject": true, "meta.v1.LabelSelector": true, "meta.v1.OwnerReference": true,
	}
})

// defaults are the defaults of the fields that tell the items of a list apart.
var defaults = sync.OnceValue(func() map[string]any {
	return map[string]any{"core.v1.ContainerPort.protocol": "TCP", "core.v1.ServicePort.protocol": "TCP"}
})

// contrary are the exceptions: fields that are required, or not, contrary to what their tags say.
var contrary = sync.OnceValue(func() []string {
	return strings.Fields(`
	apps.v1.ControllerRevision.revision apps.v1.DaemonSet.spec apps.v1.DaemonSetCondition.status
	apps.v1.DaemonSetCondition.type apps.v1.DaemonSetSpec.selector apps.v1.Deployment.spec
	apps.v1.DeploymentCondition.status apps.v1.DeploymentCondition.type apps.v1.DeploymentSpec.selector
	apps.v1.ReplicaSet.spec apps.v1.ReplicaSetCondition.status apps.v1.ReplicaSetCondition.type
	apps.v1.ReplicaSetSpec.selector apps.v1.StatefulSet.spec apps.v1.StatefulSetCondition.status
	apps.v1.StatefulSetCondition.type apps.v1.StatefulSetOrdinals.start apps.v1.StatefulSetSpec.selector
	apps.v1.StatefulSetSpec.serviceName apps.v1.StatefulSetStatus.availableReplicas core.v1.ContainerImage.names
	core.v1.ContainerRestartRule.action core.v1.ContainerRestartRuleOnExitCodes.operator
	core.v1.Event.reportingComponent core.v1.Event.reportingInstance core.v1.EvictionResponder.priority
	core.v1.ImageVolumeStatus.imageRef core.v1.NodeAllocatableMappedResources.quantity core.v1.NodeRuntimeHandler.name
	core.v1.PodCertificateProjection.keyType core.v1.PodCertificateProjection.signerName
	core.v1.ProjectedVolumeSource.sources core.v1.ScaleIOPersistentVolumeSource.secretRef
	core.v1.ScaleIOVolumeSource.secretRef discovery.v1.EndpointSlice.endpoints discovery.v1.EndpointSlice.ports
	policy.v1.PodDisruptionBudgetStatus.currentHealthy policy.v1.PodDisruptionBudgetStatus.desiredHealthy
	policy.v1.PodDisruptionBudgetStatus.disruptionsAllowed policy.v1.PodDisruptionBudgetStatus.expectedPods
	rbac.v1.ClusterRole.rules rbac.v1.Role.rules rbac.v1.RoleRef.apiGroup`)
})
