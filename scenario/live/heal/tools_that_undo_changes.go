package heal

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// tools are the programs that write the spec of a set again, each with the mark that it puts on the set, a label or an
// annotation: mark has the name of what the tool made the set from, where the namespace of that. says what becomes of a
// change with kubectl and how to make it last, with that name and the command. The first that fits counts: Flux and
// Argo CD leave Helm's marks too.
var tools = []struct{ mark, where, says, command string }{
	{fluxHelm + "name", fluxHelm + "namespace", "Flux takes this back when it next upgrades the HelmRelease %s: change " +
		"that one, or stop it first (%s).", "flux suspend helmrelease NAME -n NAMESPACE"},
	{fluxKustomize + "name", fluxKustomize + "namespace", "Flux takes this back at the next interval of the " +
		"Kustomization %s: change its source, or stop it first (%s).", "flux suspend kustomization NAME -n NAMESPACE"},
	{argo + "tracking-id", "", undoneByArgo, stopArgo},
	{argo + "instance", "", undoneByArgo, stopArgo},
	{helm + "name", helm + "namespace", "The next upgrade of the Helm release %s takes this back: change its values too " +
		"(%s).", "helm -n NAMESPACE get values NAME"},
}

const (
	fluxHelm      = "helm.toolkit.fluxcd.io/"
	fluxKustomize = "kustomize.toolkit.fluxcd.io/"
	helm          = "meta.helm.sh/release-"
	argo          = "argocd.argoproj.io/"
	undoneByArgo  = "Argo CD takes this back at the next sync of the application %s, and with selfHeal at once: change " +
		"Git, or stop it first (%s)."
	stopArgo = "argocd app set NAME --sync-policy none"
)

// undoneBy says of a change of the spec of a set which tool takes it back, and how to make it last; "" if no tool has
// marked the set, and none is known to have written it.
func undoneBy(set *model.StatefulSet, writer string) string {
	mark := func(name string) string { return cmp.Or(set.Labels[name], set.Annotations[name]) }
	for _, t := range tools {
		// A tracking id begins with the name of the application.
		if name, _, _ := strings.Cut(mark(t.mark), ":"); name != "" {
			words := strings.Fields(t.command)
			for i, word := range words {
				switch word {
				case "NAME":
					words[i] = name
				case "NAMESPACE":
					words[i] = cmp.Or(mark(t.where), set.Namespace)
				}
			}
			return fmt.Sprintf(t.says, name, shell.Line(words...))
		}
	}
	if writer != "" {
		return writer + " has written this StatefulSet, and takes this back when it does so again: change it there too."
	}
	return ""
}
