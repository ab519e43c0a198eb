package judge

import (
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// missing says what lacks outside of it so that its containers start.
func (x *shown) missing() {
	p, f := x.p, x.f
	starts := p.Phase == model.Pending && !p.Terminating()
	if kind, name := f.Lacks(); name != "" && starts {
		x.add("When the %s %s exists in the namespace %s, the kubelet starts the pod by itself.", kind, name, p.Namespace)
	}
	if key, of := f.LacksKey(); key != "" && starts {
		x.add("When the %s of the namespace %s has the key %s, the kubelet starts the pod by itself.", of, p.Namespace, key)
	}
	if driver := f.Driverless(); driver != "" && starts {
		what := "that driver runs there (" + shell.Kubectl("get", "csinode", p.Node) + ")"
		if strings.HasPrefix(driver, "provider ") {
			what = "the pod of that provider runs there"
		}
		x.add("The node %s is at fault, and not the template: no pod there gets a volume of %s. When %s, the pod starts by "+
			"itself.", p.Node, driver, what)
	} else if f.Overfull() && starts {
		x.add("The node %s has as many volumes attached as it may have, and the template is right: on another node the pod "+
			"gets its volume. When another pod with volumes leaves %[1]s, the pod starts by itself.", p.Node)
	} else if f.OfNode() && starts {
		x.add("The node %s is at fault, and not the template: no pod that starts there gets a network or a sandbox. When "+
			"the node is repaired, the pod starts by itself.", p.Node)
	}
	if f.Runtimeless() && starts {
		x.add("The node %s has no handler for the RuntimeClass of the pod. It needs a node that has it, or a template "+
			"without runtimeClassName.", p.Node)
	}
}
