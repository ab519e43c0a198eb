package writer

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/scenario/serve/builtin"
	"github.com/statefulsim/statefulsim/scenario/serve/kinds"
	"github.com/statefulsim/statefulsim/scenario/serve/refuse"
)

// furnishService fills in what a real API server gives a Service: its IP families, its policies, and an unused
// address and unused node ports.
func (g *Writer) furnishService(w *Write, service *corev1.Service) {
	spec := &service.Spec
	if spec.Type == corev1.ServiceTypeExternalName {
		return
	}
	headless, outside := spec.ClusterIP == corev1.ClusterIPNone, false
	inside := corev1.ServiceInternalTrafficPolicyCluster
	if spec.InternalTrafficPolicy == nil {
		spec.InternalTrafficPolicy = &inside
	}
	single, both := corev1.IPFamilyPolicySingleStack, corev1.IPFamilyPolicyRequireDualStack
	switch {
	case spec.IPFamilyPolicy != nil:
	case headless && len(spec.Selector) == 0:
		spec.IPFamilyPolicy, spec.IPFamilies = &both, []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
	default:
		spec.IPFamilyPolicy = &single
	}
	if len(spec.IPFamilies) == 0 {
		spec.IPFamilies = []corev1.IPFamily{corev1.IPv4Protocol}
	}
	switch spec.Type {
	case corev1.ServiceTypeLoadBalancer:
		if yes := true; spec.AllocateLoadBalancerNodePorts == nil {
			spec.AllocateLoadBalancerNodePorts = &yes
		}
		outside = true
	case corev1.ServiceTypeNodePort:
		outside = true
	}
	if outside && spec.ExternalTrafficPolicy == "" {
		spec.ExternalTrafficPolicy = corev1.ServiceExternalTrafficPolicyCluster
	}
	if outside && (spec.AllocateLoadBalancerNodePorts == nil || *spec.AllocateLoadBalancerNodePorts) {
		g.allocatePorts(w, spec)
	}
	if spec.ClusterIP == "" && (g.Config.Uncontrolled || len(spec.Selector) == 0) {
		spec.ClusterIP = g.freeAddress()
	}
	if spec.ClusterIP != "" && len(spec.ClusterIPs) == 0 {
		spec.ClusterIPs = []string{spec.ClusterIP}
	}
}

// allocatePorts gives each port of a Service its node port: that which it had, or the first that is free.
func (g *Writer) allocatePorts(w *Write, spec *corev1.ServiceSpec) {
	const first, last = builtin.FirstNodePort, builtin.LastNodePort
	taken, had := map[int64]bool{}, map[string]int64{}
	for _, o := range g.Cluster.Objects.List(kinds.Service, "") {
		for _, port := range o.Fields.List("spec", "ports") {
			taken[port.Number("nodePort")] = true
			if w.old != nil && o.Key == w.Key {
				had[port.Text("name")+"/"+port.Text("port")] = port.Number("nodePort")
			}
		}
	}
	next := int64(first)
	for i := range spec.Ports {
		port := &spec.Ports[i]
		if port.NodePort != 0 {
			continue
		}
		if port.NodePort = int32(had[fmt.Sprintf("%s/%d", port.Name, port.Port)]); port.NodePort != 0 {
			continue
		}
		for taken[next] && next < last {
			next++
		}
		port.NodePort, taken[next] = int32(next), true
	}
}

// freeAddress returns an address for a Service that the world does not know, which no other of them has.
func (g *Writer) freeAddress() string {
	taken := map[string]bool{}
	for _, o := range g.Cluster.Objects.List(kinds.Service, "") {
		taken[o.Fields.Text("spec", "clusterIP")] = true
	}
	for n := 1; ; n++ {
		if address := fmt.Sprintf("10.97.%d.%d", n/250, 1+n%250); !taken[address] {
			return address
		}
	}
}

// admitService fills in and checks the parts of a Service that the world does not handle.
func admitService(w *Write, service *corev1.Service) error {
	address := ""
	if w.old != nil && service.Spec.Type != corev1.ServiceTypeExternalName {
		address = w.old.Fields.Text("spec", "clusterIP")
	}
	builtin.DefaultService(&service.Spec)
	if errs := builtin.ValidateService(&service.Spec, address); len(errs) > 0 {
		return refuse.Invalid(w.q.Kind, w.Key.Name, errs)
	}
	return nil
}
