package manifest

import (
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/output/command"
)

// ChartFile is the file by which a folder is a Helm chart.
const ChartFile = "Chart.yaml"

// OfChart says of a folder that it is a Helm chart, and what to pass instead: its files are no manifests yet.
func OfChart(folder string) (what, want string) {
	return "this is a Helm chart", "pass what " + command.Line("helm", "template", folder) + printsIt
}

// printsIt ends the advice to pass what a command prints.
const printsIt = " prints, in a file or, through a pipe, as -"

// unrendered returns a value of an object that Helm has to fill in; nil if there is none where no other braces can be.
func unrendered(object *strict.Map) *yaml.Node {
	quiet := strict.Reader{}
	places := []*yaml.Node{object.Value("kind"), object.Value("apiVersion")}
	for _, part := range []string{"metadata", "spec"} {
		m := quiet.Map(object.Value(part), "")
		for _, field := range []string{"name", "namespace", "replicas", "serviceName"} {
			places = append(places, m.Value(field))
		}
	}
	for _, n := range places {
		if n != nil && n.Kind == yaml.ScalarNode && strings.Contains(n.Value, "{{") {
			return n
		}
	}
	return nil
}
