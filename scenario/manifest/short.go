package manifest

import (
	"bytes"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
	appsv1 "k8s.io/api/apps/v1"

	"github.com/statefulsim/statefulsim/scenario/strict"
	"github.com/statefulsim/statefulsim/sim/view/lazy"
	"github.com/statefulsim/statefulsim/sim/view/shell"
)

// Short reads the short form of a StatefulSet: the fields of its spec, with name, and with image instead of the
// template. It completes the form to a manifest: one container called app, the label app with the name of the set, and
// the name for serviceName, unless given. It returns nil if there is a problem. n is not changed.
func Short(r *strict.Reader, n *yaml.Node) *Set {
	before := len(r.Problems)
	set := &Set{Node: n, File: r.File, nodes: map[string]*yaml.Node{}, prefix: "spec."}
	spec := readShort(r, n, set.nodes)
	if spec == nil {
		return nil
	}
	set.nodes["metadata.name"] = set.nodes["name"]
	set.nodes["template.spec.containers[0].image"] = set.nodes["image"]
	name, image := spec["name"], spec["image"]
	delete(spec, "name")
	delete(spec, "image")
	labels := map[string]any{"app": name}
	fill := func(key string, value any) {
		if _, given := spec[key]; !given {
			spec[key] = value
		}
	}
	fill("serviceName", name)
	fill("selector", map[string]any{"matchLabels": labels})
	spec["template"] = map[string]any{
		"metadata": map[string]any{"labels": labels},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "app", "image": image}}},
	}
	fillClaims(spec["volumeClaimTemplates"])
	set.Given = map[string]any{
		"apiVersion": "apps/v1", "kind": "StatefulSet", "metadata": map[string]any{"name": name}, "spec": spec,
	}
	return set.decoded(r, before)
}

// CheckShort notes what is wrong with the fields of a short form that lacks its name or image.
func CheckShort(r *strict.Reader, n *yaml.Node) { readShort(r, n, map[string]*yaml.Node{}) }

// readShort reads the fields of a short form, or returns nil if it is none.
func readShort(r *strict.Reader, n *yaml.Node, nodes map[string]*yaml.Node) map[string]any {
	var fields []jsonField
	for _, f := range fieldsOf(reflect.TypeFor[appsv1.StatefulSetSpec]()) {
		if f.name != "template" {
			fields = append(fields, f)
		}
	}
	text := reflect.TypeFor[string]()
	fields = append([]jsonField{{"name", text}, {"image", text}}, fields...)
	reader := typed{r: r, nodes: nodes, ours: true}
	spec, _ := reader.fields(n, "", fields).(map[string]any)
	return spec
}

// fillClaims gives claim templates that are only names what every claim must have: an access mode and a size.
func fillClaims(templates any) {
	list, _ := templates.([]any)
	for _, item := range list {
		if claim, ok := item.(map[string]any); ok && claim["spec"] == nil {
			claim["spec"] = map[string]any{
				"accessModes": []any{"ReadWriteOnce"},
				"resources":   map[string]any{"requests": map[string]any{"storage": "1Gi"}},
			}
		}
	}
}

// Containers names the containers of the set's template, and its init containers, in their order.
func (s *Set) Containers() (containers, inits []string) {
	for _, c := range s.Object.Spec.Template.Spec.Containers {
		containers = append(containers, c.Name)
	}
	for _, c := range s.Object.Spec.Template.Spec.InitContainers {
		inits = append(inits, c.Name)
	}
	return containers, inits
}

// ChartFile is the file that makes a folder a Helm chart.
const ChartFile = "Chart.yaml"

// OfChart says that a folder is a Helm chart, and what to pass instead: its files are not manifests yet.
func OfChart(folder string) (what, want string) {
	return "this is a Helm chart", "pass what " + shell.Line("helm", "template", folder) + printsIt
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

// kindKey finds the key kind of an object: in block style at the start of a line, and in a flow such as JSON.
var kindKey = lazy.Regexp(`(?m)^(---[ \t]+|\x{feff})?["']?kind["']?[ \t]*:|[{,]\s*["']?kind["']?\s*:`)

// Looks reports whether a text looks like manifests. It does not parse, so a manifest with mistakes is found too.
func Looks(data []byte) bool {
	return kindKey().Match(data) && bytes.Contains(data, []byte("apiVersion"))
}
