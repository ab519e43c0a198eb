package dump

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/live/symptom"
	"github.com/statefulsim/statefulsim/sim"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
	"github.com/statefulsim/statefulsim/sim/view/reasons"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

// admission returns the function that refuses the pods that cannot be created; nil if there are none. It refuses by
// what the message is about: when that changes in the template, the API server is asked again. The message is that of
// an event if the dump has one. The messages are those of the controller's calls, with the name of the pod that is
// refused in place of the one that the event names.
func (s *stays) admission(config sim.Config) func(*model.Pod) *model.APIError {
	var refused []suspicion
	var classes []string
	first := map[refusal]int{}
	for _, pod := range s.tried(config) {
		if s.allowed[model.Key{Namespace: pod.Namespace, Name: ownerName(pod)}] {
			continue
		}
		class := PartsOf(pod.Template).priorityClass()
		guess := s.guess(pod, class)
		if message := s.Sets[model.Key{Namespace: pod.Namespace, Name: ownerName(pod)}].FailedCreate; message != "" {
			guess = suspicion{message: message, about: about(message)}
			guess.alike = symptom.Refusal(message).None() && s.runs(pod) || Injected(pod.Template, message)
		}
		if class != "" && !s.hasClass(class) {
			classes = append(classes, class)
		}
		of := refusal{pod.Namespace, guess.about, guess.about.of(pod.Template)}
		if _, known := first[of]; !known {
			first[of], refused = len(refused), append(refused, guess)
		}
	}
	if len(refused)+len(s.Going) == 0 {
		return nil
	}
	return func(pod *model.Pod) *model.APIError {
		if n := s.Going[pod.Namespace]; n != nil {
			return n.refuses("pods", pod.Name)
		}
		if s.admits[pod.Key()] {
			return nil
		}
		at := len(refused)
		for about := anyPart; about <= wholeSpec; about++ {
			if i, known := first[refusal{pod.Namespace, about, about.of(pod.Template)}]; known {
				at = min(at, i)
			}
		}
		if at < len(refused) {
			message := podNamed().ReplaceAllString(refused[at].message, "${1}"+pod.Name+"${2}")
			return &model.APIError{Reason: model.Forbidden, Message: message, Alike: refused[at].alike}
		}
		if class := PartsOf(pod.Template).priorityClass(); class != "" && slices.Contains(classes, class) {
			return &model.APIError{Reason: model.Forbidden, Message: fmt.Sprintf(symptom.NoPriority, pod.Name, class)}
		}
		return nil
	}
}

// Injected reports whether a refusal is about a container that a template does not have: admission adds it to the pods.
func Injected(template *model.Template, refusal string) bool {
	parts, of := PartsOf(template), strings.TrimPrefix(symptom.Refusal(refusal).Found(refusal), "spec.")
	list, at, _ := strings.Cut(strings.TrimSuffix(of, "]"), "[")
	index, err := strconv.Atoi(at)
	has, is := map[string]int{"containers": len(parts.Containers), "initContainers": len(parts.InitContainers)}[list]
	return is && err == nil && index >= has
}

// suspicion is the message with which a pod is refused, and what of its template that is about. alike is true if pods
// with the same spec run: then it is most likely a quota, or a webhook, against which no change of the template helps.
type suspicion struct {
	message string
	about   part
	alike   bool
}

// guess returns why a pod cannot be created where no event says it. class is its PriorityClass.
func (s *stays) guess(pod *model.Pod, class string) suspicion {
	switch revision := pod.Revision(); {
	case len(revision) > 63:
		return suspicion{about: wholeSpec, message: fmt.Sprintf(symptom.LabelTooLong, pod.Name, revision)}
	case class != "" && !s.hasClass(class):
		return suspicion{about: wholeSpec, message: fmt.Sprintf(
			"pods %q is forbidden (most likely: there is no PriorityClass with the name %s)", pod.Name, class)}
	case s.outOfRange(pod) != "":
		return suspicion{about: resources, message: s.outOfRange(pod)}
	// With the same spec as a Ready pod it is hardly the spec that is refused.
	case s.runs(pod):
		return suspicion{alike: true, about: anyPart, message: fmt.Sprintf("pods %q is refused, although pods with the "+
			"same spec run (most likely a ResourceQuota is full, or an admission webhook is away)%s", pod.Name, OnlyEvents)}
	}
	asks := resources.of(pod.Template)
	other := s.beside(pod, func(t *model.Template) bool { return resources.of(t) != asks })
	if other != "" {
		return suspicion{about: resources, message: fmt.Sprintf("pods %q is refused, most likely by a ResourceQuota or a "+
			"LimitRange, since it requests other resources than %s%s", pod.Name, other, OnlyEvents)}
	}
	return suspicion{about: wholeSpec, message: fmt.Sprintf(
		"pods %q is refused by a ResourceQuota, a LimitRange or an admission webhook%s", pod.Name, OnlyEvents)}
}

