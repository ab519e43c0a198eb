package dump

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/render"
)

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
	return &model.APIError{Reason: model.Forbidden, Message: strings.Join([]string{kind, `"` + name + `"`,
		"is forbidden: unable to create new content in namespace", n.Name, "because it is being terminated"}, " ")}
}
