package heal

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/output/command"
)

// tool is a program that writes the spec of a set again. It puts a mark on the set: a label or an annotation.
type tool struct {
	// mark has the name of what the tool made the set from, where the namespace of that.
	mark, where string
	// undoes says what becomes of a change with kubectl, and how to make it last.
	undoes func(name, namespace string) string
}

// The marks of the tools.
const (
	fluxHelm      = "helm.toolkit.fluxcd.io/"
	fluxKustomize = "kustomize.toolkit.fluxcd.io/"
	argo          = "argocd.argoproj.io/"
	helm          = "meta.helm.sh/release-"
)

// tools are the programs by their marks. The first that fits counts: Flux and Argo CD leave Helm's marks too.
var tools = []tool{
	{fluxHelm + "name", fluxHelm + "namespace", func(name, namespace string) string {
		return fmt.Sprintf("Flux takes this back when it next upgrades the HelmRelease %s: change that one, or stop it "+
			"first (%s).", name, command.Line("flux", "suspend", "helmrelease", name, "-n", namespace))
	}},
	{fluxKustomize + "name", fluxKustomize + "namespace", func(name, namespace string) string {
		return fmt.Sprintf("Flux takes this back at the next interval of the Kustomization %s: change its source, or "+
			"stop it first (%s).", name, command.Line("flux", "suspend", "kustomization", name, "-n", namespace))
	}},
	{argo + "tracking-id", "", undoneByArgo},
	{argo + "instance", "", undoneByArgo},
	{helm + "name", helm + "namespace", func(name, namespace string) string {
		return fmt.Sprintf("The next upgrade of the Helm release %s takes this back: change its values too (%s).", name,
			command.Line("helm", "-n", namespace, "get", "values", name))
	}},
}

// undoneByArgo says what Argo CD does. A tracking id begins with the name of the application.
func undoneByArgo(name, _ string) string {
	name, _, _ = strings.Cut(name, ":")
	return fmt.Sprintf("Argo CD takes this back at the next sync of the application %s, and with selfHeal at once: "+
		"change Git, or stop it first (%s).", name, command.Line("argocd", "app", "set", name, "--sync-policy", "none"))
}

// undoneBy says of a change of the spec of a set which tool takes it back, and how to make it last; "" if no tool has
// marked the set.
func undoneBy(set *model.StatefulSet) string {
	mark := func(name string) string { return cmp.Or(set.Labels[name], set.Annotations[name]) }
	for _, t := range tools {
		if name := mark(t.mark); name != "" {
			return t.undoes(name, cmp.Or(mark(t.where), set.Namespace))
		}
	}
	return ""
}
