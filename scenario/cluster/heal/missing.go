package heal

import (
	"fmt"
	"slices"
	"strings"

	"github.com/statefulsim/statefulsim/model"
	"github.com/statefulsim/statefulsim/scenario/runs/play"
	"github.com/statefulsim/statefulsim/sim/output/command"
)

// needed are the kinds of objects that the spec of a pod names and that the API server looks for, with the name in a
// spec.
var needed = []struct {
	kind string
	name func(podSpec) string
}{
	{"ServiceAccount", func(s podSpec) string { return s.ServiceAccountName }},
	{"PriorityClass", func(s podSpec) string { return s.PriorityClassName }},
	{"RuntimeClass", func(s podSpec) string { return s.RuntimeClassName }},
}

// createSuspects returns the attempts that create what the refused pods name and only some revisions of the set do:
// where nobody says why pods are refused, that may be what was deleted with an old revision, or never created for a new
// one.
func createSuspects(x *situation) []attempt {
	var list []attempt
	for _, kind := range needed {
		for _, template := range x.refused {
			name := kind.name(specOf(template))
			if name == "" || name == "default" || !slices.ContainsFunc(x.given.State.Revisions, func(r *model.Revision) bool {
				owner := r.Controller()
				return owner != nil && owner.UID == x.set.UID && kind.name(specOf(r.Template)) != name
			}) {
				continue
			}
			list = append(list, attempt{what: "creating the " + kind.kind + " " + name, lab: admitting(x), apart: true,
				script: play.Script{create(kind.kind, x.set.Namespace, name)},
				needs: fmt.Sprintf("there is no such %s (%s)", kind.kind,
					command.In(x.set.Namespace, "get", strings.ToLower(kind.kind), name))})
		}
	}
	return list
}

// createMissing returns the attempts that create the objects for which pods of the set wait: the kubelet starts the
// pods then by itself.
func createMissing(x *situation) []attempt {
	var list []attempt
	for _, missing := range x.given.Around.Missing {
		what := "creating the " + missing.Kind + " " + missing.Name
		known := slices.ContainsFunc(list, func(a attempt) bool { return a.what == what })
		if slices.Contains(x.down, missing.Pod) && !known {
			list = append(list, attempt{what: what, lab: x.freed(x.down),
				script: play.Script{create(missing.Kind, x.set.Namespace, missing.Name)},
				needs:  "it has what the pods read (KEY=VALUE, once for each key), and that nothing else was to create it"})
		}
	}
	return list
}

// create creates an object that only has to exist.
func create(kind, namespace, name string) play.Deed {
	does := command.In(namespace, "create", strings.ToLower(kind), name)
	switch kind {
	case "Secret":
		does = command.In(namespace, "create", "secret", "generic", name, "--from-literal=KEY=VALUE")
	case "ConfigMap":
		does = command.In(namespace, "create", "configmap", name, "--from-literal=KEY=VALUE")
	case "PriorityClass":
		does = command.Kubectl("create", "priorityclass", name, "--value=0")
	case "RuntimeClass":
		class := fmt.Sprintf(`{"apiVersion":"node.k8s.io/v1","kind":"RuntimeClass","metadata":{"name":%s},`+
			`"handler":"HANDLER"}`, command.JSON(name))
		does = command.Pipe(command.Line("echo", class), command.Kubectl("create", "-f", "-"))
	}
	return play.Deed{Verb: "create", Kubectl: does}
}
