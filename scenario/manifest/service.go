package manifest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/strict"
)

// Service is a Service of a manifest that selects pods.
type Service struct {
	// object is the Service as it was given, without what only a server writes, and without defaults.
	object *corev1.Service
	// Node is its place in the file.
	Node *yaml.Node
}

// Name returns the Service's name.
func (s *Service) Name() string { return s.object.Name }

// Namespace returns the Service's namespace, or the given one if its manifest has none.
func (s *Service) Namespace(fallback string) string { return cmp.Or(s.object.Namespace, fallback) }

// Model returns the model's Service, in its own namespace or in the given one. Ports are the named ones, in the
// form that SRV records use: _http._tcp.
func (s *Service) Model(namespace string) *model.Service {
	spec := &s.object.Spec
	service := &model.Service{
		Meta: model.Meta{
			Namespace: s.Namespace(namespace), Name: s.object.Name,
			Labels: s.object.Labels, Annotations: s.object.Annotations,
		},
		Headless:        spec.ClusterIP == corev1.ClusterIPNone,
		PublishNotReady: spec.PublishNotReadyAddresses,
	}
	if len(spec.Selector) > 0 {
		service.Selector = modelSelector(&metav1.LabelSelector{MatchLabels: spec.Selector})
	}
	for _, port := range spec.Ports {
		if port.Name != "" {
			protocol := strings.ToLower(string(cmp.Or(port.Protocol, corev1.ProtocolTCP)))
			service.Ports = append(service.Ports, "_"+port.Name+"._"+protocol)
		}
	}
	return service
}

// readService reads a Service that selects pods; nil if it cannot be decoded. A decodable Service that is not valid
// is returned together with its problems.
func readService(r *strict.Reader, n *yaml.Node) *Service {
	service := &Service{object: new(corev1.Service), Node: n}
	nodes := readTyped(r, WithoutServerOnly(n), service.object)
	if nodes == nil {
		return nil
	}
	service.check(r, nodes)
	return service
}

// check finds what the API server of every version refuses, as far as names depend on it.
func (s *Service) check(r *strict.Reader, nodes map[string]*yaml.Node) {
	spec := &s.object.Spec
	if s.object.Name == "" {
		r.Problem(s.Node, "the Service has no name", "give it metadata.name")
	}
	if len(spec.Ports) == 0 && spec.ClusterIP != corev1.ClusterIPNone {
		r.Problem(cmp.Or(nodes["spec"], s.Node), "spec.ports: Required value",
			"only a headless Service (clusterIP: None) may be without ports")
	}
	for i := range spec.Ports {
		path := fmt.Sprintf("spec.ports[%d]", i)
		for _, wrong := range validation.IsValidPortNum(int(spec.Ports[i].Port)) {
			r.Problem(cmp.Or(nodes[path+".port"], nodes[path], s.Node),
				fmt.Sprintf("%s.port: Invalid value: %d", path, spec.Ports[i].Port), wrong)
		}
		name := spec.Ports[i].Name
		same := func(other corev1.ServicePort) bool { return other.Name == name }
		switch {
		case name == "" && len(spec.Ports) > 1:
			r.Problem(nodes[path], path+".name: Required value", "each of several ports has a name")
		case name != "" && slices.ContainsFunc(spec.Ports[:i], same):
			r.Problem(nodes[path+".name"], fmt.Sprintf("%s.name: Duplicate value: %q", path, name),
				"each port has a name of its own")
		}
	}
	for _, err := range validateService(s.object) {
		r.Problem(cmp.Or(nodes[err.Field], s.Node), err.Error(), "no version of Kubernetes accepts this")
	}
}

// validateService returns the API server's errors for a Service, in its words. Its name is not checked: charts that
// are rendered for a test make names that are too long or have dots, and the sets in the same file should still be
// read.
func validateService(object *corev1.Service) field.ErrorList {
	spec, path := &object.Spec, field.NewPath("spec")
	errs := validateMarks(&object.ObjectMeta)
	for i := range spec.Ports {
		errs = append(errs, validateServicePort(&spec.Ports[i], path.Child("ports").Index(i))...)
	}
	errs = append(errs, metavalidation.ValidateLabels(spec.Selector, path.Child("selector"))...)
	errs = append(errs, knownWord(path.Child("sessionAffinity"), spec.SessionAffinity, "ClientIP", "None")...)
	return append(errs, knownWord(path.Child("type"), spec.Type,
		"ClusterIP", "ExternalName", "LoadBalancer", "NodePort")...)
}

// validateServicePort checks the words of a port. That it has a number, and a name of its own, is checked elsewhere.
func validateServicePort(port *corev1.ServicePort, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if port.Name != "" {
		errs = invalidBecause(path.Child("name"), port.Name, validation.IsDNS1123Label(port.Name))
	}
	errs = append(errs, knownWord(path.Child("protocol"), port.Protocol, "SCTP", "TCP", "UDP")...)
	target := path.Child("targetPort")
	switch p := port.TargetPort; {
	case p.Type == intstr.String:
		errs = append(errs, invalidBecause(target, p.StrVal, validation.IsValidPortName(p.StrVal))...)
	case p.IntVal != 0:
		for _, reason := range validation.IsValidPortNum(int(p.IntVal)) {
			errs = append(errs, field.Invalid(target, p.IntVal, reason))
		}
	}
	return errs
}

// knownWord refuses a word that is none of those that the API knows; "" is one that has a default.
func knownWord[T ~string](path *field.Path, word T, known ...T) field.ErrorList {
	if word == "" || slices.Contains(known, word) {
		return nil
	}
	return field.ErrorList{field.NotSupported(path, word, known)}
}
