package symptom

import (
	"fmt"
	"strings"
)

var (
	// ClaimRefused are in the message about a pod whose PVC is refused: no change of the pod template alters that.
	ClaimRefused = words("^create Claim |failed to create PVC ")
	// InTerminatingNamespace are those of the API server that refuses to create an object in a namespace that is being
	// deleted: nothing lets it be created.
	InTerminatingNamespace = deletions.named("namespace-deleted").Words
	// TooLong are in a message about a label that is longer than labels may be.
	TooLong = words(tooLong)
)

// FailedDelete is the reason of the event about a set whose pod the API server does not let its controller delete.
const FailedDelete = "FailedDelete"

// Unremovable is about such a pod.
var Unremovable = Row{Name: "delete-refused", Source: "statefulset controller, stateful_pod_control.go",
	Reasons: []string{FailedDelete}, Sentence: "the API server refuses to let {pod} be deleted: {says}",
	Ends: "kubectl delete pod {pod} meets the same refusal, and so does an eviction. Do what it asks for, or change {who}: then " +
		"the controller deletes {pod} by itself, within a quarter of an hour."}

// Refusal returns why the API server refuses pods, or their PVCs, by its message; Nothing if no row has it.
func Refusal(message string) *Row { return refusals.row("", message) }

const plugins = "kube-apiserver 1.29 to 1.38, plugin/pkg/admission/"

var refusals = Family{
	{Name: "quota", Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/resourcequota",
		Words: words(`exceeded quota: ([^,]+),`), Kind: "ResourceQuota", Does: "raising the ResourceQuota {found}",
		Needs: "it then allows what the {things} request, or that other {things} of the namespace{others}"},
	{Name: "quota for what is not requested", Words: words(`failed quota: ([^:]+): must specify`),
		Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/resourcequota", Kind: "ResourceQuota",
		Does: "editing the ResourceQuota {found}", Needs: "it no longer counts what the containers do not request, or that " +
			"a LimitRange gives them defaults"},
	{Name: "LimitRange", Source: plugins + "limitranger",
		Words: words(`(maximum|minimum) \S+ usage per \S+ is |max limit to request ratio per `),
		Needs: "the LimitRange of the namespace is changed first (kubectl -n {namespace} describe limitrange)"},
	{Name: "ServiceAccount", Source: plugins + "serviceaccount", Words: words(`serviceaccount "([^"]+)" not found`),
		Kind: "ServiceAccount", Does: "creating the ServiceAccount {found}",
		Needs: "nothing else should have created it, such as the chart of the StatefulSet"},
	{Name: "RuntimeClass", Source: plugins + "runtimeclass", Kind: "RuntimeClass",
		Words: words(`RuntimeClass(?:\.node\.k8s\.io)? "([^"]+)" not found`), Does: "creating the RuntimeClass {found}",
		Needs: "HANDLER is a handler that the container runtimes of the nodes have"},
	{Name: "webhook away", Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/webhook", Refused: true,
		Words: words(`failed calling webhook "([^"]+)"`), Needs: "the webhook {found} answers again (kubectl get " +
			"mutatingwebhookconfigurations,validatingwebhookconfigurations shows its Service). No change of the StatefulSet " +
			"helps"},
	{Name: "quota not counted", Refused: true,
		Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/resourcequota/controller.go",
		Words: words(`resource quota evaluation timed out|cannot be fulfilled on resourcequotas|` +
			`status unknown for quota: ([^,]+),`),
		Needs: "the ResourceQuotas of the namespace are counted again: the API server is overloaded, many objects are created " +
			"at once, or kube-controller-manager does not work. No change of the StatefulSet helps"},
	{Name: "no answer", Refused: true, Source: "kube-apiserver 1.29 to 1.38, apimachinery/pkg/api/errors, " +
		"apiserver/pkg/endpoints/handlers/finisher",
		Words: words(`request did not complete within|could not be completed at this time|` +
			`unable to return a response in the time allotted|context deadline exceeded`),
		Needs: "the API server answers in time again. It may be overloaded, etcd may be slow, or webhooks that do not answer " +
			"use up the time of a request (kubectl get mutatingwebhookconfigurations,validatingwebhookconfigurations). No change " +
			"of the StatefulSet helps"},
	{Name: "SecurityContextConstraints", Source: "OpenShift", Words: words("security context constraint"),
		Needs: "a SecurityContextConstraints that allows what the pods ask for is given to their ServiceAccount first (oc " +
			"-n {namespace} adm policy add-scc-to-user SCC -z {account})"},
	{Name: "webhook", Source: "kube-apiserver 1.29 to 1.38, apiserver/pkg/admission/plugin/webhook/errors",
		Words: words(`admission webhook "([^"]+)" denied`),
		Needs: "the policy behind the webhook {found} is changed first, and admits the {things}"},
	{Name: "policy", Source: "kube-apiserver 1.30 to 1.38, apiserver/pkg/admission/plugin/policy/validating",
		Words: words(`ValidatingAdmissionPolicy '([^']+)'`),
		Needs: "the ValidatingAdmissionPolicy {found}, or its binding, is changed first, and admits the {things}"},
	{Name: "PodSecurity", Source: "kube-apiserver 1.29 to 1.38, pod-security-admission",
		Words: words(`violates PodSecurity "([^":]+)`),
		Needs: "the label pod-security.kubernetes.io/enforce of the namespace, {found}, is changed first"},
	{Name: "invalid", Source: "kube-apiserver, validation", Words: words(` is invalid: \[?((?:spec\.\w+\[\d+\])?)`), Certain: true,
		Needs: "the template has no {found}: what adds it to the {things} is changed first, such as a mutating webhook (kubectl " +
			"get mutatingwebhookconfigurations), or it no longer adds it to them"},
}

