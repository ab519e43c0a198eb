package names

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// rule is the rule for the names at a path. In a path, [] means each item of a list, and {} each key of a mapping
// of labels, whose keys have a rule of their own.
type rule struct {
	at    string
	check func(string) []string
}

// The rules of Kubernetes, by what they are about.
var (
	label      = validation.IsDNS1123Label
	subdomain  = validation.IsDNS1123Subdomain
	labelKey   = validation.IsQualifiedName
	labelValue = validation.IsValidLabelValue
	anything   = func(string) []string { return nil }
)

// uid is wider than what API servers give, which are UUIDs: other tools print other ones.
func uid(value string) []string {
	if strings.ContainsFunc(value, func(r rune) bool {
		return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("-_.:/", r))
	}) {
		return []string{"a UID has letters, digits and dashes"}
	}
	return nil
}

// identity are the rules for the fields that identify an object, everywhere the rules for the rest of its metadata.
var (
	identity = []rule{
		{"metadata.name", subdomain},
		{"metadata.namespace", label},
	}
	everywhere = []rule{
		{"metadata.uid", uid},
		{"metadata.labels.{}", labelValue},
		{"metadata.annotations.{}", anything},
		{"metadata.finalizers.[]", labelKey},
	}
)

// likePods are the kinds that sim reports on, or that have an effect.
var likePods = []string{"StatefulSet", "Pod", "PersistentVolumeClaim", "PersistentVolume", "Service", "ConfigMap",
	"Secret",
	"PodDisruptionBudget", "ResourceQuota", "LimitRange", "HorizontalPodAutoscaler", "StorageClass", "Node", "Namespace",
	"ServiceAccount", "Deployment", "DaemonSet", "Job", "CronJob", "Ingress", "NetworkPolicy"}

// of are the rules for references in objects of a kind.
var of = map[string][]rule{
	"StatefulSet": append(podSpec("spec.template.spec."), []rule{
		{"spec.serviceName", subdomain},
		{"spec.selector.matchLabels.{}", labelValue},
		{"spec.template.metadata.labels.{}", labelValue},
		{"spec.template.metadata.annotations.{}", anything},
		{"spec.volumeClaimTemplates.[].metadata.name", subdomain},
		{"spec.volumeClaimTemplates.[].metadata.labels.{}", labelValue},
		{"spec.volumeClaimTemplates.[].spec.storageClassName", subdomain},
		{"status.currentRevision", subdomain},
		{"status.updateRevision", subdomain},
	}...),
	"Pod": append(podSpec("spec."), []rule{
		{"status.nominatedNodeName", subdomain},
		{"status.containerStatuses.[].name", label},
		{"status.initContainerStatuses.[].name", label},
	}...),
	"PersistentVolumeClaim": {
		{"spec.volumeName", subdomain},
		{"spec.storageClassName", subdomain},
		{"spec.volumeAttributesClassName", subdomain},
		{"status.currentVolumeAttributesClassName", subdomain},
	},
	"PersistentVolume": {
		{"spec.claimRef.name", subdomain},
		{"spec.claimRef.namespace", label},
		{"spec.claimRef.uid", uid},
		{"spec.storageClassName", subdomain},
	},
	"ControllerRevision": append(podSpec("data.spec.template.spec."), []rule{
		{"data.spec.template.metadata.labels.{}", labelValue},
	}...),
	"PodDisruptionBudget": {{"spec.selector.matchLabels.{}", labelValue}},
	"Service":             {{"spec.selector.{}", labelValue}},
	"Node": {
		{"spec.taints.[].key", labelKey},
		{"spec.taints.[].value", labelValue},
	},
}

// podSpec are the rules for the spec of pods.
func podSpec(at string) []rule {
	rules := []rule{
		{"nodeName", subdomain},
		{"nodeSelector.{}", labelValue},
		{"serviceAccountName", subdomain},
		{"priorityClassName", subdomain},
		{"runtimeClassName", subdomain},
		{"imagePullSecrets.[].name", subdomain},
		{"containers.[].name", label},
		{"initContainers.[].name", label},
		{"ephemeralContainers.[].name", label},
		{"volumes.[].name", label},
		{"volumes.[].persistentVolumeClaim.claimName", subdomain},
		{"volumes.[].configMap.name", subdomain},
		{"volumes.[].secret.secretName", subdomain},
	}
	for i := range rules {
		rules[i].at = at + rules[i].at
	}
	return rules
}