// outOfRange says with which words a LimitRange of the dump would refuse a pod, in those of the admission plug-in
// (plugin/pkg/admission/limitranger, v1.37.2); "" if none would. Only limits of containers are looked at: they are what
// people set. A pod that ran before the LimitRange came is refused when it is made again.
func (s *stays) outOfRange(pod *model.Pod) string {
	for _, limits := range s.ranges {
		if cmp.Or(limits.Namespace, "default") != pod.Namespace {
			continue
		}
		for i := range limits.Spec.Limits {
			item := &limits.Spec.Limits[i]
			if item.Type != corev1.LimitTypeContainer {
				continue
			}
			for _, c := range containersOf(pod.Template) {
				if says := beyond(item, &c.Resources); says != "" {
					return fmt.Sprintf("pods %q is forbidden: %s (most likely: the LimitRange %s has refused it)", pod.Name, says,
						limits.Name)
				}
			}
		}
	}
	return ""
}

// beyond says which bound of a LimitRange the resources of a container do not keep, after its defaults; "" for none.
func beyond(item *corev1.LimitRangeItem, of *corev1.ResourceRequirements) string {
	for i, bounds := range []corev1.ResourceList{item.Max, item.Min} {
		least, has := i == 1, []corev1.ResourceList{of.Limits, item.Default}
		if least {
			has = []corev1.ResourceList{of.Requests, of.Limits, item.DefaultRequest}
		}
		for _, name := range slices.Sorted(maps.Keys(bounds)) {
			bound, amount := bounds[name], amountOf(name, has...)
			if amount != nil && (!least && amount.Cmp(bound) > 0 || least && amount.Cmp(bound) < 0) {
				return symptom.Bound{Resource: string(name), Of: string(item.Type), Has: amount.String()}.Beyond(least, bound.String())
			}
		}
	}
	return ""
}

// amountOf returns the amount of a resource in the first of some lists that has it; nil if none has.
func amountOf(name corev1.ResourceName, lists ...corev1.ResourceList) *resource.Quantity {
	for _, list := range lists {
		if amount, given := list[name]; given {
			return &amount
		}
	}
	return nil
}

// Guessed reports whether the message of a refusal is no message of the cluster, but what most likely refuses a pod.
func Guessed(message string) bool {
	return strings.HasSuffix(message, OnlyEvents) || strings.Contains(message, "(most likely: ")
}

// OnlyEvents ends the message of a refusal whose cause a dump does not show.
const OnlyEvents = ": the events of the StatefulSet say what refuses it"

// beside returns a Ready pod, of whose template something holds, of the set of a pod that cannot be created; "" for none.
func (s *stays) beside(pod *model.Pod, is func(*model.Template) bool) string {
	for _, p := range s.named(pod.Namespace, ownerName(pod)) {
		if p.Ready && p.Controller() != nil && is(p.Template) {
			return p.Name
		}
	}
	return ""
}

// runs reports whether a Ready pod of the set has the spec of a pod that cannot be created.
func (s *stays) runs(pod *model.Pod) bool {
	return s.beside(pod, func(t *model.Template) bool { return specOf(t) == specOf(pod.Template) }) != ""
}

// podNamed finds the pod that the message of an admission plugin, or of the event about it, names.
var podNamed = lazy.Regexp(`\b([Pp]ods? "|create Pod )[^" ]+("| in )`)

// part is what of a template a refusal is about.
type part int

const (
	// anyPart is the same for all pods.
	anyPart part = iota
	// resources are what the containers request, and account is the ServiceAccount.
	resources
	account
	wholeSpec
)

// refusal is what an admission plugin goes by: a part of the spec of a pod, and its namespace, which a quota counts.
type refusal struct {
	namespace string
	about     part
	text      string
}

// of returns the part of a template, as text.
func (p part) of(t *model.Template) string {
	switch p {
	case resources:
		parts := PartsOf(t)
		return fmt.Sprintf("%s %s", parts.Containers, parts.InitContainers)
	case account:
		return PartsOf(t).ServiceAccountName
	case wholeSpec:
		return specOf(t)
	}
	return ""
}

