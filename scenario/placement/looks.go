package placement

import (
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/statefulsim/statefulsim/model"
)

// Label is a label with its value.
type Label struct{ Name, Value string }

// Look is what the pods of a set look for in other pods when the scheduler places them: a term of an affinity, or a
// spread constraint.
type Look struct {
	// Labels are those that the other pods must have; none means any pods.
	Labels []Label
	// Namespaces are where it looks; Anywhere is all of them.
	Namespaces []string
	Anywhere   bool
}

// Looks returns what the pods of a set look for in other pods, and the ports of nodes that they take. Two sets do
// not Concern each other if neither looks for the other, and they share no port.
func Looks(set *model.StatefulSet) (looks []Look, ports []int32) {
	if set.Spec.Template.Constraints == nil {
		return nil, nil
	}
	c, own := constraintsOf(typical(set)), []string{set.Namespace}
	for _, list := range [][]term{c.near, c.apart} {
		for i := range list {
			look := Look{Labels: labelsIn(list[i].selector), Namespaces: list[i].namespaces,
				Anywhere: list[i].everywhere || list[i].unknown}
			if len(look.Namespaces) == 0 {
				look.Namespaces = own
			}
			looks = append(looks, look)
		}
	}
	for i := range c.spread {
		looks = append(looks, Look{Labels: labelsIn(c.spread[i].selector), Namespaces: own})
	}
	return looks, Ports(typical(set))
}

// Ports returns the ports of its node that a pod takes.
func Ports(pod *model.Pod) (ports []int32) {
	for _, port := range constraintsOf(pod).ports {
		ports = append(ports, port.HostPort)
	}
	return ports
}

// labelsIn returns the labels that a selector asks for by their values.
func labelsIn(selector labels.Selector) []Label {
	var list []Label
	needs, _ := selector.Requirements()
	for _, need := range needs {
		switch need.Operator() {
		case selection.Equals, selection.DoubleEquals, selection.In:
			if values := need.ValuesUnsorted(); len(values) == 1 {
				list = append(list, Label{need.Key(), values[0]})
			}
		}
	}
	return list
}
