package symptom

import (
	"strings"

	"github.com/statefulsim/statefulsim/sim/view/lazy"
)

// ClaimRefused reports whether the message about a pod that cannot be created says that its PVC is refused: no change
// of the pod template alters that.
func ClaimRefused(message string) bool {
	return strings.HasPrefix(message, "create Claim ") || strings.Contains(message, "failed to create PVC ")
}

// InTerminatingNamespace reports whether the message is of the API server that refuses to create an object in a
// namespace that is being deleted: nothing lets it be created.
func InTerminatingNamespace(message string) bool {
	return strings.Contains(message, "because it is being terminated")
}

// Refusal returns why the API server refuses pods, or their PVCs, by its message; nil if no row has it.
func Refusal(message string) *Row { return refusals.row("", message) }

const plugins = "kube-apiserver 1.29 to 1.38, plugin/pkg/admission/"

var refusals = Family{
	{Name: "quota", Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/resourcequota",
		Words: lazy.Regexp(`exceeded quota: ([^,]+),`), Kind: "ResourceQuota", Does: "raising the ResourceQuota {found}",
		Needs: "it then allows what the {things} request, or that other {things} of the namespace{others}"},
	{Name: "quota for what is not requested", Words: lazy.Regexp(`failed quota: ([^:]+): must specify`),
		Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/resourcequota", Kind: "ResourceQuota",
		Does: "editing the ResourceQuota {found}", Needs: "it no longer counts what the containers do not request, or that " +
			"a LimitRange gives them defaults"},
	{Name: "LimitRange", Source: plugins + "limitranger",
		Words: lazy.Regexp(`(maximum|minimum) \S+ usage per \S+ is |max limit to request ratio per `),
		Needs: "the LimitRange of the namespace is changed first (kubectl -n {namespace} describe limitrange)"},
	{Name: "ServiceAccount", Source: plugins + "serviceaccount", Words: lazy.Regexp(`serviceaccount "([^"]+)" not found`),
		Kind: "ServiceAccount", Does: "creating the ServiceAccount {found}",
		Needs: "nothing else should have created it, such as the chart of the StatefulSet"},
	{Name: "RuntimeClass", Source: plugins + "runtimeclass", Kind: "RuntimeClass",
		Words: lazy.Regexp(`RuntimeClass(?:\.node\.k8s\.io)? "([^"]+)" not found`), Does: "creating the RuntimeClass {found}",
		Needs: "HANDLER is a handler that the container runtimes of the nodes have"},
	{Name: "webhook away", Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/webhook", Refused: true,
		Words: lazy.Regexp(`failed calling webhook "([^"]+)"`), Needs: "the webhook {found} answers again (kubectl get " +
			"mutatingwebhookconfigurations,validatingwebhookconfigurations shows its Service). No change of the StatefulSet " +
			"helps"},
	{Name: "SecurityContextConstraints", Source: "OpenShift", Words: lazy.Regexp("security context constraint"),
		Needs: "a SecurityContextConstraints that allows what the pods ask for is given to their ServiceAccount first (oc " +
			"-n {namespace} adm policy add-scc-to-user SCC -z {account})"},
	{Name: "webhook", Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/webhook/errors",
		Words: lazy.Regexp(`admission webhook "([^"]+)" denied`),
		Needs: "the policy behind the webhook {found} is changed first, and admits the {things}"},
	{Name: "policy", Source: "kube-apiserver 1.30 to 1.38, apiserver/pkg/admission/plugin/policy/validating",
		Words: lazy.Regexp(`ValidatingAdmissionPolicy '([^']+)'`),
		Needs: "the ValidatingAdmissionPolicy {found}, or its binding, is changed first, and admits the {things}"},
	{Name: "PodSecurity", Source: "kube-apiserver 1.29 to 1.38, pod-security-admission",
		Words: lazy.Regexp(`violates PodSecurity "([^":]+)`),
		Needs: "the label pod-security.kubernetes.io/enforce of the namespace, {found}, is changed first"},
	{Name: "invalid", Source: "kube-apiserver, validation", Words: lazy.Regexp(" is invalid: "), Certain: true},
}