// Unadmitted is what an edit of the template does about pods that are refused.
var Unadmitted = Row{Name: "not admitted", Does: "let the pods of %s be admitted",
	Needs: "the edit removes the reason why the pods are refused" + OrFix}

var (
	// exceeds and bounded find the amounts in the messages of a quota that is used up, and of a LimitRange.
	exceeds = words(`exceeded quota: ([^,]+), requested: (\S+), used: (\S+), limited: (\S+)`)
	bounded = words(`(maximum|minimum) (\S+) usage per (\w+) is [^,]+, but (?:limit|request) is ([^\s,"\]]+)`)
)

// Exceeded is what a ResourceQuota says that is used up: its name, what a pod requests, and what is used, as
// "requests.cpu=2,pods=3"; all is the text with these.
type Exceeded struct{ All, Quota, Requested, Used string }

// QuotaExceeded returns what a refusal says of a ResourceQuota that is used up; nil if it says nothing of the kind.
func QuotaExceeded(refusal string) *Exceeded {
	found := exceeds().FindStringSubmatch(refusal)
	if found == nil {
		return nil
	}
	return &Exceeded{found[0], found[1], found[2], found[3]}
}

// Again returns a refusal by the same quota, of which more is used.
func (e *Exceeded) Again(refusal, used, limited string) string {
	return strings.Replace(refusal, e.All, fmt.Sprintf("exceeded quota: %s, requested: %s, used: %s, limited: %s", e.Quota,
		e.Requested, used, limited), 1)
}

// Bound is what a pod does not keep of a LimitRange: a resource, of containers or pods, and the amount that the pod has.
type Bound struct{ Resource, Of, Has string }

// Bounds returns the bounds of LimitRanges that a refusal names.
func Bounds(refusal string) (list []Bound) {
	for _, found := range bounded().FindAllStringSubmatch(refusal, -1) {
		list = append(list, Bound{found[2], found[3], strings.TrimRight(found[4], ".")})
	}
	return list
}

// Beyond says what a LimitRange says of a bound that a pod does not keep.
func (b Bound) Beyond(least bool, bound string) string {
	if least {
		return fmt.Sprintf("minimum %s usage per %s is %s, but request is %s", b.Resource, b.Of, bound, b.Has)
	}
	return fmt.Sprintf("maximum %s usage per %s is %s, but limit is %s", b.Resource, b.Of, bound, b.Has)
}

// Missing reports whether a refusal says that an object does not exist.
func Missing(refusal, kind, namespace, name string) bool {
	switch kind {
	case "ServiceAccount":
		return strings.Contains(refusal, `serviceaccount "`+name+`" not found`) ||
			strings.Contains(refusal, "service account "+namespace+"/"+name+":")
	case "PriorityClass":
		return strings.Contains(refusal, "PriorityClass with name "+name+" ")
	}
	return strings.Contains(strings.ToLower(refusal), strings.ToLower(kind)) && strings.Contains(refusal, `"`+name+`"`)
}

// NotFound reports whether a message says in these words that an object is not found: KIND "NAME" or KIND.GROUP "NAME".
// Other names in it, like that of the volume, are not meant.
func NotFound(message, kind, name string) bool {
	before, _, found := strings.Cut(message, ` "`+name+`" not found`)
	is, _, _ := strings.Cut(before[strings.LastIndex(before, " ")+1:], ".")
	return found && strings.EqualFold(is, kind)
}

const tooLong = "must be no more than 63 characters"

// The answers of the API server that a dump may show without its words, as formats: about a label of a pod that is too
// long, the PriorityClass of a pod that does not exist, and a kind and name in a namespace that is being deleted.
const (
	LabelTooLong  = "Pod %q is invalid: metadata.labels: Invalid value: %q: " + tooLong
	NoPriority    = "pods %q is forbidden: there is no PriorityClass with the name %s"
	NamespaceGoes = "%s %q is forbidden: unable to create new content in namespace %s because it is being terminated"
)
