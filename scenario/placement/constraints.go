package placement

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/component-helpers/resource"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"

	"github.com/statefulsim/statefulsim/model"
)

// Constraints are the requirements of a pod template on the nodes of its pods, and its needs there.
// model.Template.Constraints holds one; all pods of a template share it, so it does not change. Preferences of any
// kind are not in it: they choose among the nodes that fit, and the simulator has an order of its own for that.
type Constraints struct {
	// affinity is the nodeSelector and the required node affinity. selects is true if there is either. keys are the
	// labels that they ask for; unless all of them are known of a node, it counts as one that fits. named is true if a
	// node is asked for by its name.
	affinity nodeaffinity.RequiredNodeAffinity
	selects  bool
	named    bool
	keys     []string
	// tolerations are the tolerations of the template, and two that the admission plugin DefaultTolerationSeconds adds.
	tolerations []corev1.Toleration
	// requests are the sum of the pod's requests. near and apart are the required terms of affinity and
	// anti-affinity between pods, spread the constraints with DoNotSchedule, ports the ports of the node that it
	// takes.
	requests    amounts
	near, apart []term
	spread      []constraint
	ports       []corev1.ContainerPort
	// unmodelled are the fields that are not decided here, in words. hasPriority is true if the pod could preempt others.
	unmodelled  []string
	hasPriority bool
}

// term is a required term of an affinity or anti-affinity between pods.
type term struct {
	selector labels.Selector
	// mine and notMine are matchLabelKeys and mismatchLabelKeys: the labels of the pod itself decide too.
	mine, notMine []string
	// topology is the label of nodes, topologyKey, by whose values places are one or several.
	topology string
	// namespaces are where it looks; none means the namespace of the pod. everywhere is an empty namespaceSelector.
	namespaces []string
	everywhere bool
	// unknown is true if the result depends on labels of namespaces, which are not known.
	unknown bool
}

// constraint is a topologySpreadConstraint with DoNotSchedule, with its selector read once.
type constraint struct {
	corev1.TopologySpreadConstraint
	selector labels.Selector
}

// Of returns the constraints of a template with its defaults filled in, nil if it has none: then the nodes need not be
// asked. The template is not kept.
func Of(template *corev1.PodTemplateSpec) model.Constraints {
	spec := &template.Spec
	c := &Constraints{}
	c.readAffinity(spec)
	for i := range spec.TopologySpreadConstraints {
		s := spec.TopologySpreadConstraints[i]
		if s.WhenUnsatisfiable == corev1.DoNotSchedule {
			c.spread = append(c.spread, constraint{s, selectorOf(s.LabelSelector)})
		}
	}
	for i := range spec.Containers {
		for _, port := range spec.Containers[i].Ports {
			if port.HostPort != 0 || spec.HostNetwork {
				c.ports = append(c.ports, hostPort(port))
			}
		}
	}
	c.requests = amountsOf(requestsOf(spec))
	c.hasPriority = spec.PriorityClassName != "" || spec.Priority != nil
	c.readUnmodelled(template)
	if !c.selects && len(c.near)+len(c.apart)+len(c.spread)+len(c.ports)+len(c.unmodelled)+len(spec.Tolerations) == 0 &&
		c.requests.none() {
		return nil
	}
	c.tolerations = tolerations(spec.Tolerations)
	return c
}

// hostPort returns a port of the node; in the network of the host each port is one.
func hostPort(port corev1.ContainerPort) corev1.ContainerPort {
	if port.HostPort == 0 {
		port.HostPort = port.ContainerPort
	}
	return port
}

// readAffinity reads the node selector and all required affinities. Without a key an affinity selects by nodes' names.
func (c *Constraints) readAffinity(spec *corev1.PodSpec) {
	for key := range sorted(spec.NodeSelector) {
		c.keys = append(c.keys, key)
	}
	c.affinity = nodeaffinity.GetRequiredNodeAffinity(&corev1.Pod{Spec: *spec})
	affinity := spec.Affinity
	if affinity == nil {
		affinity = &corev1.Affinity{}
	}
	required := false
	if node := affinity.NodeAffinity; node != nil && node.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		required = true
		for _, t := range node.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
			c.named = c.named || len(t.MatchFields) > 0
			for _, e := range t.MatchExpressions {
				c.keys = append(c.keys, e.Key)
			}
		}
	}
	c.selects = required || len(c.keys) > 0
	if pods := affinity.PodAffinity; pods != nil {
		c.near = terms(pods.RequiredDuringSchedulingIgnoredDuringExecution)
	}
	if pods := affinity.PodAntiAffinity; pods != nil {
		c.apart = terms(pods.RequiredDuringSchedulingIgnoredDuringExecution)
	}
}

