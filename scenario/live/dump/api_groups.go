package dump

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// groups are the API groups of the kinds that are read, where they are not the core group. Other groups have kinds of
// the same names: the StatefulSet of OpenKruise, the Node of Longhorn, the Service of Knative.
var groups = map[string][]string{
	kindPod: {""}, kindClaim: {""}, kindVolume: {""}, kindService: {""}, kindNode: {""}, kindQuota: {""}, kindLimits: {""},
	kindSpace: {""}, "Secret": {""}, "ConfigMap": {""}, "ServiceAccount": {""}, "PriorityClass": {"scheduling.k8s.io"},
	kindSet: {"apps"}, kindRevision: {"apps"}, kindBudget: {"policy"}, kindEvent: {"", "events.k8s.io"},
	kindClass: {"storage.k8s.io"}, kindAttached: {"storage.k8s.io"}, kindAutoscaler: {"autoscaling"},
	kindScaledObject: {"keda.sh"},
}

// groupOf returns the group of an apiVersion; "" is the core group.
func groupOf(apiVersion string) string {
	group, _, grouped := strings.Cut(apiVersion, "/")
	if !grouped {
		return ""
	}
	return group
}

// isKubernetes says whether a kind of an apiVersion is Kubernetes' own. One without apiVersion counts.
func isKubernetes(kind, apiVersion string) bool {
	own := groups[kind]
	if own == nil {
		own = []string{""}
	}
	return apiVersion == "" || slices.Contains(own, groupOf(apiVersion))
}

// KindOf returns the kind of an object, with its group behind it if that is not the one in which Kubernetes has a kind
// of the name: Service.serving.knative.dev.
func KindOf(kind, apiVersion string) string {
	if groups[kind] == nil || isKubernetes(kind, apiVersion) {
		return kind
	}
	return kind + "." + groupOf(apiVersion)
}

// isSet says whether an owner is a StatefulSet of Kubernetes.
func isSet(owner *metav1.OwnerReference) bool {
	return owner != nil && owner.Kind == kindSet && isKubernetes(kindSet, owner.APIVersion)
}

// setOf returns the name of the StatefulSet that controls an object; "" if none does.
func setOf(meta *metav1.ObjectMeta) string {
	if owner := metav1.GetControllerOfNoCopy(meta); isSet(owner) {
		return owner.Name
	}
	return ""
}