// about returns the part of a template that a refusal is about. A quota goes by what the containers request, or by the
// number of pods. A webhook that does not answer refuses all pods. Anything else is about the whole spec.
func about(message string) part {
	switch row := symptom.Refusal(message); {
	case symptom.ClaimRefused.In(message), reasons.CountsPods(message), reasons.OfStore(message), row.Refused:
		return anyPart
	case row.Kind == "ResourceQuota":
		return resources
	case row.Kind == "ServiceAccount":
		return account
	}
	return wholeSpec
}

// SpecParts are the parts of a pod spec that refusals and fixes are about.
type SpecParts struct {
	PriorityClassName, ServiceAccountName, RuntimeClassName string
	Containers                                              []struct{ Resources json.RawMessage }
	InitContainers                                          []struct{ Resources json.RawMessage }
	ReadinessGates                                          []struct{}
}

// Named returns the object of a kind that a spec names and without which its pods are refused; "" if it names none.
func (p SpecParts) Named(kind string) string {
	return map[string]string{"ServiceAccount": p.ServiceAccountName, "PriorityClass": p.PriorityClassName,
		"RuntimeClass": p.RuntimeClassName}[kind]
}

// PartsOf decodes the spec of a template; it is empty if there is none.
func PartsOf(template *model.Template) (parts SpecParts) {
	if json.Unmarshal([]byte(cmp.Or(specOf(template), "{}")), &parts) != nil {
		return SpecParts{}
	}
	return parts
}

// priorityClass returns the PriorityClass that a spec asks for, "" for none, and for those that are always there.
func (p SpecParts) priorityClass() string {
	if strings.HasPrefix(p.PriorityClassName, "system-") {
		return ""
	}
	return p.PriorityClassName
}

// hasClass reports whether a pod of the dump has a PriorityClass, so that it exists.
func (s *stays) hasClass(class string) bool {
	return slices.ContainsFunc(s.State.Pods, func(p sim.PodState) bool {
		return PartsOf(p.Template).PriorityClassName == class
	})
}

// Namespace is one that is being deleted.
type Namespace struct {
	Name  string
	Since model.Time
	// Says are the messages of its conditions: what is left in it, and what keeps its controller from deleting that.
	// Finalizers keep it when it is empty, besides that of its controller.
	Says, Finalizers []string
}

// goingNamespaces notes the namespaces that are being deleted.
func (c *converter) goingNamespaces() {
	for _, object := range c.namespaces {
		if object.DeletionTimestamp == nil && object.Status.Phase != corev1.NamespaceTerminating {
			continue
		}
		n := &Namespace{Name: object.Name, Finalizers: slices.Clone(object.Finalizers)}
		if object.DeletionTimestamp != nil {
			n.Since = c.instant(object.DeletionTimestamp.Time)
		}
		for _, name := range object.Spec.Finalizers {
			if name != corev1.FinalizerKubernetes {
				n.Finalizers = append(n.Finalizers, string(name))
			}
		}
		for _, condition := range object.Status.Conditions {
			if condition.Status == corev1.ConditionTrue && condition.Message != "" {
				n.Says = append(n.Says, oneSentence(condition.Message))
			}
		}
		c.Going[object.Name] = n
	}
}

// Ends says in sentences what comes of the namespace, and what keeps it.
func (n *Namespace) Ends() []string {
	list := []string{"The namespace " + n.Name + " is being deleted, and the StatefulSet with it."}
	if _, long := Lasting(n.Since, n.Since < 0); long != "" {
		list = append(list, "It has been Terminating"+long+".")
	}
	for _, text := range n.Says {
		list = append(list, "Its controller says: "+text+".")
	}
	if len(n.Finalizers) > 0 {
		list = append(list, "When it is empty, "+render.And(n.Finalizers)+render.Agree(len(n.Finalizers), " keeps",
			" keep")+" it: whoever has set that removes it when its work is done.")
	}
	return append(list, "Nobody can take the deletion back. When the namespace is gone, create it again, and apply the "+
		"StatefulSet there.")
}

// refuses returns the answer of the API server to the creation of an object in the namespace.
func (n *Namespace) refuses(kind, name string) *model.APIError {
	return &model.APIError{Reason: model.Forbidden, Message: fmt.Sprintf(symptom.NamespaceGoes, kind, name, n.Name)}
}