// terms reads required terms of pods. A namespaceSelector that is not empty cannot be decided: namespaces have no
// labels here.
func terms(list []corev1.PodAffinityTerm) []term {
	out := make([]term, len(list))
	for i := range list {
		t := &list[i]
		out[i] = term{
			selector: selectorOf(t.LabelSelector), mine: t.MatchLabelKeys, notMine: t.MismatchLabelKeys,
			topology: t.TopologyKey, namespaces: t.Namespaces,
		}
		if s := t.NamespaceSelector; s != nil {
			empty := len(s.MatchLabels)+len(s.MatchExpressions) == 0
			out[i].everywhere, out[i].unknown = empty, !empty
		}
	}
	return out
}

// selectorOf is upstream's reading of a label selector. An invalid one, which no API server takes, selects nothing.
func selectorOf(s *metav1.LabelSelector) labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

// requestsOf returns the sum of a pod's requests, as the scheduler counts it. A missing request equals the limit,
// because the API server fills it in.
func requestsOf(spec *corev1.PodSpec) corev1.ResourceList {
	pod := &corev1.Pod{Spec: *spec.DeepCopy()}
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for i := range containers {
			r := &containers[i].Resources
			for name := range sorted(r.Limits) {
				if r.Requests == nil {
					r.Requests = corev1.ResourceList{}
				}
				if _, given := r.Requests[name]; !given {
					r.Requests[name] = r.Limits[name]
				}
			}
		}
	}
	fillPodRequests(pod)
	return resource.PodRequests(pod, resource.PodResourcesOptions{})
}

// fillPodRequests fills in the requests of a pod as a whole (KEP-2837) as the API server does: with its limits, for
// resources that neither it nor a container requests. The versions that drop the resources of pods store none.
func fillPodRequests(pod *corev1.Pod) {
	r := pod.Spec.Resources
	if r == nil {
		return
	}
	asked := resource.AggregateContainerRequests(pod, resource.PodResourcesOptions{})
	for name := range sorted(r.Limits) {
		_, given := r.Requests[name]
		_, summed := asked[name]
		if given || summed || !resource.IsSupportedPodLevelResource(name) {
			continue
		}
		if r.Requests == nil {
			r.Requests = corev1.ResourceList{}
		}
		r.Requests[name] = r.Limits[name]
	}
}

// tolerations returns the tolerations of a pod, with those that the admission plugin DefaultTolerationSeconds adds.
// Their seconds do not matter to the scheduler.
func tolerations(given []corev1.Toleration) []corev1.Toleration {
	list := slices.Clone(given)
	for _, key := range []string{corev1.TaintNodeNotReady, corev1.TaintNodeUnreachable} {
		list = append(list, corev1.Toleration{
			Key: key, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute,
		})
	}
	return list
}

// readUnmodelled names the fields that other components than the scheduler decide about, each with the assumption
// about it.
func (c *Constraints) readUnmodelled(template *corev1.PodTemplateSpec) {
	spec := &template.Spec
	add := func(given bool, what string) {
		if given {
			c.unmodelled = append(c.unmodelled, what)
		}
	}
	add(len(spec.SchedulingGates) > 0, "schedulingGates (assumed: removed at once)")
	add(len(spec.ReadinessGates) > 0, "readinessGates (assumed: True)")
	add(len(template.Finalizers) > 0, "finalizers of the pods (assumed: removed at once)")
	add(spec.SchedulerName != "" && spec.SchedulerName != corev1.DefaultSchedulerName,
		"schedulerName "+spec.SchedulerName+" (assumed: it works like the default scheduler)")
	unknown := func(t term) bool { return t.unknown }
	const free = " (assumed: it keeps no pod off a node)"
	add(slices.ContainsFunc(c.near, unknown), "the namespaceSelector of podAffinity"+free)
	add(slices.ContainsFunc(c.apart, unknown), "the namespaceSelector of podAntiAffinity"+free)
	add(len(spec.ResourceClaims) > 0, "resourceClaims (assumed: allocated)")
}

// Repels reports whether the pods keep others off their nodes: then even pods without constraints are decided
// about.
func (c *Constraints) Repels() bool { return len(c.apart) > 0 }

// constraintsOf returns the constraints of a pod, never nil.
func constraintsOf(pod *model.Pod) *Constraints { return templated(pod.Template) }

// templated returns the constraints of a template, which may be nil; never nil.
func templated(template *model.Template) *Constraints {
	if template == nil || template.Constraints == nil {
		return unconstrained
	}
	return template.Constraints.(*Constraints)
}

// unconstrained are the constraints of a template that has none.
var unconstrained = &Constraints{tolerations: tolerations(nil)}
